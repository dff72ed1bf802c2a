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
    t.match(result, { error: { code: 'OUTPUT_INVALID', status: 500, retryable: false } })
    t.match(String(('error' in result ? result.error.cause : '') as Error), reason)
    t.notMatch('error' in result && result.error.message, reason)
  }
  const cycle: Record<string, unknown> = { id: 1, name: 'x' }
  cycle.self = cycle
  t.match(check(Type.Unknown())(cycle), { error: { code: 'OUTPUT_INVALID' } })
})

t.test('a handler that ends without an answer has none, unless nothing is what it declares', async t => {
  t.match(check(place)(undefined), { error: { code: 'EMPTY_HANDLER_RESULT', status: 500, retryable: false } })
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
