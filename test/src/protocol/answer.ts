import t from 'tap'
import { failureAnswer, successAnswer } from '../../../src/protocol/answer.js'
import { refuseCaller } from '../../../src/protocol/caller-refused.js'
import { createToolError, type ToolErrorInit } from '../../../src/protocol/tool-error.js'

const fail = (init: Partial<ToolErrorInit>, requestId = 'id-1') => {
  const answer = failureAnswer(createToolError({ code: 'SOME_CODE', message: 'It failed.', category: 'SERVICE_ERROR', ...init }), requestId)
  return { ...answer, ...JSON.parse(answer.body).error as { code: string, message: string, category: string, retryable: boolean, details: Record<string, string> } }
}

t.test('a success is the data, and meta where something is said', async t => {
  t.strictSame(successAnswer('{"a":1}', undefined, 'id-1').body, '{"success":true,"data":{"a":1}}')
  t.strictSame(successAnswer('null', {}, 'id-1').body, '{"success":true,"data":null}')
  t.strictSame(successAnswer('1', { sources: undefined }, 'id-1').body, '{"success":true,"data":1}')
  t.strictSame(successAnswer('[]', { sources: ['forecast'], cached: true }, 'id-1').body, '{"success":true,"data":[],"meta":{"sources":["forecast"],"cached":true}}')
  const { status, headers } = successAnswer('1', { cached: true }, 'id-1')
  t.equal(status, 200)
  t.match(headers, { 'content-type': 'application/json; charset=utf-8', 'x-request-id': 'id-1', 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' })
  t.notOk('x-should-retry' in headers)
  t.equal(successAnswer('{}', { status: 'pending', operation_id: 'op_1' }, 'id-1').status, 202)
})

t.test('a failure carries its status, its id and the next action', async t => {
  const { status, headers, details, message, code, category, retryable } = fail({ code: 'LOCATION_NOT_FOUND', category: 'NOT_FOUND', retryable: true, details: { hint: 'City, Country' } }, 'id-2')
  t.equal(status, 404)
  t.strictSame({ message, code, category, retryable }, { message: 'It failed.', code: 'LOCATION_NOT_FOUND', category: 'NOT_FOUND', retryable: true })
  t.strictSame(details, { hint: 'City, Country', next_action: 'fix_input', request_id: 'id-2' })
  t.match(headers, { 'x-request-id': 'id-2', 'x-should-retry': 'false', 'content-type': 'application/json; charset=utf-8', 'referrer-policy': 'no-referrer' })
  t.notOk('retry-after' in headers || 'www-authenticate' in headers)
})

t.test('a wait is told twice, and equal', async t => {
  const cases: Array<[init: Partial<ToolErrorInit>, wait: string | undefined, rest?: Record<string, string>]> = [
    [{ category: 'RATE_LIMIT', retryAfterMs: 60_000 }, '60'],
    [{ category: 'RATE_LIMIT', retryAfterMs: 1_500 }, '2'],
    [{ category: 'RATE_LIMIT', retryAfterMs: 0 }, '1'],
    [{ category: 'RATE_LIMIT', retryAfterMs: 86_400_001 }, '86400', { retry_after_capped: 'true' }],
    [{ category: 'RATE_LIMIT', retryAfterMs: Infinity }, '86400', { retry_after_capped: 'true' }],
    [{ category: 'RATE_LIMIT', retryAfterMs: 86_400_000, details: { retry_after_capped: 'true' } }, '86400', { retry_after_capped: 'true' }],
    [{ category: 'RATE_LIMIT' }, '30', { retry_after_source: 'default' }],
    [{ category: 'RATE_LIMIT', details: { retry_after: '45s' } }, '45'],
    [{ category: 'RATE_LIMIT', details: { retry_after: '45s' }, retryAfterMs: 5_000 }, '5'],
    [{ category: 'RATE_LIMIT', details: { retry_after: 'soon', retry_after_source: 'a guess' } }, '30', { retry_after_source: 'default' }],
    [{ category: 'RATE_LIMIT', retryable: false, retryAfterMs: 5_000, details: { retry_after: '5s', retry_after_capped: 'true' } }, undefined],
    [{ category: 'SERVICE_ERROR', retryAfterMs: 120_000 }, '120'],
    [{ category: 'SERVICE_ERROR', details: { retry_after: '7s' } }, '7'],
    [{ category: 'SERVICE_ERROR' }, undefined],
    [{ category: 'SERVICE_ERROR', status: 500, retryAfterMs: 5_000 }, undefined],
    [{ category: 'SERVICE_ERROR', details: { retry_after: '-5s' } }, undefined]
  ]
  for (const [init, wait, rest = {}] of cases) {
    const { headers, details } = fail(init)
    t.equal(headers['retry-after'], wait)
    const { request_id: id, next_action: action, ...others } = details
    t.strictSame(others, wait === undefined ? {} : { retry_after: `${wait}s`, ...rest })
    t.equal(id, 'id-1')
    t.equal(headers['x-should-retry'], String(action === 'retry' || action === 'wait_and_retry'))
    if (wait !== undefined) t.equal(action, 'wait_and_retry')
  }
})

t.test('a wait is told as it is spread, both times; what says nothing of a wait is not asked', async t => {
  const told = (init: Partial<ToolErrorInit>) => {
    const asked: number[] = []
    const { headers, body } = failureAnswer(createToolError({ code: 'SOME_CODE', message: 'It failed.', category: 'RATE_LIMIT', ...init }), 'id-1', ms => { asked.push(ms); return ms + 7_000 })
    const { retry_after: detail, retry_after_source: source, retry_after_capped: capped } = JSON.parse(body).error.details
    return { asked, header: headers['retry-after'], detail, source, capped }
  }
  t.match(told({ retryAfterMs: 60_000 }), { asked: [60_000], header: '67', detail: '67s', source: undefined })
  t.match(told({}), { asked: [30_000], header: '37', detail: '37s', source: 'default' })
  t.match(told({ retryAfterMs: 90_000_000 }), { asked: [86_400_000], header: '86400', detail: '86400s', capped: 'true' })
  t.match(told({ retryable: false, retryAfterMs: 5_000 }), { asked: [], header: undefined, detail: undefined })
})

t.test('x-should-retry speaks of the same request alone', async t => {
  t.equal(fail({}).headers['x-should-retry'], 'true')
  t.equal(fail({ category: 'INPUT_ERROR', status: 408 }).headers['x-should-retry'], 'true')
  t.equal(fail({ category: 'INPUT_ERROR', retryable: true }).headers['x-should-retry'], 'false', 'a correction')
  t.equal(fail({ status: 500, retryable: false, details: { outcome: 'unknown', operation_id: 'op_1' } }).headers['x-should-retry'], 'false')
  t.equal(fail({ status: 500, retryable: false, details: { outcome: 'unknown', operation_id: 'op_1' } }).details.next_action, 'query_status')
})

t.test('credentials are told by the code, with a challenge where the caller can log in', async t => {
  for (const code of ['UNAUTHORIZED', 'API_KEY_MISSING', 'API_KEY_INVALID']) {
    const { headers, details } = fail({ code, category: 'AUTH_ERROR' })
    t.match(details, { credentials: 'caller', next_action: 'fix_credentials' })
    t.equal(headers['www-authenticate'], 'Bearer')
  }
  const forbidden = fail({ code: 'FORBIDDEN', category: 'AUTH_ERROR', status: 403 })
  t.match(forbidden.details, { credentials: 'caller', next_action: 'fix_credentials' })
  t.notOk('www-authenticate' in forbidden.headers)
  const upstream = fail({ code: 'UPSTREAM_AUTH_FAILED', category: 'AUTH_ERROR' })
  t.match(upstream.details, { credentials: 'tool', next_action: 'fix_credentials' })
  t.notOk('www-authenticate' in upstream.headers)
  const other = fail({ code: 'ORIGIN_NOT_ALLOWED', category: 'AUTH_ERROR', status: 403 })
  t.equal(other.details.next_action, 'stop')
})

t.test('what the framework computes, no author writes', async t => {
  const { details } = fail({
    category: 'INPUT_ERROR', details: { next_action: 'retry', request_id: 'forged', retry_after: '5s', retry_after_source: 'x', credentials: 'caller', mine: 'stays' }
  })
  t.strictSame(details, { mine: 'stays', next_action: 'stop', request_id: 'id-1' })
})

t.test('the cause and the stack never cross the wire', async t => {
  const { body, headers } = fail({ status: 500, cause: new Error('duplicate key value violates "users_email_key" DETAIL: (email)=(a@b.c)') })
  t.notMatch(body + JSON.stringify(headers), /users_email_key|a@b\.c|\.ts|\.js/)
})

t.test('a header is legal, whatever the texts', async t => {
  const { headers } = fail({ message: 'a\r\nset-cookie: x', details: { hint: 'ä\n🌧' } })
  for (const value of Object.values(headers)) t.match(value, /^[ -~]+$/)
})

t.test('a 401 of a code of one’s own carries a challenge where the caller is refused', async t => {
  const ended = (status: number) => createToolError({ code: 'SESSION_ENDED', category: 'AUTH_ERROR', status, message: 'x' })
  t.match(failureAnswer(refuseCaller(ended(401)), 'r'), { headers: { 'www-authenticate': 'Bearer' }, body: /"credentials":"caller","next_action":"fix_credentials"/ })
  for (const error of [ended(401), refuseCaller(ended(403))]) t.match(failureAnswer(error, 'r'), { headers: { 'www-authenticate': undefined }, body: /"next_action":"stop"/ })
})
