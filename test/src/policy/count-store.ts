import { setTimeout as wait } from 'node:timers/promises'
import t from 'tap'
import { CountStore, type Count } from '../../../src/policy/count-store.js'

const counting = (store: CountStore, windowMs = 60_000) => (key: string): Count => {
  let found: Count | undefined
  store.incr(key, (_, count) => { found = count }, windowMs)
  return found!
}

t.test('each key is counted by itself, and each answer stays what it was', async t => {
  const count = counting(new CountStore())
  const first = count('a')
  t.match(count('a'), { current: 2 })
  t.match(count('b'), { current: 1 })
  t.equal(first.current, 1)
  t.ok(first.ttl <= 60_000 && first.ttl > 59_000)
})

t.test('a count that begins has all of its window, not a billionth more', async t => {
  const count = counting(new CountStore())
  t.strictSame(Array.from({ length: 5_000 }, (_, key) => count(String(key)).ttl).filter(ttl => ttl !== 60_000 && (ttl > 60_000 || ttl < 59_999)), [])
})

t.test('a count begins again when its time is over', async t => {
  const count = counting(new CountStore(), 15)
  t.strictSame([count('a').current, count('a').current], [1, 2])
  await wait(20)
  t.match(count('a'), { current: 1, ttl: 15 })
})

t.test('of a crowd the one that was not asked for longest is forgotten', async t => {
  const count = counting(new CountStore())
  count('first')
  count('second')
  for (let n = 0; n < 19_998; n++) count(`crowd ${n}`)
  t.match(count('first'), { current: 2 })
  count('one more')
  t.match([count('first'), count('second')], [{ current: 3 }, { current: 1 }])
})

t.test('there is one store for all', async t => {
  const store = new CountStore()
  t.equal(store.child(), store)
})
