import { Type } from '@sinclair/typebox'
import t from 'tap'
import { closeSchema, isExactnessBound, publicSchema } from '../../../src/schema/close.js'
import { checkOnly } from '../../../src/schema/compile.js'
import type { JsonSchema } from '../../../src/schema/infer.js'

const A = Type.Object({ a: Type.String() })
const B = Type.Object({ b: Type.String() })
const a = { a: 'a' }
const b = { b: 'b' }
const x = { x: 'x' }

/** What of these a closed schema lets in. */
const passing = (schema: JsonSchema, ...values: unknown[]) => values.filter(value => checkOnly(closeSchema(schema))(value) === undefined)

t.test('an object takes no fields but its own, at any depth', async t => {
  t.strictSame(passing(A, a, { ...a, ...x }), [a])
  t.strictSame(passing(Type.Object({ o: A }), { o: a }, { o: { ...a, ...x } }), [{ o: a }])
  t.strictSame(passing(Type.Array(A), [a], [{ ...a, ...x }]), [[a]])
  t.strictSame(passing({ type: ['object', 'null'] }, {}, null, x), [{}, null])
  t.strictSame(passing({ properties: { a: {} } }, a, x, 'text'), [a, 'text'])
})

t.test('an object is open where its author says so', async t => {
  for (const more of [{ additionalProperties: true }, { additionalProperties: Type.String() }, { unevaluatedProperties: true }]) t.strictSame(passing(Type.Object({ a: Type.String() }, more), { ...a, ...x }).length, 1)
  t.strictSame(passing(Type.Record(Type.String(), A), { any: a }, { any: x }), [{ any: a }])
  t.strictSame(passing({ anyOf: [A, B], additionalProperties: true }, { ...a, ...x }, x), [{ ...a, ...x }])
})

t.test('an intersection is closed as a whole', async t => {
  const both = { ...a, ...b }
  for (const schema of [Type.Intersect([A, B]), Type.Intersect([A, B], { unevaluatedProperties: false }), { allOf: [A, { allOf: [B] }] }, { ...A, allOf: [B] }]) {
    t.strictSame(passing(schema, both, { ...both, ...x }, a), [both])
  }
  t.strictSame(passing(Type.Intersect([Type.Union([A, B]), Type.Object({ c: Type.Null() })]), { ...a, c: null }, { ...a, ...x, c: null }), [{ ...a, c: null }])
  t.strictSame(passing({ type: 'string', allOf: [{ minLength: 2 }] }, 'ab', 'a'), ['ab'])
})

t.test('a named schema is closed by itself, and open where it is one part of another', async t => {
  const named = Type.Object({ a: Type.String() }, { $id: 'A' })
  const schema = Type.Object({ one: named, both: Type.Intersect([named, B]), beside: Type.Unsafe({ $ref: 'A', properties: { b: {} } }) })
  const both = { ...a, ...b }
  const good = { one: a, both, beside: both }
  t.strictSame(passing(schema, good, { ...good, one: both }, { ...good, both: { ...both, ...x } }, { ...good, beside: { ...both, ...x } }), [good])
})

t.test('a union of objects is closed branch by branch', async t => {
  for (const schema of [Type.Union([A, B]), { type: 'object', oneOf: [A, B] }, { anyOf: [Type.Union([A]), B] }]) {
    t.strictSame(passing(schema, a, b, { ...a, ...b }, x), [a, b])
  }
})

t.test('unions and conditions beside fields are closed as a whole', async t => {
  const union = { type: 'object', properties: { kind: {} }, anyOf: [A, B] }
  t.strictSame(passing(union, { kind: 1, ...a }, { kind: 1, ...a, ...x }), [{ kind: 1, ...a }])
  const required = { type: 'object', properties: { a: {}, b: {} }, anyOf: [{ required: ['a'] }, { required: ['b'] }] }
  t.strictSame(passing(required, a, b, { ...a, ...x }, {}), [a, b])
  const condition = { type: 'object', properties: { kind: {} }, if: { properties: { kind: { const: 1 } } }, then: A, else: B }
  t.strictSame(passing(condition, { kind: 1, ...a }, { kind: 2, ...b }, { kind: 1, ...a, ...x }), [{ kind: 1, ...a }, { kind: 2, ...b }])
  const dependent = { type: 'object', patternProperties: { '^k': {} }, dependentSchemas: { k: A } }
  t.strictSame(passing(dependent, { k: 1, ...a }, { k: 1, ...a, ...x }), [{ k: 1, ...a }])
  t.strictSame(passing({ anyOf: [A], oneOf: [B] }, { ...a, ...b }, { ...a, ...b, ...x }), [{ ...a, ...b }])
})

t.test('conditions stay as they were written', async t => {
  t.strictSame(passing({ type: 'object', properties: { x: {} }, not: { properties: { x: { const: 1 } }, required: ['x'] } }, { x: 2 }, { x: 1 }), [{ x: 2 }])
})

t.test('recursion ends, even where a schema is made of itself', async t => {
  const node = Type.Recursive(This => Type.Object({ kids: Type.Array(This) }))
  t.strictSame(passing(node, { kids: [{ kids: [] }] }, { kids: [{ kids: [], x: 1 }] }), [{ kids: [{ kids: [] }] }])
  t.ok(closeSchema({ $defs: { ring: { allOf: [{ $ref: '#/$defs/ring' }] } }, allOf: [{ $ref: '#/$defs/ring' }] }))
  t.ok(closeSchema({ $defs: { ring: { type: 'object', properties: {}, allOf: [{ $ref: '#/$defs/ring' }] } }, type: 'object', allOf: [{ $ref: '#/$defs/ring' }] }))
})

t.test('integers are exact', async t => {
  const far = 2 ** 53
  for (const schema of [Type.Integer(), { type: ['integer', 'null'] }, { type: 'integer', minimum: -1e300, maximum: 1e300 }, { type: 'integer', exclusiveMinimum: -1e300, exclusiveMaximum: 1e300 }]) {
    t.strictSame(passing(schema, 1, far, -far), [1])
  }
  t.strictSame(closeSchema(Type.Integer({ minimum: 1, exclusiveMaximum: 5 })), { type: 'integer', minimum: 1, exclusiveMaximum: 5 })
  t.strictSame(passing({ type: ['integer', 'number'] }, far), [far])
  t.strictSame(passing(Type.Union([Type.Integer(), Type.String()]), 'a', 1, far), ['a', 1])
  t.ok(isExactnessBound(Number.MIN_SAFE_INTEGER) && isExactnessBound(Number.MAX_SAFE_INTEGER))
  t.notOk(isExactnessBound(5))
})

t.test('our own keywords never leave, wherever they stand', async t => {
  const own = { 'x-candor-sensitive': true, 'x-candor-future': 1, 'x-other': 1 }
  const schema = { ...own, properties: { 'x-candor-code': own }, items: [own], $defs: { d: own }, not: own }
  t.strictSame(publicSchema(schema), { 'x-other': 1, properties: { 'x-candor-code': { 'x-other': 1 } }, items: [{ 'x-other': 1 }], $defs: { d: { 'x-other': 1 } }, not: { 'x-other': 1 } })
})
