import { Type } from '@sinclair/typebox'
import t, { type Test } from 'tap'
import { plainSchema } from '../../../src/capability/plain-schema.js'
import { closeSchema, publicSchema } from '../../../src/schema/close.js'
import type { JsonSchema } from '../../../src/schema/infer.js'

const plain = (schema: JsonSchema) => plainSchema(publicSchema(closeSchema(schema)))
const field = (schema: JsonSchema) => plain({ type: 'object', properties: { a: schema } }).properties.a
const fieldsAre = (t: Test, list: Array<[name: string, schema: JsonSchema, plain: JsonSchema]>) => { for (const [name, schema, expected] of list) t.strictSame(field(schema), expected, name) }
const json = (schema: object) => `Checked too, as JSON Schema: ${JSON.stringify(schema)}`

t.test('what is plain already stays as it is', async t => {
  fieldsAre(t, [
    ['a string', { type: 'string', minLength: 1, description: 'A word.', default: 'x' }, { type: 'string', minLength: 1, description: 'A word.', default: 'x' }],
    ['a nullable one', Type.Union([Type.String(), Type.Null()]), { type: ['string', 'null'] }],
    ['null', Type.Null(), { type: 'null' }],
    ['anything', {}, {}],
    ['a list', Type.Array(Type.Boolean(), { maxItems: 2 }), { type: 'array', maxItems: 2, items: { type: 'boolean' } }],
    ['a list of anything', { type: 'array' }, { type: 'array', items: {} }],
    ['an object', Type.Object({ b: Type.Optional(Type.String()) }), { type: 'object', properties: { b: { type: 'string' } }, additionalProperties: false }],
    ['a nullable object', { type: ['object', 'null'], properties: { b: { type: 'string' } }, required: ['b'] }, { type: ['object', 'null'], properties: { b: { type: 'string' } }, required: ['b'], additionalProperties: false }],
    ['an open object', { type: 'object', additionalProperties: true, maxProperties: 3 }, { type: 'object', properties: {}, additionalProperties: true, maxProperties: 3 }]
  ])
})

t.test('literals are lists, each with its type', async t => {
  fieldsAre(t, [
    ['of one', Type.Literal('a', { description: 'Fixed.' }), { description: 'Fixed.', type: 'string', enum: ['a'] }],
    ['of integers', { type: 'integer', enum: [1, 2], minimum: 0 }, { type: 'integer', enum: [1, 2], minimum: 0, maximum: Number.MAX_SAFE_INTEGER }],
    ['of several types', { enum: ['a', 2, null], default: 'a', not: { const: 3 } }, { default: 'a', anyOf: [{ type: 'string', enum: ['a'] }, { type: 'number', enum: [2] }, { type: 'null' }], description: json({ not: { const: 3 } }) }],
    ['of a stated type', { type: 'string', enum: ['a', 2] }, { type: 'string', enum: ['a'] }],
    ['of objects', { const: { b: 1 } }, { type: 'object', properties: {}, additionalProperties: true, description: 'Always {"b":1}' }],
    ['of arrays', { enum: [[1], [2]], description: 'Which.' }, { type: 'array', items: {}, description: 'Which. One of [1], [2]' }]
  ])
})

t.test('a tuple is a list of any of its places, with their order in words', async t => {
  fieldsAre(t, [
    ['closed', Type.Tuple([Type.Number(), Type.String()]), { type: 'array', minItems: 2, maxItems: 2, items: { anyOf: [{ type: 'number' }, { type: 'string' }] }, description: 'In this order: a number; a string' }],
    ['closed by its end alone', { type: 'array', items: [{ type: 'null' }, true], additionalItems: false, maxItems: 5 }, { type: 'array', maxItems: 2, items: {}, description: 'In this order: null; anything' }],
    ['with a rule for the rest', { type: 'array', prefixItems: [{ type: 'string' }], items: { type: 'number' } }, { type: 'array', items: { anyOf: [{ type: 'string' }, { type: 'number' }] }, description: 'In this order: a string; any more of a number' }],
    ['open', { type: 'array', items: [{ type: 'string' }] }, { type: 'array', items: {}, description: 'In this order: a string; then anything' }],
    ['of nothing', { type: 'array', items: false }, { type: 'array', items: {}, maxItems: 0 }]
  ])
})

t.test('a record says its values, and the names of its fields in words', async t => {
  const number = { type: 'number' }
  fieldsAre(t, [
    ['of any names', Type.Record(Type.String(), Type.Number()), { type: 'object', properties: {}, additionalProperties: number }],
    ['of names of a kind', { type: 'object', patternProperties: { '^a': number }, additionalProperties: false }, { type: 'object', properties: {}, additionalProperties: number, description: 'Names of fields match the regular expression ^a' }],
    ['beside fields', { type: 'object', properties: { b: {} }, patternProperties: { '^a': number }, additionalProperties: false }, { type: 'object', properties: { b: {} }, additionalProperties: number, description: 'Names of other fields match the regular expression ^a' }],
    ['open', { type: 'object', patternProperties: { '^a': number }, additionalProperties: true }, { type: 'object', properties: {}, additionalProperties: true, description: json({ patternProperties: { '^a': number } }) }]
  ])
})

t.test('a union is anyOf, and what stands beside it holds for each branch', async t => {
  const a = { type: 'object', properties: { b: { type: 'string' } }, additionalProperties: false }
  fieldsAre(t, [
    ['of types', Type.Union([Type.String(), Type.Object({ b: Type.Optional(Type.String()) })], { description: 'Either.' }), { description: 'Either.', anyOf: [{ type: 'string' }, a] }],
    ['in a union', { anyOf: [{ type: 'string' }, { anyOf: [{ type: 'number' }, { type: 'boolean' }] }] }, { anyOf: [{ type: 'string' }, { type: 'number' }, { type: 'boolean' }] }],
    ['of one', { oneOf: [{ type: 'string', pattern: 'a' }, false] }, { type: 'string', pattern: 'a' }],
    ['of the same twice', { anyOf: [{ type: 'string', title: 'A' }, { type: 'string', title: 'A' }] }, { type: 'string', description: 'A' }],
    ['with anything', { anyOf: [{ type: 'string' }, true] }, {}],
    ['of nothing', { anyOf: [false] }, {}],
    ['of which exactly one holds', { oneOf: [{ type: 'string', maxLength: 1 }, { type: 'string', pattern: 'a' }] }, { anyOf: [{ type: 'string', maxLength: 1 }, { type: 'string', pattern: 'a' }], description: 'Exactly one of the forms' }],
    ['with a rule for all', { type: 'string', minLength: 2, anyOf: [{ pattern: 'a' }, { pattern: 'b' }] }, { anyOf: [{ type: 'string', minLength: 2, pattern: 'a' }, { type: 'string', minLength: 2, pattern: 'b' }] }],
    ['beside another', { anyOf: [{ type: 'string' }], allOf: [{ oneOf: [{ minLength: 1 }] }, { anyOf: [{ maxLength: 2 }] }] }, { type: 'string', description: `${json({ oneOf: [{ minLength: 1 }] })}. ${json({ anyOf: [{ maxLength: 2 }] })}` }],
    ['of several types at once', { type: ['string', 'integer', 'null'], minLength: 1, maximum: 5, not: { const: 'x' } }, { anyOf: [{ type: 'string', minLength: 1 }, { type: 'integer', maximum: 5, minimum: Number.MIN_SAFE_INTEGER }, { type: 'null' }], description: json({ not: { const: 'x' } }) }],
    ['of an object and a string in an intersection', { allOf: [{ oneOf: [{ type: 'object', properties: { b: { type: 'string' } } }, { type: 'string' }] }] }, { anyOf: [{ type: 'object', properties: { b: { type: 'string' } }, additionalProperties: true }, { type: 'string' }], description: 'Exactly one of the forms' }]
  ])
})

t.test('a union of objects at the root is one object with all their fields, and the forms in words', async t => {
  t.strictSame(plain(Type.Union([Type.Object({ kind: Type.Literal('a'), x: Type.Number() }), Type.Object({ kind: Type.Literal('b') })], { description: 'Either.' })), {
    type: 'object',
    properties: { kind: { type: 'string', enum: ['a', 'b'] }, x: { type: 'number' } },
    required: ['kind'],
    additionalProperties: false,
    description: 'Either. At least one of these forms: { kind: "a", x } or { kind: "b" }'
  })
})

t.test('an intersection is one object', async t => {
  t.strictSame(plain(Type.Intersect([Type.Object({ a: Type.String() }), Type.Object({ a: Type.String({ minLength: 2 }), b: Type.Optional(Type.Null()) })])), {
    type: 'object', properties: { a: { type: 'string', minLength: 2 }, b: { type: 'null' } }, required: ['a'], additionalProperties: false
  })
  t.strictSame(field({ type: 'object', anyOf: [Type.Object({ b: Type.Null() })], oneOf: [Type.Object({ c: Type.Null() })] }), {
    type: 'object', properties: { b: { type: 'null' }, c: { type: 'null' } }, required: ['b', 'c'], additionalProperties: false, description: 'At least one of these forms: { b: null }. Exactly one of these forms: { c: null }'
  })
})

t.test('what has no plain form is said where it holds', async t => {
  fieldsAre(t, [
    ['of a string', { type: 'string', not: { const: 'x' } }, { type: 'string', description: json({ not: { const: 'x' } }) }],
    ['of no type', { minLength: 2 }, { description: 'At least 2 characters' }],
    ['of a list', { type: 'array', items: {}, contains: { type: 'null' } }, { type: 'array', items: {}, description: json({ contains: { type: 'null' } }) }],
    ['of two patterns', { allOf: [{ type: 'string', pattern: 'a' }, { pattern: 'b' }] }, { type: 'string', pattern: 'a', description: 'Matches the regular expression b' }]
  ])
  t.strictSame(plain({ type: 'object', properties: { a: {}, b: {} }, dependentRequired: { a: ['b'] } }).description, 'With a goes b')
})
