import { Type } from '@sinclair/typebox'
import t from 'tap'
import { breach, lintValues } from '../../../src/schema/lint-values.js'
import { checkWithDefaults } from '../../../src/schema/compile.js'
import { closeSchema } from '../../../src/schema/close.js'

const lint = (schema: object) => lintValues(schema, () => schema)

t.test('an example and a default that break their own schema are told, with what is wrong', async t => {
  t.match(lint(Type.Integer({ minimum: 1, examples: [1, 0], default: 2.5 })), [/^`examples\[1\]` to satisfy its own schema, got 0: expected .*1.*, got/, /^`default` to satisfy its own schema, got 2.5: expected an integer/])
  t.match(lint(Type.Union([Type.Literal('metric'), Type.Literal('imperial')], { default: 'kelvin' })), [/^`default` to satisfy its own schema, got "kelvin": expected one of "metric", "imperial"/])
  t.match(lint(Type.Object({ a: Type.String() }, { examples: [{ a: 1 }] })), [/: a: expected a string/])
})

t.test('sound examples pass, and so does what is no list of examples', async t => {
  for (const schema of [Type.String({ examples: ['a'] }), Type.String({ format: 'date', default: '2026-01-01' }), Type.Null(), { examples: 5 }]) t.strictSame(lint(schema), [])
})

t.test('a default counts as given', async t => {
  t.equal(breach(Type.Object({ units: Type.String({ default: 'metric' }) }), {}), undefined)
  const node = { type: 'object', properties: { units: { default: 'metric' }, next: { $ref: '#/$defs/node' } }, required: ['units'] }
  t.equal(breach({ anyOf: [{ $ref: '#/$defs/node' }], $defs: { node } }, {}), undefined, 'where only the validator knows that it is filled in')
})

t.test('an example nested too deep for any call is told', async t => {
  const deep = JSON.parse('['.repeat(70) + ']'.repeat(70))
  t.match(breach(Type.Array(Type.Integer()), deep), /^expected at most \d+ levels of arrays and objects$/)
})

t.test('a schema that cannot be compiled is told elsewhere', async t => {
  t.equal(breach({ type: 'string', pattern: '(' }, 'a'), undefined)
})

t.test('the short way never passes what the validator refuses', async t => {
  const schemas = [
    Type.Object({ a: Type.String({ maxLength: 2 }), b: Type.Optional(Type.Integer()) }), Type.Array(Type.Number({ minimum: 1 })), Type.Union([Type.Literal('x'), Type.Object({ a: Type.Null() })]), Type.Any(),
    { type: 'object' }, { items: [{ type: 'string' }] }, { properties: { a: {} }, anyOf: [{ required: ['a'] }] }, { type: 'object', additionalProperties: true }, { type: 'object', properties: { a: true } }, { type: 'object', properties: { a: {} }, items: {} },
    { not: {} }, { type: 'array', items: true }, { 'x-candor-sensitive': true, type: 'string' }
  ]
  const values = ['x', 'xyz', 1, 0, null, [], [1], [0], ['a'], {}, { a: 'ab' }, { a: 'abc' }, { a: null }, { a: 'a', b: 1 }, { a: 'a', b: 1.5 }, { a: 'a', c: 1 }]
  for (const schema of schemas) for (const value of values) t.equal(breach(schema, value) === undefined, checkWithDefaults(closeSchema(schema))(structuredClone(value)) === undefined, `${JSON.stringify(schema)} ${JSON.stringify(value)}`)
})
