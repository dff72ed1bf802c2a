import { Type } from '@sinclair/typebox'
import t from 'tap'
import { closedFlat, isPlainObject } from '../../../src/schema/flat.js'

t.test('an object of scalars is flat, and closed', async t => {
  const schema = Type.Object({ id: Type.Integer(), name: Type.Optional(Type.String({ maxLength: 3 })), is: Type.Boolean(), none: Type.Null() })
  t.strictSame(closedFlat(schema), { ...schema, additionalProperties: false })
  t.match(closedFlat(Type.Object({}, { additionalProperties: true })), { type: 'object', additionalProperties: false })
})

t.test('whatever holds more, or leaves open what it holds, is not', async t => {
  const id = Type.Integer()
  for (const schema of [
    Type.String(), Type.Array(id), Type.Unknown(), Type.Record(Type.String(), id), Type.Object({ id, inner: Type.Object({}) }), Type.Object({ id, list: Type.Array(id) }),
    Type.Object({ id, any: Type.Unknown() }), Type.Object({ id, some: Type.Union([id, Type.Null()]) }), { type: ['object', 'null'], properties: { id } }, { type: 'object', properties: { id: true } }, { type: 'object', properties: { id }, patternProperties: { '^x-': {} } }
  ]) t.equal(closedFlat(schema as never), undefined, JSON.stringify(schema))
})

t.test('an object is plain where JSON finds nothing in it but its fields', async t => {
  for (const value of [{}, { a: 1 }, JSON.parse('{"a":1}')]) t.ok(isPlainObject(value))
  for (const value of [null, 'a', [], new Date(), new Map(), Object.create(null), Object.create({ toJSON: () => 1 }), new (class A {})()]) t.notOk(isPlainObject(value))
})
