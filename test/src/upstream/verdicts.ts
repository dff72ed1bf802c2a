import t from 'tap'
import { codes } from '../../../src/protocol/index.js'
import { UpstreamOutcome } from '../../../src/upstream/outcome.js'
import { badKeyWords, outcomeForStatus, quotaWords, quotaWordsWithoutWait, throttlingWords, verdicts, type Verdict } from '../../../src/upstream/verdicts.js'

// The table of the protocol, as literals: what happened, code, status, category, retryable for a read.
const TABLE = [
  ['rejected_input', 'UPSTREAM_REJECTED_INPUT', 400, 'INPUT_ERROR', false],
  ['not_found', 'UPSTREAM_NOT_FOUND', 400, 'INPUT_ERROR', false],
  ['conflict', 'UPSTREAM_CONFLICT', 400, 'INPUT_ERROR', false],
  ['auth_failed', 'UPSTREAM_AUTH_FAILED', 401, 'AUTH_ERROR', false],
  ['forbidden', 'UPSTREAM_FORBIDDEN', 403, 'AUTH_ERROR', false],
  ['payment_required', 'UPSTREAM_PAYMENT_REQUIRED', 402, 'AUTH_ERROR', false],
  ['quota_exhausted', 'UPSTREAM_QUOTA_EXHAUSTED', 429, 'RATE_LIMIT', false],
  ['rate_limited', 'UPSTREAM_RATE_LIMITED', 429, 'RATE_LIMIT', true],
  ['unavailable', 'UPSTREAM_UNAVAILABLE', 502, 'SERVICE_ERROR', true],
  ['redirected', 'UPSTREAM_REDIRECTED', 502, 'SERVICE_ERROR', false],
  ['refused', 'UPSTREAM_REFUSED', 502, 'SERVICE_ERROR', false],
  ['unreachable', 'UPSTREAM_UNREACHABLE', 502, 'SERVICE_ERROR', true],
  ['timeout', 'UPSTREAM_TIMEOUT', 504, 'SERVICE_ERROR', true],
  ['connection_lost', 'UPSTREAM_CONNECTION_LOST', 502, 'SERVICE_ERROR', true],
  ['invalid_response', 'UPSTREAM_INVALID_RESPONSE', 502, 'SERVICE_ERROR', true],
  ['protocol_error', 'UPSTREAM_PROTOCOL_ERROR', 502, 'SERVICE_ERROR', false],
  ['tls_failed', 'UPSTREAM_TLS_FAILED', 502, 'SERVICE_ERROR', false],
  ['failed', 'UPSTREAM_FAILED', 502, 'SERVICE_ERROR', true],
  ['own_mistake', 'INTERNAL_ERROR', 500, 'SERVICE_ERROR', false],
  ['client_closed', 'SERVICE_STOPPING', 503, 'SERVICE_ERROR', true],
  ['caller_gone', 'CALLER_GONE', 503, 'SERVICE_ERROR', true]
] as const

t.test('each outcome has the code, status, category and flag of the protocol', async t => {
  t.strictSame(TABLE.map(([outcome]) => outcome).sort(), Object.keys(verdicts).sort())
  for (const [outcome, code, status, category, retryable] of TABLE) {
    t.equal(verdicts[outcome].code, code)
    t.match(codes[code], { status, category, retryable }, code)
  }
})

t.test('no message says that something failed: a write with that outcome may have happened', async t => {
  for (const [outcome, verdict] of Object.entries<Verdict>(verdicts)) {
    const message = verdict.message("Upstream 'forecast'", 'within 50 ms')
    t.notMatch(message, /fail|not carried out|nothing was/i, outcome)
    t.notMatch(message, /\bretry|try again\b/i, `${outcome} leaves what to do next to next_action`)
    t.ok(message.length > 10 && message.length < 120 && message.endsWith('.'), outcome)
  }
  t.match(verdicts.timeout.message("Upstream 'forecast'", 'within 50 ms'), "Upstream 'forecast' gave no complete answer within 50 ms.")
})

t.test('no advice is given on TLS checks', async t => {
  t.notMatch(verdicts.tls_failed.hint, /disable|reject|insecure|verif/i)
})

const EXACT: Record<number, string> = {
  400: 'rejected_input',
  422: 'rejected_input',
  413: 'rejected_input',
  414: 'rejected_input',
  431: 'rejected_input',
  404: 'not_found',
  410: 'not_found',
  409: 'conflict',
  412: 'conflict',
  401: 'auth_failed',
  403: 'forbidden',
  451: 'forbidden',
  402: 'payment_required',
  429: 'rate_limited',
  420: 'rate_limited',
  408: 'unavailable',
  423: 'unavailable',
  424: 'unavailable',
  425: 'unavailable'
}

function expected (status: number): string {
  if (status < 200) return 'protocol_error'
  if (status < 300) return 'invalid_response'
  if (status < 400) return 'redirected'
  if (status < 500) return EXACT[status] ?? 'refused'
  return status < 600 ? 'unavailable' : 'refused'
}

t.test('every status from 100 to 999 has its outcome', async t => {
  const wrong = Array.from({ length: 900 }, (_, index) => index + 100).filter(status => outcomeForStatus(status) !== expected(status))
  t.strictSame(wrong, [])
  for (const status of [520, 522, 524, 529, 530, 599]) t.equal(outcomeForStatus(status), UpstreamOutcome.unavailable)
  for (const status of [405, 406, 411, 415, 418, 426, 600, 888, 999]) t.equal(outcomeForStatus(status), UpstreamOutcome.refused)
})

t.test('what is no status says nothing', async t => {
  for (const status of [0, -1, 42, 99, NaN, -Infinity]) t.equal(outcomeForStatus(status), UpstreamOutcome.failed)
})

t.test('the words that mean more than a status are those of the protocol', async t => {
  t.strictSame([...throttlingWords].sort(), ['ProvisionedThroughputExceededException', 'RequestLimitExceeded', 'SlowDown', 'Throttling', 'ThrottlingException', 'TooManyRequestsException'])
  t.strictSame([...badKeyWords].sort(), ['API_KEY_INVALID', 'invalid_api_key'])
  t.strictSame([...quotaWords].sort(), ['billing_hard_limit_reached', 'insufficient_quota'])
  t.strictSame([...quotaWordsWithoutWait].sort(), ['quota_exceeded', 'usage_limit_reached'])
})
