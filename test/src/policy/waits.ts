import t from 'tap'
import { Waits } from '../../../src/policy/waits.js'

const NOW = 1_800_000_000_000
const told = (waits: Waits, callers: number, ms: number, key = 'up', nowMs = NOW): number[] => Array.from({ length: callers }, () => waits.spread(key, ms, nowMs))

t.test('a caller that is alone hears the exact number', async t => {
  const waits = new Waits()
  t.equal(waits.spread('up', 12_300, NOW), 12_300)
  t.equal(waits.spread('other', 12_300, NOW), 12_300, 'and of another key too')
  t.equal(waits.spread('up', 60_000, NOW), 60_000, 'and who comes back at another time')
  t.equal(waits.spread('up', 200, NOW), 1_000, 'never less than a second')
})

t.test('callers told to wait at once come back one a second, and no sooner than was said', async t => {
  const waits = new Waits()
  t.strictSame(told(waits, 4, 60_000), [60_000, 61_000, 62_000, 63_000])
  t.strictSame(told(waits, 3, 12_300, 'fraction'), [12_300, 14_000, 15_000])
  t.strictSame(told(waits, 1, 58_000, 'up', NOW + 2_000), [62_000], 'the same second, later')
})

t.test('where there are more callers than seconds, each second has as many', async t => {
  for (const [ms, seconds] of [[1_000, 11], [60_000, 31], [600_000, 61]] as const) {
    const all = told(new Waits(), seconds * 3, ms)
    t.equal(Math.min(...all), ms)
    t.strictSame(all.slice(0, seconds), all.slice(seconds, seconds * 2))
    t.equal(new Set(all).size, seconds, `${ms}`)
  }
})

t.test('no wait is longer than a day', async t => {
  const waits = new Waits()
  t.strictSame(told(waits, 3, 86_399_000), [86_399_000, 86_400_000, 86_399_000])
  t.strictSame(told(waits, 2, Infinity, 'never'), [86_400_000, 86_400_000])
})

t.test('seconds that are past are forgotten', async t => {
  const waits = new Waits()
  told(waits, 50, 1_000)
  t.strictSame(told(waits, 2, 1_000, 'up', NOW + 60_000), [1_000, 2_000])
})

t.test('a crowd of keys is forgotten from its oldest on, and those that are past before', async t => {
  const waits = new Waits()
  told(waits, 2, 60_000, 'first')
  for (let caller = 0; caller < 2_000; caller++) waits.spread(`caller ${caller}`, 60_000, NOW)
  t.equal(waits.spread('caller 1999', 60_000, NOW), 61_000, 'the latest is known')
  t.equal(waits.spread('first', 60_000, NOW), 60_000, 'the first is not')
  const quiet = new Waits()
  for (const key of ['a', 'b']) quiet.spread(key, 1_000, NOW)
  t.equal(quiet.spread('c', 1_000, NOW + 3_600_000), 1_000)
  t.equal(quiet.spread('a', 1_000, NOW), 1_000, 'what was to come is forgotten with its key')
})

t.test('of one key that is told ever other waits only so many seconds are kept', async t => {
  const waits = new Waits()
  for (let second = 1; second <= 3_000; second++) waits.spread('up', second * 10_000, NOW)
  t.equal(waits.spread('up', 30_000_000, NOW), 30_001_000, 'the latest is known')
  t.equal(waits.spread('up', 10_000, NOW), 10_000, 'the first is not')
})
