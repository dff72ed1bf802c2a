import t from 'tap'
import { isLongLine, shortened } from '../../../src/call/long-line.js'

t.test('a line of ordinary length is none', async t => {
  t.notOk(isLongLine('x'.repeat(200_000)))
  t.ok(isLongLine('x'.repeat(300_000)))
})

t.test('what is short stays, what is long is left out as a whole', async t => {
  t.strictSame(shortened({ level: 50, msg: 'a', err: { stack: 'x'.repeat(10_000), list: [1, null, 'b'] } }, 9), { level: 50, msg: 'a', err: { stack: '[left out: too long]', list: [1, null, 'b'] }, shortened: 'The line had 9 characters.' })
  t.strictSame(Object.keys(shortened({ ['x'.repeat(10_000)]: 1, a: 1 }, 9) as object), ['a', 'shortened'])
})

t.test('there is an end to fields, to depth and to text', async t => {
  t.equal(Object.keys(shortened(Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`k${index}`, 1])), 9) as object).length, 51)
  const wide = Array.from({ length: 60 }, () => Array.from({ length: 60 }, () => 'x'.repeat(1_000)))
  t.ok(JSON.stringify(shortened({ wide }, 9)).length < 200_000)
  let deep: unknown = 'end'
  for (let depth = 0; depth < 20; depth++) deep = [deep]
  t.match(JSON.stringify(shortened({ deep }, 9)), /too long/)
})
