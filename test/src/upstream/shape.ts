import { Type } from '@sinclair/typebox'
import t from 'tap'
import { shapeCheck } from '../../../src/upstream/shape.js'

t.test('an answer of the declared shape has no problem, and is left as it is', async t => {
  const check = shapeCheck(Type.Object({ rate: Type.Number({ default: 1 }) }))
  t.equal(check({ rate: 0, more: true }), undefined)
})

t.test('the problem says where the shape is broken, and not with what', async t => {
  const check = shapeCheck(Type.Object({ rates: Type.Array(Type.Number()) }))
  t.equal(check({ rates: [1, 'SECRET'] }), 'The answer breaks the declared shape: /rates/1 must be number.')
  t.equal(check(undefined), 'The answer breaks the declared shape: the body must be object.')
})

t.test('a schema is compiled once', async t => {
  const schema = Type.String()
  t.equal(shapeCheck(schema), shapeCheck(schema))
})

t.test('a schema that does not compile is found before anything is sent', async t => {
  t.throws(() => shapeCheck({ type: 'nonsense' } as never), { name: 'TypeError', message: 'Expected `schema` to be a JSON Schema that compiles.', cause: Error })
})
