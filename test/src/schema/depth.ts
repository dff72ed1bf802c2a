import t from 'tap'
import { isTooDeep, MAX_DEPTH } from '../../../src/schema/depth.js'

/** A value nested `levels` deep, in arrays and objects by turns. */
function nest (levels: number): unknown {
  let value: unknown = 'x'
  for (let level = 0; level < levels; level++) value = level % 2 === 0 ? [value] : { a: 1, b: value }
  return value
}

t.test('an input may be nested 64 levels deep, and no deeper', async t => {
  t.equal(MAX_DEPTH, 64)
  t.notOk(isTooDeep(nest(64)))
  t.ok(isTooDeep(nest(65)))
  t.ok(isTooDeep(nest(5000)))
})

t.test('scalars have no depth', async t => {
  for (const value of [null, undefined, 1, 'x', true, [], {}, [null], { a: null }]) t.notOk(isTooDeep(value))
})
