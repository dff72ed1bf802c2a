import t from 'tap'
import { combine } from '../../../src/capability/combine.js'
import type { JsonSchema } from '../../../src/schema/infer.js'

const joined = (...allOf: unknown[]): JsonSchema => combine({ allOf }).rules

t.test('the members of an intersection are one schema: the narrower rule of each holds', async t => {
  t.strictSame(joined({ minimum: 1, maximum: 9, minLength: 1 }, { minimum: 2, maximum: 8 }), { minimum: 2, maximum: 8, minLength: 1 })
  t.strictSame(joined({ type: ['string', 'null'] }, { type: 'string' }), { type: 'string' })
  t.strictSame(joined({ type: 'number' }, { type: 'integer' }), { type: 'integer' })
  t.strictSame(joined({ type: 'integer' }, { type: ['number', 'string'] }), { type: 'integer' })
  t.strictSame(joined({ enum: ['a', 'b'] }, { const: 'b' }), { enum: ['b'] })
  t.strictSame(joined({ uniqueItems: false }, { uniqueItems: true }), { uniqueItems: true })
  t.strictSame(joined({ required: ['a'] }, { required: ['a', 'b'] }, { allOf: [{ required: ['c'] }] }, true), { required: ['a', 'b', 'c'] })
  t.strictSame(joined({ description: 'One', default: 1, examples: [1] }, { description: 'Two', default: 2, examples: [2] }), { description: 'One. Two', default: 1, examples: [1] })
  t.strictSame(combine({ type: 'object' }), { rules: { type: 'object' }, unions: [], words: [] })
})

t.test('a field of several members obeys all of them, and is none where one says so', async t => {
  const a = { type: 'string' }
  t.strictSame(joined({ properties: { a, b: a, c: a } }, { properties: { a: { minLength: 1 }, b: a, c: false, d: a } }), { properties: { a: { allOf: [a, { minLength: 1 }] }, b: a, c: false, d: a } })
  t.strictSame(joined({ properties: { a: false } }, { properties: { a } }), { properties: { a: false } })
})

t.test('what no keyword says together becomes words', async t => {
  t.strictSame(combine({ allOf: [{ pattern: '^a' }, { pattern: 'b$' }, { pattern: '^a' }] }), { rules: { pattern: '^a' }, unions: [], words: ['Matches the regular expression b$'] })
  t.strictSame(combine({ allOf: [{ type: 'string' }, { type: 'number' }] }).words, ['Checked too, as JSON Schema: {"type":"number"}'])
  t.strictSame(combine({ allOf: [{ enum: [1] }, { enum: [2] }] }).words, ['Always 2'])
  t.strictSame(combine({ allOf: [{ $comment: 'a' }, { $comment: 'b' }] }).words, [''])
})

t.test('unions stand apart, and a title is said first', async t => {
  t.strictSame(combine({ title: 'Way', description: 'Which.', anyOf: [true], allOf: [{ oneOf: [{}] }] }), {
    rules: { description: 'Way. Which.' }, unions: [{ exact: false, branches: [true] }, { exact: true, branches: [{}] }], words: []
  })
})
