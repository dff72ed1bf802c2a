import t from 'tap'
import { judge } from '../../../src/testing/judge.js'
import { applied, exchange, trial, writeTrial } from '../../fixtures/trial.js'

const answer = (statusCode: number, body: unknown) => ({ statusCode, headers: {}, body: JSON.stringify(body) })
const success = (meta?: object, data: unknown = { temperature: 20 }) => answer(200, { success: true, data, meta })

interface Failure { status?: number, code?: string, category?: string, retryable?: boolean, details?: object }
const unavailable: Failure = { status: 502, code: 'UPSTREAM_UNAVAILABLE', category: 'SERVICE_ERROR', retryable: true, details: { next_action: 'retry' } }
const failure = (more: Failure = {}) => {
  const { status, ...error } = { ...unavailable, ...more }
  return answer(status!, { success: false, error: { message: 'x', ...error } })
}
const kinds = (...args: Parameters<typeof judge>) => judge(...args).map(({ kind }) => kind)

t.test('a failure that is told as it was is no finding', async t => {
  t.strictSame(judge(trial('answers 503'), failure()), [])
  t.strictSame(judge(writeTrial('answers 503'), failure({ status: 500, retryable: false, details: { next_action: 'escalate', outcome: 'unknown' } })), [])
})

t.test('a success that the broken upstream had no part in was claimed', async t => {
  t.strictSame(judge(trial('answers 503'), success()), [{
    upstream: 'up',
    break: 'answers 503',
    kind: 'claimed_success',
    expected: '502 UPSTREAM_UNAVAILABLE (SERVICE_ERROR, retryable: true, next_action: retry)',
    got: '200 success {"temperature":20}'
  }])
  t.equal(judge(trial('answers 503'), success({}, 'x'.repeat(1_000)))[0]?.got, `200 success "${'x'.repeat(199)}…`, 'long data is cut')
})

t.test('a success that says what is missing is none, nor is one of nothing found', async t => {
  for (const meta of [{ partial: [{ source: 'up' }] }, { cached: true }, { fallback: { from: 'up', to: 'other' } }]) t.strictSame(judge(trial('answers 503'), success(meta)), [])
  for (const meta of [{ partial: [{ source: 'other' }] }, { fallback: { from: 'other', to: 'up' } }]) t.strictSame(kinds(trial('answers 503'), success(meta)), ['claimed_success'], 'it speaks of another one')
  for (const name of ['answers 404', 'answers 410']) t.strictSame(judge(trial(name), success()), [])
  t.strictSame(kinds(trial('answers 503'), success({ cached: false, empty: {}, warnings: [{}] })), ['claimed_success'])
})

t.test('after a write that was carried out a failed look is no more than a warning', async t => {
  const warned = success({ warnings: [{ rule: 'masked-failure' }] })
  t.strictSame(judge(writeTrial('answers 503', { exchanges: [applied, exchange('up', 'read')] }), warned), [])
  t.strictSame(kinds(writeTrial('answers 503', { exchanges: [applied, exchange('up', 'write')] }), warned), ['claimed_success'])
  t.strictSame(kinds(writeTrial('answers 503', { exchanges: [exchange('up', 'read')] }), warned), ['claimed_success'])
  t.strictSame(kinds(writeTrial('answers 503', { exchanges: [applied, exchange('up', 'read')] }), success()), ['claimed_success'])
})

t.test('an upstream that was not asked, or did no harm, breaks nothing', async t => {
  t.strictSame(judge(trial('answers 503', { sent: { ours: [], others: [] } }), success()), [])
  t.strictSame(judge(trial('redirects once, to a path that answers'), success()), [])
})

t.test('a claim that the service itself refused was a claim', async t => {
  const refused = (code: string, details: object = {}) => judge(trial('answers 503'), failure({ code, status: 500, retryable: false, details: { next_action: 'stop', ...details } })).map(({ kind, refusedBy }) => [kind, refusedBy])
  t.strictSame(refused('UPSTREAM_UNAVAILABLE', { rejected: 'masked_failure' }), [['claimed_success', 'masked-failure']])
  t.strictSame(refused('UNSUPPORTED_SUCCESS'), [['claimed_success', 'evidence']])
  t.strictSame(refused('MOCK_DATA_REJECTED'), [['claimed_success', 'mock-marker']])
  t.strictSame(refused('OUTPUT_INVALID'), [['claimed_success', 'output-schema']])
  t.strictSame(refused('EMPTY_HANDLER_RESULT'), [['claimed_success', 'no-result']])
})

t.test('a failure that is told as another is misreported, whatever of it is wrong', async t => {
  const wrong: Failure[] = [
    { code: 'INTERNAL_ERROR' }, { code: undefined }, { status: 503 }, { category: 'RATE_LIMIT' }, { category: 'OTHER' }, { retryable: false }, { retryable: undefined },
    { details: { next_action: 'stop' } }, { details: {} }, { details: { next_action: 'retry', outcome: 'unknown' } }
  ]
  for (const more of wrong) t.strictSame(kinds(trial('answers 503'), failure(more)), ['misreported'], JSON.stringify(more))
  t.match(judge(trial('reads the request and is silent'), failure()), [{ expected: /UPSTREAM_TIMEOUT.* or 504 REQUEST_TIMEOUT/, got: '502 UPSTREAM_UNAVAILABLE (SERVICE_ERROR, retryable: true, next_action: retry)' }])
})

t.test('an operation that can be asked about is asked about, where it may have happened', async t => {
  const write = (more: object) => kinds(writeTrial('answers 503'), failure({ status: 500, retryable: false, details: { outcome: 'unknown', ...more } }))
  t.strictSame(write({ next_action: 'query_status', operation_id: '1' }), [])
  t.strictSame(write({ next_action: 'query_status', status_endpoint: '/1' }), [])
  t.strictSame(write({ next_action: 'query_status' }), ['misreported'])
  t.strictSame(write({ next_action: 'escalate', operation_id: '1' }), ['misreported'])
  t.strictSame(kinds(trial('answers 503'), failure({ details: { next_action: 'retry', operation_id: '1' } })), [])
  t.strictSame(kinds(trial('answers 400'), failure({ code: 'UPSTREAM_REJECTED_INPUT', status: 400, category: 'INPUT_ERROR', retryable: false, details: { next_action: 'stop', operation_id: '1' } })), [])
})

t.test('the wait that an upstream advised is passed on', async t => {
  const limited = (details: object) => judge(trial('answers 429 with Retry-After'), failure({ status: 429, code: 'UPSTREAM_RATE_LIMITED', category: 'RATE_LIMIT', details: { next_action: 'wait_and_retry', ...details } }))
  t.strictSame(limited({ retry_after: '7s' }), [])
  t.strictSame(limited({ retry_after: '9s' }), [], 'a wait may be longer')
  for (const details of [{ retry_after: '6s' }, {}]) t.match(limited(details), [{ kind: 'misreported', expected: /, after at least 7s$/ }])
  t.strictSame(kinds(trial('answers 429'), failure({ status: 429, code: 'UPSTREAM_RATE_LIMITED', category: 'RATE_LIMIT', details: { next_action: 'wait_and_retry', retry_after: '30s' } })), [])
})

t.test('a declared error is judged by what it says', async t => {
  const notThere: Failure = { status: 404, code: 'NOT_THERE', category: 'NOT_FOUND', details: { next_action: 'fix_input' } }
  t.strictSame(judge(trial('answers 404'), failure(notThere)), [])
  t.match(judge(trial('answers 503'), failure(notThere)), [{ kind: 'misreported', expected: /^NOT_THERE \(NOT_FOUND\) only/ }])
})

t.test('no envelope, and no answer, are misreported', async t => {
  t.match(judge(trial('answers 503'), { statusCode: 502, headers: {}, body: '<html>' }), [{ kind: 'misreported', got: '502 and no envelope: <html>' }])
  t.match(judge(trial('answers 503'), undefined), [{ kind: 'misreported', got: 'no answer within its time' }])
})

t.test('what a user states goes before what the table has', async t => {
  const expected = { 'answers 503': 'success', 'answers 400': 'UPSTREAM_UNAVAILABLE' }
  t.strictSame(judge(trial('answers 503'), success(), { expected }), [])
  t.strictSame(judge(trial('answers 400'), failure(), { expected }), [])
  t.strictSame(kinds(trial('answers 400'), success(), { expected }), ['claimed_success'])
  t.strictSame(kinds(trial('answers 500'), success(), { expected }), ['claimed_success'])
})

t.test('what leaks is found in every answer, an address in failures alone', async t => {
  const sent = { ours: [{ method: 'GET', path: '/', headers: { authorization: 'Bearer sesame' } }], others: [{ method: 'GET', path: '/?token=open', headers: {} }] }
  t.match(judge(trial('answers 503', { sent }), failure({ details: { next_action: 'retry', api_error: 'sesame open' } })), [
    { kind: 'leaked', got: 'the credential sent as header authorization' }, { kind: 'leaked', got: 'the credential sent as parameter token' }
  ])
  const host = 'up.internal:8080'
  t.match(judge(trial('answers 503'), failure({ details: { next_action: 'retry', api_error: host } }), { host }), [{ kind: 'leaked', got: 'the address of the upstream' }])
  t.strictSame(judge(trial('answers 404'), success({}, host), { host }), [])
})
