import { Type } from '@sinclair/typebox'
import t from 'tap'
import { ANYTHING, fieldSchemas, itemSchemas, partsOf } from '../../../src/policy/marker-parts.js'
import { hoist } from '../../../src/schema/hoist.js'
import type { JsonSchema } from '../../../src/schema/infer.js'

const parts = (schema: JsonSchema) => partsOf([hoist(schema)], hoist(schema))
const field = (schema: JsonSchema, key: string) => parts(schema).flatMap(part => fieldSchemas(part, key))
const item = (schema: JsonSchema, index: number) => parts(schema).flatMap(part => itemSchemas(part, index))
const [a, b, c] = [{ type: 'string', title: 'a' }, { type: 'number', title: 'b' }, { type: 'null', title: 'c' }]

t.test('a field has the schemas of its name and of the patterns it matches, else those of all others', async t => {
  const schema = { type: 'object', properties: { x: a, y: true, z: false }, patternProperties: { '^x': b, '^w': b }, additionalProperties: c }
  t.strictSame(field(schema, 'x'), [a, b])
  t.strictSame(field(schema, 'w'), [b])
  t.strictSame(field(schema, 'v'), [c])
  t.strictSame(field(schema, 'y'), [ANYTHING])
  t.strictSame(field(schema, 'z'), [])
  t.strictSame(field(schema, 'constructor'), [c])
  t.strictSame(field({ type: 'object', unevaluatedProperties: true }, 'x'), [ANYTHING])
  t.strictSame(field({ type: 'object', additionalProperties: false }, 'x'), [])
  t.strictSame(field({ type: 'object' }, 'x'), [])
})

t.test('an item has the schema of its place', async t => {
  t.strictSame(item({ type: 'array', items: [a, true], additionalItems: b }, 0), [a])
  t.strictSame(item({ type: 'array', items: [a, true], additionalItems: b }, 1), [ANYTHING])
  t.strictSame(item({ type: 'array', items: [a], additionalItems: b }, 9), [b])
  t.strictSame(item(Type.Tuple([Type.String()]), 1), [])
  t.strictSame(item({ type: 'array', items: a }, 9), [a])
  t.strictSame(item({ type: 'array', items: [a], unevaluatedItems: b }, 9), [b])
  t.strictSame(item({ type: ['array', 'null'] }, 0), [ANYTHING])
  t.strictSame(item({ type: 'object' }, 0), [])
})

t.test('all members and references speak', async t => {
  const schema = { $defs: { B: { properties: { x: b } } }, anyOf: [{ properties: { x: a } }, { $ref: '#/$defs/B' }], allOf: [{ $ref: '#/$defs/B' }] }
  t.strictSame(field(schema, 'x'), [a, b])
  t.strictSame(field({ anyOf: [{ properties: { x: a } }, { description: 'Any.' }] }, 'y'), [ANYTHING], 'one that says nothing lets in all')
})

t.test('a schema that says nothing of what the value is, is loose', async t => {
  for (const schema of [{}, { required: ['a'] }, { enum: [1] }]) t.ok(parts(schema).every(({ loose }) => loose))
  for (const schema of [Type.String(), { properties: {} }, { items: {} }]) t.notOk(parts(schema)[0]!.loose)
})
