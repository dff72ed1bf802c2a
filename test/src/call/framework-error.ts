import { errorCodes } from 'fastify'
import t from 'tap'
import { frameworkError, fromRow, statusError } from '../../../src/call/framework-error.js'

const TooLarge = errorCodes.FST_ERR_CTP_BODY_TOO_LARGE

t.test("a plugin's 4xx gets our code and our text, and the log its own", async t => {
  const rows: Array<[status: number, code: string, sent: number]> = [
    [400, 'INVALID_REQUEST', 400], [401, 'UNAUTHORIZED', 401], [402, 'INVALID_REQUEST', 400], [403, 'FORBIDDEN', 403], [404, 'ROUTE_NOT_FOUND', 404], [405, 'METHOD_NOT_ALLOWED', 405],
    [406, 'INVALID_REQUEST', 400], [408, 'REQUEST_INCOMPLETE', 408], [413, 'INPUT_TOO_LARGE', 413], [414, 'URI_TOO_LONG', 414], [415, 'UNSUPPORTED_MEDIA_TYPE', 415],
    [417, 'EXPECTATION_FAILED', 417], [418, 'INVALID_REQUEST', 400], [429, 'RATE_LIMIT_EXCEEDED', 429], [431, 'HEADERS_TOO_LARGE', 431]
  ]
  for (const [status, code, sent] of rows) {
    const thrown = Object.assign(new Error('SELECT secret'), { statusCode: status })
    const error = statusError(thrown)
    t.match(error, { code, status: sent, cause: thrown }, String(status))
    t.notMatch(JSON.stringify(error) + error!.message, /secret/)
    t.equal(statusError({ status })?.code, code, 'a status under its other name')
  }
})

t.test('what is no 4xx says nothing about the request', async t => {
  for (const thrown of [null, undefined, 'boom', 42, {}, { statusCode: '429' }, { statusCode: 200 }, { statusCode: 404.5 }, { statusCode: 500 }, { statusCode: NaN }]) t.equal(statusError(thrown), undefined)
})

t.test("only an error with Fastify's mark is Fastify's own, wherever it is thrown", async t => {
  t.match(frameworkError(new TooLarge()), { code: 'INPUT_TOO_LARGE' })
  t.equal(frameworkError({ code: 'FST_ERR_CTP_BODY_TOO_LARGE', name: 'FastifyError', statusCode: 413 }), undefined, "a copy of another server's answer")
  t.equal(frameworkError(new errorCodes.FST_ERR_REP_INVALID_PAYLOAD_TYPE()), undefined)
  t.equal(frameworkError(null), undefined)
})

t.test("Fastify's own codes say more than their status", async t => {
  for (const [fastify, code] of [['FST_ERR_CTP_INVALID_JSON_BODY', 'INVALID_JSON'], ['FST_ERR_CTP_EMPTY_JSON_BODY', 'INVALID_JSON'], ['FST_ERR_CTP_INVALID_CONTENT_LENGTH', 'REQUEST_INCOMPLETE'], ['FST_ERR_BAD_URL', 'MALFORMED_REQUEST']] as const) {
    t.equal(frameworkError(new errorCodes[fastify]())?.code, code)
  }
  t.equal(statusError({ code: 'toString', statusCode: 400 })?.code, 'INVALID_REQUEST')
})

t.test('a body over the limit is told the limit', async t => {
  t.match(frameworkError(new TooLarge(), { bodyLimit: 1024 }), { message: 'The body is larger than the 1024 bytes this route takes.', details: { expected: 'at most 1024 bytes' } })
  t.match(statusError({ statusCode: 413 }, { bodyLimit: 1024 }), { message: 'The body is larger than this route takes.', details: {} }, "a plugin's own limit is not known")
})

t.test('a rate limit keeps the wait that the plugin has put on the reply', async t => {
  t.equal(statusError({ statusCode: 429 }, { retryAfter: 17 })?.retryAfterMs, 17_000)
  t.equal(statusError({ statusCode: 429 }, { retryAfter: 'soon' })?.retryAfterMs, undefined)
  t.equal(statusError({ statusCode: 429 })?.retryAfterMs, undefined)
})

t.test('a code of the table brings its category, status and flag', async t => {
  t.match(fromRow('SERVICE_STOPPING', 'Stopping.', { a: 1 }), { code: 'SERVICE_STOPPING', category: 'SERVICE_ERROR', status: 503, retryable: true, details: { a: '1' } })
})
