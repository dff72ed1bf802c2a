import { Type } from '@sinclair/typebox'
import t from 'tap'
import { summarise } from '../../../src/capability/field-hints.js'
import type { JsonSchema } from '../../../src/schema/infer.js'

/** The line of one field. */
const hint = (schema: JsonSchema, $defs?: JsonSchema) => {
  const { name, ...rest } = summarise({ type: 'object', properties: { a: schema }, ...($defs !== undefined && { $defs }) }).optional[0]!
  return rest
}
/** Names alone: of required fields, of optional ones. */
const names = (schema: JsonSchema) => {
  const { required, optional } = summarise(schema)
  return [required.map(({ name }) => name).join(), optional.map(({ name }) => name).join()]
}

t.test('required fields stand apart from optional ones', async t => {
  t.strictSame(summarise(Type.Object({
    location: Type.String({ description: 'A place.', examples: ['London', 'Paris'] }),
    units: Type.Optional(Type.Union([Type.Literal('metric'), Type.Literal('imperial')], { description: 'Units of the answer.', default: 'metric' }))
  })), {
    required: [{ name: 'location', type: 'string', example: 'London', description: 'A place.' }],
    optional: [{ name: 'units', type: 'string', example: 'metric', description: 'Units of the answer. One of "metric", "imperial". Default "metric"' }]
  })
  t.strictSame(summarise(Type.Object({})), { required: [], optional: [] })
  t.strictSame(summarise(Type.Array(Type.String())), { required: [], optional: [] })
})

t.test('each type has its word', async t => {
  const types: Array<[JsonSchema, string]> = [
    [Type.String(), 'string'], [Type.Number(), 'number'], [Type.Integer(), 'integer'], [Type.Boolean(), 'boolean'],
    [Type.Object({}), 'object'], [{ properties: {} }, 'object'], [Type.Record(Type.String(), Type.Number()), 'object'],
    [Type.Array(Type.String()), 'array'], [Type.Tuple([Type.String()]), 'array'], [Type.Intersect([Type.Object({}), Type.Object({})]), 'object'],
    [Type.Null(), 'null']
  ]
  for (const [schema, type] of types) t.equal(hint(schema).type, type, JSON.stringify(schema))
})

t.test('an example is text: the first example, else the default, else the first allowed value', async t => {
  const examples: Array<[JsonSchema, string | undefined]> = [
    [{ type: 'string', examples: ['a', 'b'], default: 'c' }, 'a'],
    [{ type: 'number', default: 1.5 }, '1.5'],
    [{ enum: ['x', 'y'] }, 'x'],
    [{ const: false }, 'false'],
    [{ type: 'array', examples: [['USD', 'GBP']] }, '["USD","GBP"]'],
    [{ type: ['string', 'null'], default: null }, 'null'],
    [{ type: 'string', examples: [] }, undefined],
    [{ type: 'string' }, undefined]
  ]
  for (const [schema, example] of examples) t.equal(hint(schema).example, example, JSON.stringify(schema))
  t.notOk('example' in hint({ type: 'string' }))
})

t.test('allowed values, other types and the default are folded into the description', async t => {
  const descriptions: Array<[JsonSchema, string]> = [
    [{ type: 'string' }, ''],
    [{ type: 'string', description: 'As it is' }, 'As it is'],
    [{ description: 'Which', enum: ['a', 'b'] }, 'Which. One of "a", "b"'],
    [{ const: 1 }, 'Always 1'],
    [Type.Union([Type.Literal('a'), Type.Literal(2), Type.Null()]), 'One of "a", 2, null'],
    [Type.Union([Type.Literal('c', { description: 'Celsius' }), Type.Literal('f')]), '"c": Celsius. One of "c", "f"'],
    [Type.Union([Type.String({ description: 'A day.' }), Type.Null()]), 'A day. A string or null'],
    [Type.Union([Type.String(), Type.Number()]), 'A string or a number'],
    [{ oneOf: [{ type: 'string' }, { const: 1 }] }, 'A string or a number'],
    [{ type: 'array', items: { enum: ['a', 'b'] }, default: ['a'] }, 'Each one of "a", "b". Default ["a"]'],
    [{ type: 'array', items: { type: 'string' } }, ''],
    [{}, 'Any JSON value'],
    [{ enum: Array.from({ length: 300 }, (_, i) => i) }, 'One of 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, … (300 in all)']
  ]
  for (const [schema, description] of descriptions) t.equal(hint(schema).description, description, JSON.stringify(schema))
  t.match(hint(Type.Union([Type.String(), Type.Null()])), { type: 'string' })
  t.match(hint(Type.Union([Type.Null(), Type.Integer()])), { type: 'integer' })
  t.match(hint({}), { type: 'object' })
})

t.test('a named schema is read through its reference', async t => {
  const defs = { Unit: { enum: ['a', 'b'], description: 'A unit.' } }
  t.strictSame(hint({ $ref: '#/$defs/Unit' }, defs), { type: 'string', example: 'a', description: 'A unit. One of "a", "b"' })
  t.strictSame(hint({ $ref: '#/$defs/Unit', description: 'The unit to answer in.' }, defs).description, 'The unit to answer in. One of "a", "b"')
  t.strictSame(hint({ anyOf: [{ $ref: '#/$defs/Unit' }, { type: 'number' }] }, defs), { type: 'string', description: 'A string or a number' })
  t.strictSame(hint({ type: 'array', items: { $ref: '#/$defs/Unit' } }, defs).description, 'Each one of "a", "b"')
})

t.test('fields of members count, and a union requires what each branch requires', async t => {
  const a = Type.Object({ a: Type.String() })
  const b = Type.Object({ b: Type.String(), c: Type.Optional(Type.String()) })
  t.strictSame(names(Type.Intersect([a, b])), ['a,b', 'c'])
  t.strictSame(names({ allOf: [{ properties: { a: {} } }], required: ['a'] }), ['a', ''])
  t.strictSame(names(Type.Union([a, b])), ['', 'a,b,c'])
  t.strictSame(names(Type.Union([Type.Intersect([a, b]), a])), ['a', 'b,c'])
  t.strictSame(names({ properties: { a: {} }, oneOf: [{ required: ['a'] }, true] }), ['', 'a'])
  t.strictSame(names({ properties: { a: {} }, if: { required: ['a'] }, then: { properties: { b: {} }, required: ['b'] } }), ['', 'a,b'])
  t.strictSame(names({ properties: { a: true, b: false } }), ['', 'a'])
  t.strictSame(names({ properties: { a: {} }, dependentSchemas: { a: { properties: { b: {} }, required: ['b'] } } }), ['', 'a,b'])
  t.strictSame(names({ type: 'object', required: ['a'], additionalProperties: true }), ['a', ''], 'required and nothing more')
  t.strictSame(names({ $ref: '#/$defs/A', $defs: { A: a } }), ['a', ''])
})

t.test('a field that tells the branches of a union apart lists all its values', async t => {
  const { required } = summarise(Type.Union([
    Type.Object({ kind: Type.Literal('circle'), radius: Type.Number() }),
    Type.Object({ kind: Type.Literal('square'), side: Type.Number() })
  ]))
  t.strictSame(required, [{ name: 'kind', type: 'string', example: 'circle', description: 'One of "circle", "square"' }])
})
