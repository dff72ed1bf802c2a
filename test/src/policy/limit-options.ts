import t from 'tap'
import { mistakesInLimits } from '../../../src/policy/limit-options.js'
import { echo } from '../../fixtures/capabilities.js'

const redis = { defineCommand () {} }
const rate = { max: 100, windowMs: 60_000 }
const limited = { ...echo, rateLimit: rate }

t.test('what may be said of limits has nothing wrong', async t => {
  for (const limits of [undefined, {}, { rate }, { rate, redis }, { rate, redis, whenRedisIsGone: 'closed' }, { overload: { maxEventLoopDelayMs: 500.5, maxHeapUsedBytes: 1, maxRssBytes: 2 } }]) t.strictSame(mistakesInLimits(limits, [echo]), [])
  t.strictSame(mistakesInLimits({ redis }, [echo, limited]), [], 'a capability has a limit of its own')
  t.strictSame(mistakesInLimits({ redis: Object.create(redis), rate }, []), [], 'a client is an instance of some class')
})

t.test('everything wrong is said at once', async t => {
  t.strictSame(mistakesInLimits({ rates: {}, rate: { max: 0, windowMs: 60_000 }, redis: 'redis://h', whenRedisIsGone: 'ajar', overload: { maxRss: 1, maxHeapUsedBytes: -1, maxRssBytes: '1 GB' } }, [echo]), [
    'Expected only known options of `limits`, got `rates`. Did you mean `rate`?',
    'Expected `limits.rate` to be { max: 100, windowMs: 60000 }, `max` a whole number of 1 or more, `windowMs` 1000 or more and below 2147483648, got an object.',
    'Expected `limits.redis` to be a client of ioredis.',
    'Expected `limits.whenRedisIsGone` to be \'open\' or \'closed\', got a string.',
    'Expected only known options of `limits.overload`, got `maxRss`. Did you mean `maxRssBytes`?',
    'Expected `limits.overload.maxHeapUsedBytes` to be a positive number, got -1.',
    'Expected `limits.overload.maxRssBytes` to be a positive number, got a string.'
  ])
})

t.test('options that would change nothing are mistakes', async t => {
  t.strictSame(mistakesInLimits({ redis }, [{ ...echo, rateLimit: false }]), ['Expected `limits.rate`, or `rateLimit` of a capability, beside `limits.redis`; without one nothing is counted.'])
  t.match(mistakesInLimits({ redis }, 'all' as never), [/without one nothing is counted/])
  t.match(mistakesInLimits({ redis: null, rate }, [null as never]), ['Expected `limits.redis` to be a client of ioredis.'])
  t.strictSame(mistakesInLimits({ rate, whenRedisIsGone: 'open' }, []), ['Expected `limits.redis` beside `limits.whenRedisIsGone`.'])
  t.strictSame(mistakesInLimits({ overload: {} }, []), ['Expected `limits.overload` to name a bound: `maxEventLoopDelayMs`, `maxHeapUsedBytes`, `maxRssBytes`.'])
})

t.test('what is no object at all is shown one', async t => {
  t.strictSame(mistakesInLimits(100, []), ['Expected `limits` to be an object, as in { rate: { max: 100, windowMs: 60000 } }, got 100.'])
  t.strictSame(mistakesInLimits({ overload: true }, []), ['Expected `limits.overload` to be an object, as in { maxEventLoopDelayMs: 1000 }, got true.'])
})
