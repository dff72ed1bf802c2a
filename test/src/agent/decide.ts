import t from 'tap'
import { decide, type Attempt, type Caller, type Decision } from '../../../src/agent/decide.js'

const chance = { random: () => 0.5, nowMs: Date.UTC(2026, 10, 27, 12) }
const read: Caller = { effect: 'read', attempts: 1 }
const write: Caller = { effect: 'write', attempts: 1 }

const failure = (retryable: unknown, details: Record<string, string> = {}, category = 'SERVICE_ERROR') =>
  ({ success: false, error: { code: 'SOME_CODE', message: 'It failed.', category, retryable, details } })

/** The three states of `retryable`, and bodies that have said nothing. */
const permitted = failure(true)
const refused = failure(false)
const unsaid: unknown[] = [
  undefined, null, '', 'gone', '<html>', 7, [], [refused], {}, { retryable: false }, { success: false }, { success: false, retryable: false },
  { success: false, error: null }, { success: false, error: [] }, { success: false, error: { details: { retryable: false } } },
  { error: { retryable: false } }, { success: 'false', error: { retryable: false } }, { success: true, error: { retryable: false } },
  failure(null), failure('false'), failure(0), failure(undefined), Object.create(refused)
]

function what (attempt: Attempt, caller: Caller = read): Omit<Decision, 'why'> {
  const { why, ...rest } = decide(attempt, caller, chance)
  // Not an assertion of each of a thousand rows: one sentence that is none ends the test.
  if (!/^[A-Z0-9].*\.$/.test(why)) throw new Error(`Expected a sentence, got '${why}'.`)
  return rest
}

const done = { action: 'done' }
const stop = { action: 'stop' }
const escalate = { action: 'stop', next: 'escalate' }
const resend = { action: 'resend', waitMs: 250 }
const correct = { action: 'correct', waitMs: 0 }

t.test('a 2xx is never sent again, whatever its body says', async t => {
  for (const status of [200, 201, 202, 204, 206, 299]) {
    for (const body of unsaid) if (typeof body !== 'object' || body === null || !('success' in body) || body.success !== false) t.strictSame(what({ status, body }), done)
    t.strictSame(what({ status, body: { success: true, data: {} } }), done)
    for (const body of [permitted, refused, { success: false }]) t.strictSame(what({ status, body }, write), { action: 'report_failure' }, `${status} with a failure is reported`)
  }
})

t.test('what was accepted and is pending is asked about', async t => {
  t.strictSame(what({ status: 202, body: { success: true, data: {}, meta: { status: 'pending' } } }), { action: 'done', next: 'query_status' })
})

t.test('a failure inside a 2xx says what is left to do', async t => {
  t.strictSame(what({ status: 200, body: failure(true, { outcome: 'partial' }) }, write), { action: 'report_failure', next: 'escalate' })
})

t.test('a refusal stops every resend, whatever the status', async t => {
  for (const status of [undefined, 301, 400, 401, 403, 404, 405, 408, 409, 422, 429, 500, 502, 503, 504, 599]) {
    for (const caller of [read, write, { ...write, idempotent: true, keyed: true }]) t.strictSame(what({ status, body: refused, headers: { 'retry-after': '1' } }, caller), stop)
  }
})

t.test('401, 403 and 405 stop, whatever the body says', async t => {
  for (const status of [401, 403, 405]) for (const body of [permitted, ...unsaid]) t.strictSame(what({ status, body }), stop)
})

t.test('a read is sent again after no response, 408, 429 and 5xx, if permitted or not said', async t => {
  t.strictSame(what({}), resend)
  for (const status of [408, 429, 500, 501, 502, 503, 504, 520, 599]) for (const body of [permitted, ...unsaid]) t.strictSame(what({ status, body }), resend)
})

t.test('a write is sent again only where a second effect is excluded', async t => {
  for (const status of [undefined, 408, 429, 500, 502, 503, 504]) {
    const body = status === undefined ? undefined : permitted
    const notApplied = status === undefined ? undefined : failure(true, { outcome: 'not_applied' })
    t.strictSame(what({ status, body }, write), escalate, `${status} of a write`)
    t.strictSame(what({ status, body }, { attempts: 1 }), escalate, `${status} of an unknown effect`)
    t.strictSame(what({ status, body }, { ...write, effect: 'READ' as 'read' }), escalate, `${status} of an effect nobody knows`)
    t.strictSame(what({ status, body }, { ...write, idempotent: true }), resend, `${status} of an idempotent write`)
    t.strictSame(what({ status, body }, { ...write, keyed: true }), resend, `${status} of a write under a key`)
    if (notApplied !== undefined) t.strictSame(what({ status, body: notApplied }, write), resend, `${status} of a write that was not applied`)
  }
  for (const outcome of ['applied', 'partial', 'unknown', 'not-applied', 'exploded']) t.equal(what({ status: 503, body: failure(true, { outcome }) }, write).action, 'stop', outcome)
  t.strictSame(what({ status: 503, body: failure(true, { outcome: 'unknown' }) }, { ...write, idempotent: true }), resend)
})

t.test('any other 4xx is corrected if permitted or not said, and never sent unchanged', async t => {
  for (const status of [400, 402, 404, 409, 410, 413, 415, 417, 420, 422, 431, 499]) {
    for (const body of [permitted, ...unsaid]) {
      t.strictSame(what({ status, body }), correct)
      t.strictSame(what({ status, body }, { attempts: 1 }), correct, 'a write too: nothing was carried out')
    }
    t.strictSame(what({ status, body: permitted }, { ...read, inputProtected: true }), stop, 'not if the input is protected')
  }
})

t.test('a protected input is sent again as it is', async t => {
  t.strictSame(what({ status: 503, body: permitted }, { ...read, inputProtected: true }), resend)
})

t.test('what is neither a success nor a failure of the protocol stops', async t => {
  for (const status of [0, 100, 199, 301, 304, 399, 600, 999]) for (const body of [permitted, ...unsaid]) t.strictSame(what({ status, body }), stop)
})

t.test('over MCP the default status of the category stands in', async t => {
  const of = (category: string, retryable?: boolean) => what({ body: failure(retryable, {}, category) })
  t.strictSame(what({ body: { success: true, data: {} } }), done)
  t.strictSame(of('INPUT_ERROR', true), correct)
  t.strictSame(of('NOT_FOUND'), correct)
  t.strictSame(of('AUTH_ERROR', true), stop)
  t.strictSame(of('RATE_LIMIT', true), resend)
  t.strictSame(of('SERVICE_ERROR'), resend)
  t.strictSame(of('SERVICE_ERROR', false), stop)
  t.strictSame(of('SOMETHING_ELSE'), resend, 'no category is a 500')
  t.strictSame(what({ body: 'no envelope' }), resend)
  t.strictSame(what({ body: 'no envelope' }, write), escalate)
  t.strictSame(what({ body: failure(true, { retry_after: '5s' }, 'RATE_LIMIT') }), { action: 'resend', waitMs: 5_000 })
})

t.test('limits end every way on', async t => {
  const spent = { ...read, attempts: 3 }
  t.strictSame(what({ status: 503 }, spent), stop)
  t.strictSame(what({}, spent), stop)
  t.strictSame(what({ status: 404 }, spent), stop)
  t.strictSame(what({ status: 503 }, { ...write, keyed: true, attempts: 3 }), escalate, 'a write that may have happened')
  t.strictSame(what({ status: 503 }, { ...spent, limits: { maxAttempts: 4 } }), { action: 'resend', waitMs: 1_000 })
  t.strictSame(what({ status: 404 }, { ...read, attempts: 1, corrections: 2 }), stop)
  t.strictSame(what({ status: 404 }, { ...read, corrections: 1 }), correct)
  t.strictSame(what({ status: 404 }, { ...read, limits: { maxCorrections: 0 } }), stop)
  t.strictSame(what({ status: 503 }, { ...read, corrections: 2 }), resend, 'a resend is no correction')
})

t.test('a wait is the one advised, or doubles and is drawn', async t => {
  t.strictSame(what({ status: 429, headers: { 'retry-after': '7' }, body: permitted }), { action: 'resend', waitMs: 7_000 })
  t.strictSame(what({ status: 503, headers: new Headers({ 'retry-after': '7' }), body: permitted }), { action: 'resend', waitMs: 7_000 })
  t.strictSame(what({ status: 503, headers: { 'retry-after': 'Fri, 27 Nov 2026 12:00:04 GMT' } }), { action: 'resend', waitMs: 4_000 })
  t.strictSame(what({ status: 429, body: failure(true, { retry_after: '9s' }) }), { action: 'resend', waitMs: 9_000 })
  t.strictSame(what({ status: 400, body: failure(true, { retry_after: '9s' }) }), { action: 'correct', waitMs: 9_000 })
  t.strictSame(what({ status: 503 }, { ...read, attempts: 2 }), { action: 'resend', waitMs: 500 })
  t.strictSame(what({ status: 503 }, { ...read, limits: { firstWaitMs: 100 } }), { action: 'resend', waitMs: 50 })
  t.strictSame(what({ status: 503 }, { ...read, attempts: 20, limits: { maxAttempts: 99, maxWaitMs: 2_000 } }), { action: 'resend', waitMs: 1_000 })
})

t.test('a longer wait than the caller waits is told, not cut short', async t => {
  t.strictSame(what({ status: 429, headers: { 'retry-after': '60' } }), { action: 'resend', waitMs: 60_000 })
  t.strictSame(what({ status: 429, headers: { 'retry-after': '61' } }), { action: 'stop', waitMs: 61_000 })
  t.strictSame(what({ status: 503, headers: { 'retry-after': '5' } }, { ...read, limits: { maxWaitMs: 4_000 } }), { action: 'stop', waitMs: 5_000 })
})

t.test('a stop says what is left to do', async t => {
  t.strictSame(what({ status: 500, body: failure(false, { outcome: 'unknown', operation_id: 'op_1' }) }, write), { action: 'stop', next: 'query_status' })
  t.strictSame(what({ status: 500, body: failure(false, { outcome: 'unknown' }) }, write), escalate)
  t.strictSame(what({ status: 500, body: failure(false, { outcome: 'applied' }) }, write), escalate)
  t.strictSame(what({ status: 500, body: { success: false, error: { code: 'CORRUPT_STATE', retryable: false } } }), escalate)
  t.strictSame(what({ status: 401, body: failure(false, { credentials: 'caller' }) }), { action: 'stop', next: 'fix_credentials' })
  t.strictSame(what({ status: 401, body: failure(undefined, { credentials: 'tool' }) }), { action: 'stop', next: 'fix_credentials' })
  t.strictSame(what({ status: 503, body: failure(true, { operation_id: 'op_1' }) }, write), { action: 'stop', next: 'query_status' }, 'an outcome not said is unknown')
})

t.test('chance is the system\'s unless given', async t => {
  const { action, waitMs } = decide({ status: 503, headers: {} }, read) as Extract<Decision, { action: 'resend' }>
  t.equal(action, 'resend')
  t.ok(waitMs >= 0 && waitMs < 500)
})
