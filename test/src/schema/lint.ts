import { Type } from '@sinclair/typebox'
import t from 'tap'
import type { JsonSchema } from '../../../src/schema/infer.js'
import { lintSchema } from '../../../src/schema/lint.js'

const d = { description: 'A field.' }
const errors = (schema: JsonSchema) => lintSchema(schema, 'input').errors
const warnings = (schema: JsonSchema, side: 'input' | 'output' = 'input') => lintSchema(schema, side).warnings

t.test('a sound schema has nothing wrong with it', async t => {
  const node = Type.Recursive(This => Type.Object({ kids: Type.Array(This, d) }), { $id: 'Node' })
  const module = Type.Module({ A: Type.Object({ b: Type.Optional(Type.Ref('B', d)) }), B: Type.Object({ a: Type.Array(Type.Ref('A'), d) }) })
  const sound = Type.Object({
    location: Type.String({ ...d, minLength: 1, examples: ['Oslo'] }),
    units: Type.Optional(Type.Union([Type.Literal('metric'), Type.Literal('imperial')], { ...d, default: 'metric' })),
    code: Type.String({ ...d, pattern: '^[A-Z]{3}$', maxLength: 3 }),
    pair: Type.Tuple([Type.String(), Type.Number({ default: 1 })], d),
    kind: Type.Literal('weather'),
    tree: Type.Object({ node }, d),
    record: Type.Record(Type.String(), Type.Number(), d)
  })
  for (const schema of [node, module.Import('A')]) t.strictSame(lintSchema(schema, 'input'), { errors: [], warnings: [] })
  t.strictSame(errors(sound), [])
  t.strictSame(warnings(sound), ['`input`: expected a `description` of every field, got none of input.tree.node.'])
})

t.test('everything is told at once, with the field it is about', async t => {
  const schema = Type.Object({
    when: Type.Date(d),
    airport: Type.String({ ...d, format: 'iata' }),
    days: Type.Array(Type.Object({ from: Type.String({ ...d, pattern: '^(a+)+$', maxLength: 20 }) }), d),
    record: Type.Record(Type.String(), Type.BigInt(), d),
    pair: Type.Tuple([Type.Null(), Type.Integer({ examples: ['one'] })], d),
    both: Type.Intersect([Type.Object({ a: Type.Null(d) }, { additionalProperties: false }), Type.Object({ b: Type.Null(d) })], d),
    lost: Type.Ref('Nowhere', d),
    one: Type.Object({}, { $id: 'X', ...d }),
    two: Type.Null({ $id: 'X', ...d }),
    typo: Type.String({ ...d, 'x-candor-sensitve': true }),
    decoded: Type.Transform(Type.String(d)).Decode(Number).Encode(String),
    odd: Type.Unsafe({ ...d, type: 'object', properties: {}, required: ['gone'] }),
    contained: Type.Unsafe({ ...d, type: 'array', contains: { type: 'x' } })
  })
  const found = errors(schema)
  const starts = [
    "`input`: expected schemas of one name to have one shape, got two with the `$id` 'X'.", '`input`: expected no `Type.Transform`', '`input.when`: expected `type`', '`input.airport`: expected `format` to be one of',
    '`input.days[].from`: expected `pattern` without', '`input.record.*`: expected `type`', '`input.pair[1]`: expected `examples[0]`', '`input.both`: expected no member of an intersection',
    "`input.lost`: expected `$ref` to name an `$id` of the same schema, or a place in it like '#/$defs/Place', got 'Nowhere'.", '`input.typo`: expected keywords', '`input.odd`: expected `required` to name declared fields, got gone.', '`input.contained[]`: expected `type`'
  ]
  for (const start of starts) t.ok(found.some(error => error.startsWith(start)), start)
  t.equal(found.length, starts.length)
  t.ok(found.every(error => /[.?]$/.test(error) && !error.endsWith('?.')))
})

t.test('nothing is decoded, be it in a field or in a definition that nobody refers to', async t => {
  const decoded = Type.Transform(Type.String(d)).Decode(Number).Encode(String)
  const refusal = ['`input`: expected no `Type.Transform`: nothing decodes it here. Convert in the handler.']
  t.strictSame(errors(Type.Object({ list: Type.Array(decoded, d) })), refusal)
  t.strictSame(errors(Type.Object({}, { additionalProperties: true, $defs: { Unused: Type.Array(decoded) } })), refusal)
})

t.test('what is wrong in a schema that stands in two places is told of the first', async t => {
  const named = Type.Unsafe({ ...d, $id: 'Named', type: 'array', items: 5 })
  t.strictSame(errors(Type.Object({ plain: named, u: Type.Union([named, Type.Null()], d) })), ['`input.plain`: expected `items` to be a schema, got 5.'])
})

t.test('a default that is never filled in is an error', async t => {
  const field = Type.Object({ a: Type.String({ ...d, default: 'x' }) }, d)
  const named = Type.Object({ a: Type.String({ ...d, default: 'x' }) }, { ...d, $id: 'Named' })
  t.match(errors(Type.Object({ u: Type.Union([field, Type.Null()], d) })), ['`input.u.a`: expected no `default` inside a union or a condition: it is never filled in.'])
  t.match(errors(Type.Object({ plain: named, u: Type.Union([named, Type.Null()], d) })), ['`input.u.a`: expected no `default` inside a union'])
  t.match(errors(Type.Object({ list: Type.Array(Type.String({ default: 'x' }), d) })), ['`input.list[]`: expected no `default` but of a field'])
  t.strictSame(errors(Type.Object({ list: Type.Array(field, d), named: Type.String({ ...d, $id: 'S', default: 'x' }) })), [])
  t.strictSame(lintSchema(Type.Union([Type.String({ default: 'x' })]), 'output').errors, [], 'in an output it is a remark')
})

t.test('what is not good but works is a warning', async t => {
  t.strictSame(warnings(Type.Object({ a: Type.String({ ...d, pattern: '^a$' }) })), ['`input.a`: expected a `maxLength` beside `pattern`, which is checked first.'])
  t.strictSame(warnings(Type.Object({ a: Type.String({ ...d, pattern: '^a$' }) }), 'output'), [])
  t.match(warnings({ type: 'object' }), [/accepts nothing but \{\}/])
  t.match(warnings({ type: 'object' }, 'output'), [/loses every field it has/])
  t.match(warnings(Type.Object({ a: Type.String({ ...d, 'x-candor-code': 'A' }) })), [/`x-candor-correctable: false` beside `x-candor-code`/])
  t.match(warnings(Type.Object({ a: Type.String({ ...d, pattern: '^(?<a>x+)\\k<a>+$', maxLength: 9999 }) })), [/that can be checked/])
  t.match(warnings(Type.Object({ a: Type.String({ description: ' ' }) })), [/got none of input.a/])
})

t.test('keys of a record are matched too', async t => {
  t.match(errors({ type: 'object', patternProperties: { '^(a+)+$': {} } }), [/a key of `patternProperties`/])
  t.match(errors({ type: 'object', patternProperties: { '^a+b*a*$': {} } }), [/a key of `patternProperties`/])
  t.strictSame(errors({ type: 'object', patternProperties: { '^a+b*a*$': {} }, propertyNames: { maxLength: 50 } }), [])
  t.match(errors({ type: 'object', patternProperties: 5 }), [/`patternProperties` to be an object/])
})

t.test('an output may be nothing at all, but not in part', async t => {
  t.strictSame(lintSchema(Type.Void(), 'output').errors, [])
  t.equal(lintSchema(Type.Object({ a: Type.Undefined() }), 'output').errors.length, 1)
  t.equal(errors(Type.Void()).length, 1)
})

t.test('one schema that stands in several fields is told of each', async t => {
  const place = { type: 'string' }
  t.strictSame(lintSchema({ type: 'object', properties: { from: place, to: place } }, 'input').warnings, ['`input`: expected a `description` of every field, got none of input.from, input.to.'])
})
