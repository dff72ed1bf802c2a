import t from 'tap'
import { combine } from '../../../src/capability/combine.js'
import { fieldsOf, othersOf, unionWords } from '../../../src/capability/object-form.js'
import type { JsonSchema } from '../../../src/schema/infer.js'

const string = { type: 'string' }
const number = { type: 'number' }
/** Each field with its schema; what must be sent is marked. */
const fields = (schema: JsonSchema) => Object.fromEntries([...fieldsOf(combine(schema))].map(([name, { schema, required }]) => [required ? `${name}!` : name, schema]))

t.test('fields of all members count; of a union, those are required that every branch requires', async t => {
  t.strictSame(fields({ properties: { a: string, b: true, c: false }, required: ['a'] }), { 'a!': string, b: {} })
  t.strictSame(fields({ properties: { a: string }, allOf: [{ properties: { b: number }, required: ['b'] }] }), { a: string, 'b!': number })
  t.strictSame(fields({ anyOf: [{ properties: { k: string, a: string }, required: ['k', 'a'] }, { properties: { k: number }, required: ['k'] }, false] }), { 'k!': { anyOf: [string, number] }, a: string })
  t.strictSame(fields({ properties: { a: string }, oneOf: [{ required: ['a'] }, { required: ['a'], properties: { a: number } }] }), { 'a!': string }, 'its own word is the one that always holds')
  t.strictSame(fields({ if: {}, then: { properties: { a: string }, required: ['a'] }, else: { properties: { a: string } }, dependentSchemas: { a: { properties: { b: number }, required: ['b'] } } }), { a: string, b: number })
  t.strictSame(fields({ required: ['a'] }), { 'a!': {} })
})

t.test('an object is closed where its members are, and open where one of them is', async t => {
  const closed = { additionalProperties: false }
  const rules: Array<[JsonSchema, unknown]> = [
    [{}, undefined], [closed, false], [{ additionalProperties: true }, true], [{ additionalProperties: string }, string], [{ additionalProperties: {} }, true],
    [{ unevaluatedProperties: false, allOf: [{ properties: {} }] }, false], [{ unevaluatedProperties: false, allOf: [{ additionalProperties: number }] }, number],
    [{ anyOf: [closed, closed, false] }, false], [{ anyOf: [closed, {}] }, undefined], [{ oneOf: [closed, true] }, undefined], [{ anyOf: [closed, { additionalProperties: string }] }, true],
    [{ patternProperties: { '^a': string }, additionalProperties: false }, string], [{ patternProperties: { '^a': string, '^b': number }, additionalProperties: false }, { anyOf: [string, number] }],
    [{ patternProperties: { '^a': string } }, true],
    [{ unevaluatedProperties: false, if: {}, then: { additionalProperties: true } }, true], [{ unevaluatedProperties: false, dependentSchemas: { a: { additionalProperties: string } } }, string]
  ]
  for (const [schema, others] of rules) t.strictSame(othersOf(schema), others, JSON.stringify(schema))
})

t.test('a union over fields is told form by form', async t => {
  const words = (branches: unknown[], exact = false) => unionWords({ exact, branches })
  const card = { type: 'object', properties: { kind: { const: 'card' }, number: string, note: string }, required: ['kind', 'number'] }
  const cash = { type: 'object', properties: { kind: { enum: ['cash', 'coins'] } }, required: ['kind'] }
  t.equal(words([card, cash]), 'At least one of these forms: { kind: "card", number, note? } or { kind: "cash" | "coins" }')
  t.equal(words([{ required: ['a', 'b'] }, { required: ['c'] }, false], true), 'Exactly one of these forms: with a and b or with c')
  t.equal(words([{ properties: { n: { type: 'integer', maximum: 5 } } }, { properties: { n: { type: 'integer', minimum: 9 } } }]), 'At least one of these forms: { n?: an integer of at most 5 } or { n?: an integer of at least 9 }')
  t.equal(words([{ minProperties: 2 }, { anyOf: [{ required: ['a'] }] }, true, { properties: {} }]), 'At least one of these forms: {"minProperties":2} or {"anyOf":[{"required":["a"]}]} or any fields or no fields')
})
