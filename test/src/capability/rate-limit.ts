import t from 'tap'
import { isRateLimit } from '../../../src/capability/rate-limit.js'

t.test('a limit is a count within a second or more', async t => {
  t.ok(isRateLimit({ max: 1, windowMs: 1_000 }))
  t.ok(isRateLimit({ max: 100, windowMs: 60_000 }))
})

t.test('what could not be kept or told is no limit', async t => {
  for (const wrong of [undefined, null, 5, {}, { max: 0, windowMs: 1_000 }, { max: 1.5, windowMs: 1_000 }, { max: 1, windowMs: 999 }, { max: 1, windowMs: NaN }, { max: 1, windowMs: 2 ** 31 }, { max: '1', windowMs: 1_000 }, { max: 1, windowMs: 1_000, timeWindow: 5 }]) {
    t.notOk(isRateLimit(wrong), JSON.stringify(wrong))
  }
})
