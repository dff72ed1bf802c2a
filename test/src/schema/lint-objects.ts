import { Type } from '@sinclair/typebox'
import t from 'tap'
import { hoist } from '../../../src/schema/hoist.js'
import type { JsonSchema } from '../../../src/schema/infer.js'
import { declaresNothing, lintClosing, lintRequired } from '../../../src/schema/lint-objects.js'

const closing = (schema: JsonSchema) => lintClosing(hoist(schema), hoist(schema))
const closed = { additionalProperties: false }
const A = Type.Object({ a: Type.Null() })
const closedA = Type.Object({ a: Type.Null() }, closed)
const B = Type.Object({ b: Type.Null() })

t.test('a member of an intersection that refuses the fields of the others is an error', async t => {
  for (const schema of [
    Type.Intersect([closedA, B]), Type.Intersect([A, B], closed), Type.Intersect([Type.Object({ a: Type.Null() }, { ...closed, $id: 'A' }), B]), { ...B, anyOf: [closedA] },
    { allOf: [{ allOf: [closedA] }, B] }, { allOf: [{ ...A, unevaluatedProperties: false }, B] }, { ...closed, anyOf: [A, B] }
  ]) t.match(closing(schema), 'Type.Composite')
})

t.test('what can be closed as a whole passes', async t => {
  for (const schema of [A, closedA, Type.Intersect([A, B]), Type.Intersect([A, B], { unevaluatedProperties: false }), Type.Union([closedA, B]), Type.Composite([closedA, B]), Type.Intersect([closedA, Type.Object({})])]) t.equal(closing(schema), undefined)
  t.equal(closing({ $defs: { ring: { allOf: [{ $ref: '#/$defs/ring' }] } }, allOf: [{ $ref: '#/$defs/ring' }] }), undefined)
})

t.test('a required field that is not declared can never be sent', async t => {
  t.strictSame(lintRequired({ type: 'object', properties: { a: {} }, required: ['a', 'b'] }), ['b'])
  for (const schema of [A, { required: ['a'] }, { properties: {}, required: ['a'], additionalProperties: true }, { properties: {}, patternProperties: {}, required: ['a'] }, { properties: {}, required: ['a'], anyOf: [A] }, { properties: {}, required: ['a'], $ref: '#' }]) t.strictSame(lintRequired(schema), [])
})

t.test('an object that declares nothing can only be empty', async t => {
  t.ok(declaresNothing({ type: 'object' }))
  for (const schema of [Type.Object({}), { type: 'string' }, { type: 'object', additionalProperties: true }, { type: 'object', anyOf: [A] }, Type.Record(Type.String(), A), {}]) t.notOk(declaresNothing(schema))
})
