import { errorCodes } from 'fastify'
import t from 'tap'
import { fromRow } from '../../../src/call/framework-error.js'
import { effectOf, refusalOf, toToolError } from '../../../src/call/plain.js'
import { createToolError } from '../../../src/protocol/tool-error.js'

const invalid = { validation: [{ keyword: 'type', instancePath: '/units', params: { type: 'string' }, schemaPath: '' }], statusCode: 400 }

t.test('reading methods read, all others write', async t => {
  t.strictSame(['GET', 'HEAD', 'OPTIONS', 'POST', 'DELETE', 'QUERY'].map(effectOf), ['read', 'read', 'read', 'write', 'write', 'write'])
})

t.test('a tool error is itself, a literal is taken at its word', async t => {
  const error = createToolError({ code: 'MY_OWN', category: 'NOT_FOUND', message: 'No.' })
  t.equal(toToolError(error, 'read'), error)
  t.match(toToolError({ code: 'MY_OWN', category: 'NOT_FOUND', status: 410, message: 'No.' }, 'read'), { code: 'MY_OWN', status: 410 })
})

t.test("a literal's status is always one of its category's row", async t => {
  t.match(toToolError({ code: 'MY_OWN', category: 'NOT_FOUND', status: 200, retryable: true, message: 'No.' }, 'read'), { code: 'MY_OWN', status: 404, retryable: false })
  t.match(toToolError({ code: 'no code', category: 'NOT_FOUND', message: 'No.' }, 'read'), { code: 'INTERNAL_ERROR', cause: /code/ })
})

t.test('of anything thrown neither status nor message passes', async t => {
  for (const thrown of [null, undefined, 'boom', 42, { statusCode: 404, secret: 's' }, Object.assign(new Error('sk-1'), { statusCode: 401 }), Object.assign(new Error('sk-1'), { category: 'NOT_FOUND', code: 'X_Y', message: 'sk-1' }), { statusCode: 200 }, { validation: [] }, { validation: ['x'] }]) {
    const error = toToolError(thrown, 'read')
    t.match(error, { code: 'INTERNAL_ERROR', status: 500, retryable: false })
    t.notMatch(error.message + JSON.stringify(error.details), /sk-1|secret|boom/)
  }
})

t.test("Fastify's own errors are the caller's, wherever they are thrown", async t => {
  t.match(toToolError(new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE(), 'write'), { code: 'INPUT_TOO_LARGE' })
  t.match(toToolError(Object.assign(new Error('x'), invalid, { validationContext: 'querystring' }), 'read'), { code: 'INVALID_INPUT', details: { field: 'querystring.units', expected: 'a string' } })
})

t.test('what could not be written down is an invalid output', async t => {
  t.match(toToolError(Object.assign(new TypeError('BigInt'), { serialization: { url: '/' } }), 'read'), { code: 'OUTPUT_INVALID', cause: /BigInt/ })
  t.match(toToolError(new errorCodes.FST_ERR_REP_INVALID_PAYLOAD_TYPE(), 'read'), { code: 'OUTPUT_INVALID' })
})

t.test("a connection's own code is a third party's failure", async t => {
  t.match(toToolError(Object.assign(new Error('x'), { code: 'ECONNREFUSED' }), 'read'), { code: 'UPSTREAM_UNREACHABLE', status: 502 })
})

t.test('before a handler ran, a 4xx is a word about the request, and nothing was carried out', async t => {
  t.match(refusalOf({ statusCode: 429 }, 'write'), { code: 'RATE_LIMIT_EXCEEDED', details: { outcome: 'not_applied' } })
  t.notOk('outcome' in refusalOf({ statusCode: 429 }, 'read').details)
  t.notOk('outcome' in refusalOf({ statusCode: 401 }, 'write').details, 'nobody sends it again')
  t.match(refusalOf(invalid, 'write'), { code: 'INVALID_INPUT', details: { outcome: 'not_applied' } })
  t.match(refusalOf(new Error('x'), 'read'), { code: 'INTERNAL_ERROR' })
  t.match(refusalOf({ category: 'NOT_FOUND', code: 'MY_OWN', message: 'No.', statusCode: 429 }, 'read'), { code: 'MY_OWN' })
  const own = fromRow('SERVICE_UNAVAILABLE', 'x', { outcome: 'unknown' })
  t.equal(refusalOf(own, 'write'), own)
})

t.test('what a write did is not for a literal to say', async t => {
  t.notOk('outcome' in toToolError({ code: 'SOME_CODE', category: 'NOT_FOUND', message: 'x', details: { outcome: 'applied', tried: 1 } }, 'read').details)
})
