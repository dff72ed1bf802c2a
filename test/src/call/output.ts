import t from 'tap'
import { Type, type TSchema } from '@sinclair/typebox'
import { createOutputCheck, emptyResult, outputInvalid } from '../../../src/call/output.js'
import { defineCapability } from '../../../src/capability/define.js'

const check = (output: TSchema) => createOutputCheck(defineCapability({ name: 'x', description: 'x', effect: 'read', input: Type.Object({}), output, handler: (() => null) as never }))
const place = Type.Object({ id: Type.Integer(), name: Type.String(), seen: Type.Optional(Type.String()) })

t.test('data of the declared shape becomes its JSON', async t => {
  t.strictSame(check(place)({ id: 1, name: 'Oslo' }), { text: '{"id":1,"name":"Oslo"}', dropped: [] })
  t.strictSame(check(place)({ id: 0, name: '', seen: undefined }), { text: '{"id":0,"name":""}', dropped: [] })
})

t.test('an object that says of itself what it is, is asked', async t => {
  t.strictSame(check(place)({ id: 1, name: 'Oslo', toJSON: () => ({ id: 2, name: 'Bergen' }) }), { text: '{"id":2,"name":"Bergen"}', dropped: [] })
  t.strictSame(check(place)(Object.create({ id: 1, name: 'Oslo', toJSON: () => ({ id: 3, name: 'Voss' }) })), { text: '{"id":3,"name":"Voss"}', dropped: [] })
  t.match(check(Type.Object({ id: Type.Optional(Type.Integer()) }))(new Map()), { broken: { error: { code: 'OUTPUT_INVALID' } } })
})

t.test('fields whose names a pattern declares are looked into', async t => {
  const schema = { type: 'object', properties: { id: { type: 'integer' } }, patternProperties: { '^x-': { type: 'object', properties: { a: { type: 'integer' } } } } } as unknown as TSchema
  t.strictSame(check(schema)({ id: 1, 'x-more': { a: 1, b: 2 } }), { text: '{"id":1,"x-more":{"a":1}}', dropped: ['x-more.b'] })
})

t.test('fields that are not declared are left out and named, and the data of the handler stays as it was', async t => {
  const data = { id: 1, name: 'Oslo', password: 'x' }
  t.strictSame(check(place)(data), { text: '{"id":1,"name":"Oslo"}', dropped: ['password'] })
  t.equal(data.password, 'x')
  t.strictSame(check(Type.Object({ id: Type.Integer() }, { additionalProperties: false }))({ id: 1, extra: 2 }), { text: '{"id":1}', dropped: ['extra'] })
})

t.test('what counts is the JSON: a Date is a string', async t => {
  t.match(check(Type.Object({ at: Type.String() }))({ at: new Date(0) }), { text: '{"at":"1970-01-01T00:00:00.000Z"}' })
  t.match(check(Type.Object({ at: Type.String() }))({ at: Object('now') }), { text: '{"at":"now"}' })
})

t.test('data that breaks its declaration is not shown; the path is for the log', async t => {
  const cases: Array<[TSchema, unknown, RegExp]> = [
    [place, { id: 1 }, /The result must have required property 'name'/],
    [place, { id: 1.7, name: 'x' }, /id must be integer/],
    [place, { id: Number.NaN, name: 'x' }, /not a finite number/],
    [place, { id: 10n, name: 'x' }, /BigInt/],
    [Type.Array(place), [{ id: 1, name: null }], /0.*name must be string/],
    [place, 'text', /The result must be object/]
  ]
  for (const [schema, data, reason] of cases) {
    const result = check(schema)(data)
    t.match(result.broken, { rule: 'output-schema', error: { code: 'OUTPUT_INVALID', status: 500, retryable: false } })
    t.match(String(result.broken?.error.cause), reason)
    t.notMatch(result.broken?.error.message, reason)
  }
  const cycle: Record<string, unknown> = { id: 1, name: 'x' }
  cycle.self = cycle
  t.match(check(Type.Unknown())(cycle), { broken: { unsendable: true, error: { code: 'OUTPUT_INVALID' } } })
})

t.test('what JSON would empty in silence is not shown, wherever the declaration is open', async t => {
  const open = Type.Object({ rows: Type.Unknown(), at: Type.Optional(Type.Union([Type.String(), Type.Null()])) })
  const cases: Array<[unknown, string]> = [
    [new Map([['a', 1]]), 'is a Map'], [new Set([1]), 'is a Set'], [new Error('x'), 'is an Error'], [Promise.resolve([1]), 'is a Promise'], [/x/, 'is a RegExp'],
    [new Date(NaN), 'is not a valid date'], [{ toJSON: () => new WeakMap() }, 'is a WeakMap']
  ]
  const causeOf = (data: unknown) => {
    const { broken } = check(open)(data)
    return `${broken?.error.code} ${String(broken?.error.cause)}`
  }
  for (const [rows, reason] of cases) t.match(causeOf({ rows }), `OUTPUT_INVALID Error: The output breaks its schema: $.rows ${reason}`)
  for (const item of [undefined, () => 1]) t.match(causeOf({ rows: [item] }), '$.rows[0] is')
  t.match(causeOf({ rows: 1, at: new Date(NaN) }), '$.at is not a valid date')
  class Row { id = 1; more = {} }
  t.match(check(open)({ rows: [new Row(), {}, null] }), { text: '{"rows":[{"id":1,"more":{}},{},null]}' })
})

t.test('a handler that ends without an answer has none, unless nothing is what it declares', async t => {
  t.match(check(place)(undefined), { text: 'null', broken: { rule: 'no-result', error: { code: 'EMPTY_HANDLER_RESULT', status: 500, retryable: false } } })
  t.match(check(Type.Null())(undefined), { text: 'null' })
  t.match(check(Type.Null())(null), { text: 'null' })
  t.match(check(Type.Void())(undefined), { text: 'null' })
  t.match(check(Type.Undefined())(undefined), { text: 'null' })
})

t.test('falsy answers are answers', async t => {
  for (const [schema, data, text] of [[Type.Array(place), [], '[]'], [Type.String(), '', '""'], [Type.Number(), 0, '0'], [Type.Boolean(), false, 'false']] as const) t.match(check(schema)(data), { text })
})

t.test('both failures are ours, with fixed text', async t => {
  t.match(outputInvalid('x'), { code: 'OUTPUT_INVALID', category: 'SERVICE_ERROR' })
  t.match(emptyResult(), { code: 'EMPTY_HANDLER_RESULT', category: 'SERVICE_ERROR' })
})

t.test('data of another shape is still JSON, for where the rule is relaxed; what there is no JSON for is not', async t => {
  t.match(check(place)({ id: 1 }), { text: '{"id":1}', broken: { rule: 'output-schema', unsendable: undefined } })
  t.match(check(place)({ id: 10n, name: 'x' }), { text: 'null', broken: { unsendable: true } })
})
