import t from 'tap'
import { isResend, isTransientStatus, nextAction, NextAction } from '../../../src/protocol/next-action.js'

const base = { code: 'SOME_CODE', status: 503, retryable: true, details: {} }

const table: Array<[says: string, evidence: Partial<typeof base> & { details?: Record<string, string> }, word: string]> = [
  ['unknown with an operation', { retryable: false, status: 500, details: { outcome: 'unknown', operation_id: 'op_1' } }, 'query_status'],
  ['unknown with a status endpoint', { retryable: false, status: 500, details: { outcome: 'unknown', status_endpoint: '/x' } }, 'query_status'],
  ['unknown with neither', { retryable: false, status: 500, details: { outcome: 'unknown' } }, 'escalate'],
  ['unknown of a write that may be repeated', { status: 504, details: { outcome: 'unknown', operation_id: 'op_1' } }, 'retry'],
  ['unknown of a write that may be repeated later', { status: 502, details: { outcome: 'unknown', retry_after: '5s' } }, 'wait_and_retry'],
  ['applied', { retryable: false, status: 500, details: { outcome: 'applied' } }, 'escalate'],
  ['applied, though somebody says retryable', { details: { outcome: 'applied', operation_id: 'op_1' } }, 'escalate'],
  ['partial', { retryable: false, status: 500, details: { outcome: 'partial', status_endpoint: '/x' } }, 'escalate'],
  ['corrupt state', { code: 'CORRUPT_STATE', retryable: false, status: 500 }, 'escalate'],
  ['not applied, refused', { retryable: false, status: 400, details: { outcome: 'not_applied' } }, 'stop'],
  ['not applied, an outage', { details: { outcome: 'not_applied' } }, 'retry'],
  ['an outcome nobody knows', { details: { outcome: 'exploded' } }, 'retry'],
  ["the caller's credentials", { retryable: false, status: 401, details: { credentials: 'caller' } }, 'fix_credentials'],
  ["the tool's credentials", { retryable: false, status: 401, details: { credentials: 'tool' } }, 'fix_credentials'],
  ['unknown before credentials', { retryable: false, status: 401, details: { credentials: 'tool', outcome: 'unknown' } }, 'escalate'],
  ['refused', { retryable: false, status: 403 }, 'stop'],
  ['refused though transient', { retryable: false, status: 503, details: { retry_after: '5s' } }, 'stop'],
  ['a rate limit', { status: 429, details: { retry_after: '60s' } }, 'wait_and_retry'],
  ['a correction that has to wait', { status: 400, details: { retry_after: '60s' } }, 'wait_and_retry'],
  ['a timeout of the request', { status: 408 }, 'retry'],
  ['a rate limit of unknown length', { status: 429 }, 'retry'],
  ['an outage', { status: 503 }, 'retry'],
  ['a gateway', { status: 502 }, 'retry'],
  ['a bug that may be gone', { status: 500 }, 'retry'],
  ['a correctable input', { status: 400 }, 'fix_input'],
  ['a correctable name', { status: 404 }, 'fix_input'],
  ['a correctable field', { status: 422 }, 'fix_input']
]

t.test('one word says what comes next, the first rule that holds', async t => {
  for (const [says, evidence, word] of table) t.equal(nextAction({ ...base, ...evidence }), word, says)
})

t.test('every word is used and named by itself', async t => {
  t.strictSame(Object.keys(NextAction).sort(), [...new Set(table.map(([, , word]) => word))].sort())
  for (const [key, word] of Object.entries(NextAction)) t.equal(key, word)
})

t.test('the same request is sent again on two words alone', async t => {
  t.strictSame(Object.values(NextAction).filter(isResend).sort(), ['retry', 'wait_and_retry'])
})

t.test('408, 429 and 5xx pass by themselves', async t => {
  for (const status of [408, 429, 500, 502, 503, 504, 529, 599]) t.ok(isTransientStatus(status), String(status))
  for (const status of [200, 301, 400, 401, 403, 404, 409, 420, 422, 499]) t.notOk(isTransientStatus(status), String(status))
})
