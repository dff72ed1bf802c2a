import { Type } from '@sinclair/typebox'
import t, { type Test } from 'tap'
import { joinSentences, modernSchema } from '../../../src/capability/modern-schema.js'
import type { JsonSchema } from '../../../src/schema/infer.js'

const cases = (t: Test, list: Array<[name: string, schema: JsonSchema, modern: JsonSchema]>) => {
  for (const [name, schema, modern] of list) t.strictSame(modernSchema(schema), modern, name)
}

t.test('literals in a union become one list', async t => {
  cases(t, [
    ['of strings', Type.Union([Type.Literal('metric'), Type.Literal('imperial')]), { type: 'string', enum: ['metric', 'imperial'] }],
    ['of several types and null', Type.Union([Type.Literal('a'), Type.Literal(2), Type.Null()]), { type: ['string', 'number', 'null'], enum: ['a', 2, null] }],
    ['one literal stays', Type.Literal(1), { type: 'number', const: 1 }],
    ['without types, each value once', { oneOf: [{ const: 'a' }, { enum: ['a', true] }] }, { type: ['string', 'boolean'], enum: ['a', true] }],
    ['in a union in a union', { anyOf: [{ anyOf: [{ const: 'a' }, { const: 'b' }] }, { const: 'c' }] }, { type: 'string', enum: ['a', 'b', 'c'] }],
    ['a stated type is kept', { type: 'integer', anyOf: [{ const: 1 }, { const: 2 }] }, { type: 'integer', enum: [1, 2] }],
    ['its default and description are kept', { anyOf: [{ const: 'a' }, { const: 'b' }], default: 'a', description: 'Which.' }, { type: 'string', default: 'a', description: 'Which.', enum: ['a', 'b'] }],
    ['what is said of each is kept', Type.Union([Type.Literal('c', { description: 'Celsius' }), Type.Literal('f', { description: 'Fahrenheit' })], { description: 'Unit' }), {
      type: 'string', description: 'Unit. "c": Celsius. "f": Fahrenheit', enum: ['c', 'f']
    }]
  ])
})

t.test('a nullable type becomes two types', async t => {
  cases(t, [
    ['with its bounds', Type.Union([Type.String({ minLength: 1 }), Type.Null()]), { type: ['string', 'null'], minLength: 1 }],
    ['null first', { anyOf: [{ type: 'null' }, { type: 'integer', minimum: 0 }] }, { type: ['integer', 'null'], minimum: 0 }],
    ['an object', Type.Union([Type.Object({ a: Type.String() }), Type.Null()]), { type: ['object', 'null'], required: ['a'], properties: { a: { type: 'string' } } }],
    ['null twice', { anyOf: [{ type: ['string', 'null'] }, { type: 'null' }] }, { type: ['string', 'null'] }],
    ['what is said of either is kept', { anyOf: [{ type: 'string', description: 'The day' }, { type: 'null', description: 'not known' }], description: 'When?' }, { type: ['string', 'null'], description: 'When? The day. not known' }]
  ])
})

t.test('a union of anything else stays a union', async t => {
  cases(t, [
    ['of types', Type.Union([Type.String(), Type.Number()]), { anyOf: [{ type: 'string' }, { type: 'number' }] }],
    ['of types and null', Type.Union([Type.String(), Type.Number(), Type.Null()]), { anyOf: [{ type: 'string' }, { type: 'number' }, { type: 'null' }] }],
    ['of a reference and null', { anyOf: [{ $ref: '#/$defs/A' }, { type: 'null' }] }, { anyOf: [{ $ref: '#/$defs/A' }, { type: 'null' }] }],
    ['of a list with a rule for all types and null', { anyOf: [{ type: 'string', not: { const: '' } }, { type: 'null' }] }, { anyOf: [{ type: 'string', not: { const: '' } }, { type: 'null' }] }],
    ['with a type beside it', { type: 'string', anyOf: [{ type: 'string' }, { type: 'null' }] }, { type: 'string', anyOf: [{ type: 'string' }, { type: 'null' }] }],
    ['with a rule beside it', { anyOf: [{ const: 'a' }, { const: 'b' }], minLength: 1 }, { anyOf: [{ const: 'a' }, { const: 'b' }], minLength: 1 }],
    ['two at once', { anyOf: [{ const: 'a' }], oneOf: [{ const: 'a' }] }, { anyOf: [{ const: 'a' }], oneOf: [{ const: 'a' }] }],
    ['with a branch that is no object', { anyOf: [{ const: 'a' }, true] }, { anyOf: [{ const: 'a' }, true] }],
    ['of nothing', { anyOf: [] }, { anyOf: [] }]
  ])
})

t.test('nullable, the word of OpenAPI 3.0, is a type', async t => {
  cases(t, [
    ['beside one type', { type: 'string', nullable: true, maxLength: 3 }, { type: ['string', 'null'], maxLength: 3 }],
    ['beside two', { type: ['string', 'null'], nullable: true }, { type: ['string', 'null'] }],
    ['said not to be', { type: 'string', nullable: false }, { type: 'string' }],
    ['of no type', { nullable: true, title: 'A' }, { title: 'A' }],
    ['a field of that name', { properties: { nullable: { type: 'boolean' } } }, { properties: { nullable: { type: 'boolean' } } }]
  ])
})

t.test('a tuple has its places as prefixItems', async t => {
  cases(t, [
    ['closed', Type.Tuple([Type.String(), Type.Number()]), { type: 'array', minItems: 2, maxItems: 2, prefixItems: [{ type: 'string' }, { type: 'number' }], items: false }],
    ['open', { items: [{ type: 'string' }] }, { prefixItems: [{ type: 'string' }] }],
    ['with a rule for the rest', { items: [{ type: 'string' }], additionalItems: { type: 'number' } }, { prefixItems: [{ type: 'string' }], items: { type: 'number' } }],
    ['no tuple', Type.Array(Type.Tuple([Type.Null()])), { type: 'array', items: { type: 'array', minItems: 1, maxItems: 1, prefixItems: [{ type: 'null' }], items: false } }]
  ])
})

t.test('a record of any keys says its values as additionalProperties', async t => {
  cases(t, [
    ['of numbers', Type.Record(Type.String(), Type.Number()), { type: 'object', additionalProperties: { type: 'number' } }],
    ['closed around its pattern', { type: 'object', patternProperties: { '^(.*)$': { type: 'number' } }, additionalProperties: false }, { type: 'object', additionalProperties: { type: 'number' } }],
    ['with keys of a kind', { patternProperties: { '^[A-Z]{3}$': { type: 'number' } } }, { patternProperties: { '^[A-Z]{3}$': { type: 'number' } } }],
    ['with keys of two kinds', { patternProperties: { '^(.*)$': {}, '^a': {} } }, { patternProperties: { '^(.*)$': {}, '^a': {} } }],
    ['beside fields', { properties: { a: {} }, patternProperties: { '^(.*)$': {} } }, { properties: { a: {} }, patternProperties: { '^(.*)$': {} } }],
    ['open', { patternProperties: { '^(.*)$': {} }, additionalProperties: true }, { patternProperties: { '^(.*)$': {} }, additionalProperties: true }]
  ])
})

t.test('names are left out, and so is what JSON cannot say', async t => {
  cases(t, [
    ['of the schema and its parts', { $schema: 'http://json-schema.org/draft-07/schema#', $id: 'A', properties: { b: { $id: 'B', type: 'string' } } }, { properties: { b: { type: 'string' } } }],
    ['fields of these names stay', { properties: { $id: { type: 'string' } } }, { properties: { $id: { type: 'string' } } }]
  ])
  t.strictSame(Object.getOwnPropertySymbols(modernSchema(Type.String())), [])
})

t.test('texts are put one after the other', async t => {
  t.equal(joinSentences([]), '')
  t.equal(joinSentences(['One']), 'One')
  t.equal(joinSentences(['One', undefined, '', false, 'Two?', 'One', 'Three']), 'One. Two? Three')
})
