import t from 'tap'
import { canonical, repeatedItems } from '../../../src/schema/canonical.js'

t.test('values are the same whatever the order of their keys', async t => {
  t.equal(canonical({ a: 1, b: [{ c: 2, d: 3 }] }), canonical({ b: [{ d: 3, c: 2 }], a: 1 }))
  t.not(canonical([1, 2]), canonical([2, 1]))
})

t.test('a number is not its text', async t => {
  t.not(canonical(1), canonical('1'))
  t.not(canonical(null), canonical('null'))
  t.not(canonical({ a: 1 }), canonical('{"a":1}'))
})

t.test('the first item that is there twice is found', async t => {
  t.strictSame(repeatedItems(['a', 'b', 'a', 'b']), [0, 2])
  t.strictSame(repeatedItems([{ a: 1, b: 2 }, { b: 2, a: 1 }]), [0, 1])
  t.equal(repeatedItems([1, '1', true, 'true', null]), undefined)
})
