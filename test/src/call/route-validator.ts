import { Type } from '@sinclair/typebox'
import t from 'tap'
import { createRouteValidator } from '../../../src/call/route-validator.js'
import { cpuMs } from '../../fixtures/cpu-time.js'

const Query = Type.Object({ n: Type.Integer(), m: Type.Integer({ default: 3 }), tag: Type.Optional(Type.Array(Type.String())) })

t.test('a body is never coerced, and nothing is dropped from it', async t => {
  const validate = createRouteValidator({})({ schema: Type.Object({ n: Type.Integer(), m: Type.Integer({ default: 3 }) }), httpPart: 'body' })
  const body = { n: 1, more: true }
  t.equal(validate(body), true)
  t.strictSame(body, { n: 1, more: true, m: 3 })
  t.match(validate({ n: '1' }), { error: { code: 'INVALID_INPUT', details: { field: 'n', received: /1/ } } })
  t.match(validate({}), { error: { code: 'MISSING_REQUIRED_FIELD', details: { field: 'n' } } })
  t.match(validate(null), { error: { code: 'INVALID_INPUT' } })
})

t.test('many items that must differ are compared in one pass', async t => {
  const validate = createRouteValidator({})({ schema: { type: 'array', uniqueItems: true }, httpPart: 'body' })
  const items = Array.from({ length: 20_000 }, (_, id) => ({ id }))
  t.ok(cpuMs(() => t.equal(validate(items), true)) < 2_000, 'compared one by one they take many seconds')
  t.match(validate([...items, { id: 7 }]), { error: { code: 'INVALID_INPUT', message: /items 7 and 20000 are equal/ } })
})

t.test('a list that stands in the data is the validator\'s to read', async t => {
  const validate = createRouteValidator({}, { customOptions: { $data: true } })({ schema: { type: 'object', properties: { word: { enum: { $data: '1/words' } }, words: {} } }, httpPart: 'body' })
  t.equal(validate({ word: 'a', words: ['a'] }), true)
  t.not(validate({ word: 'b', words: ['a'] }), true)
})

t.test('query, path and headers are text, and coerced', async t => {
  const validate = createRouteValidator({})({ schema: Query, httpPart: 'querystring' })
  const query = { n: '1', tag: 'a' }
  t.equal(validate(query), true)
  t.strictSame(query, { n: 1, m: 3, tag: ['a'] })
  const wrong = validate({ n: 'x', m: '5' })
  t.match(wrong, { error: { details: { field: 'querystring.n' } } })
  t.notMatch(wrong, { error: { message: /querystring\.m/ } }, 'a field that could be coerced is not blamed')
})

t.test('a field is told with its nearest spelling', async t => {
  const validate = createRouteValidator({})({ schema: Type.Object({ units: Type.Optional(Type.String()) }, { additionalProperties: false }), httpPart: 'body' })
  t.match(validate({ unit: 'x' }), { error: { details: { field: 'unit', did_you_mean: 'units' } } })
})

t.test('shared schemas can be referred to, and one of their name is compiled once', async t => {
  const Place = { $id: 'Place', type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }
  const compile = createRouteValidator({ Place })
  const validate = compile({ schema: { type: 'object', properties: { from: { $ref: 'Place#' } } }, httpPart: 'body' })
  t.equal(validate({ from: { city: 'Rome' } }), true)
  t.match(validate({ from: { city: 1 } }), { error: { code: 'INVALID_INPUT', details: { field: 'from.city' } } })
  const held = compile({ schema: { type: 'array', contains: { $ref: 'Place#' } }, httpPart: 'body' })
  t.match(held([1]), { error: { code: 'INVALID_INPUT' } }, 'a reference inside a rule')
  t.match(compile({ schema: Place, httpPart: 'body' })({}), { error: { code: 'MISSING_REQUIRED_FIELD' } })
})

t.test('a boolean is a schema too', async t => {
  const compile = createRouteValidator({})
  t.equal(compile({ schema: true, httpPart: 'body' })(1), true)
  t.match(compile({ schema: false, httpPart: 'body' })(1), { error: { code: 'INVALID_INPUT' } })
})

t.test("what the user said to Fastify's Ajv holds", async t => {
  const keyword = (ajv: unknown, name: unknown = 'even') => { (ajv as { addKeyword: (x: object) => void }).addKeyword({ keyword: name, validate: (_: unknown, data: number) => data % 2 === 0 }) }
  const compile = createRouteValidator({}, { customOptions: { removeAdditional: true }, plugins: [keyword as never, [keyword as never, 'pair']] })
  const body = { n: 2, more: 1 }
  t.equal(compile({ schema: { type: 'object', properties: { n: { even: true, pair: true } }, additionalProperties: false }, httpPart: 'body' })(body), true)
  t.strictSame(body, { n: 2 })
  t.match(compile({ schema: { type: 'object', properties: { n: { even: true } } }, httpPart: 'body' })({ n: 1 }), { error: { code: 'INVALID_INPUT', details: { field: 'n' } } }, 'a keyword that only the user knows')
})
