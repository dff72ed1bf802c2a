import t from 'tap'
import { createToolError } from '../../../src/protocol/index.js'
import { accountedFailures, callOutcome, countedWrites, exchangeOutcome, hasFailed, withOutcome, type Exchange } from '../../../src/upstream/exchange.js'

let clock = 0

/** A write that was sent, answered 200 and read, one after the other; `fields` say what was different. */
function exchange (fields: Partial<Exchange> = {}): Exchange {
  const startedAt = fields.startedAt ?? ++clock
  return {
    upstream: 'orders',
    declared: true,
    origin: 'https://api.example.com',
    method: 'POST',
    path: '/orders',
    effect: 'write',
    sent: true,
    phase: 'body',
    status: 200,
    complete: true,
    success: fields.status === undefined || (fields.status >= 200 && fields.status <= 299),
    startedAt,
    endedAt: ++clock,
    ...fields
  }
}

const ok = exchange
const answered = (status: number, fields: Partial<Exchange> = {}): Exchange => exchange({ status, success: false, ...fields })
const lost = (fields: Partial<Exchange> = {}): Exchange => exchange({ status: undefined, complete: false, success: false, ...fields })
const unsent = (fields: Partial<Exchange> = {}): Exchange => lost({ sent: false, phase: 'connect', ...fields })

t.test('one write exchange did what its answer says', async t => {
  t.equal(exchangeOutcome(ok()), 'applied')
  t.equal(exchangeOutcome(ok({ status: 204 })), 'applied')
  t.equal(exchangeOutcome(unsent()), 'not_applied')
  t.equal(exchangeOutcome(lost()), 'unknown')
  t.equal(exchangeOutcome(ok({ complete: false })), 'unknown', 'cut, or not readable')
  t.equal(exchangeOutcome(ok({ ownerUncertain: true })), 'unknown')
})

t.test('every status from 100 to 999 is conclusive or not', async t => {
  const wrong: number[] = []
  for (let status = 100; status <= 999; status++) {
    const is4xx = status >= 400 && status <= 499
    const wanted = status >= 200 && status <= 299 ? 'applied' : (is4xx && status !== 408) || status === 307 || status === 308 ? 'not_applied' : 'unknown'
    if (exchangeOutcome(answered(status)) !== wanted) wrong.push(status)
  }
  t.strictSame(wrong, [])
  for (const status of [101, 301, 302, 303, 304, 408, 500, 502, 504, 529, 600, 888]) t.equal(exchangeOutcome(answered(status)), 'unknown', String(status))
  for (const status of [307, 308, 400, 401, 403, 404, 409, 422, 425, 429]) t.equal(exchangeOutcome(answered(status)), 'not_applied', String(status))
})

t.test('a refusal inside a 200 counts as the status it names', async t => {
  t.equal(exchangeOutcome(ok({ success: false, refusedAs: 429 })), 'not_applied')
  t.equal(exchangeOutcome(ok({ success: false, refusedAs: 503 })), 'unknown')
})

t.test('a call that wrote nothing has no outcome', async t => {
  t.equal(callOutcome([]), undefined)
  t.equal(callOutcome([exchange({ effect: 'read' })]), undefined)
})

t.test('the outcome of a call is the first row that holds over its writes', async t => {
  t.equal(callOutcome([ok(), answered(503, { path: '/b' })]), 'unknown')
  t.equal(callOutcome([unsent(), answered(400)]), 'not_applied')
  for (const status of [307, 308]) {
    const moved = answered(status, { foreign: true, followed: true, location: 'https://api.example.com/there' })
    t.equal(callOutcome([moved, ok({ path: '/there' })]), 'applied', 'what happened where it was pointed to counts')
    t.equal(callOutcome([moved, answered(400, { path: '/there' })]), 'not_applied')
    t.equal(callOutcome([moved, ok({ path: '/there', declared: false })]), 'unknown', 'nobody vouches for that place')
    t.equal(callOutcome([moved, ok({ path: '/there', declared: false }), ok({ path: '/other' })]), 'unknown', 'whatever else was carried out')
    t.equal(callOutcome([answered(status), ok({ path: '/there' })]), 'partial', 'it was not gone to')
  }
  t.equal(callOutcome([answered(303, { foreign: true, followed: true }), ok({ path: '/there' })]), 'unknown', 'it may have been carried out before')
  t.equal(callOutcome([ok(), ok({ path: '/b' })]), 'applied')
  t.equal(callOutcome([ok(), answered(409, { path: '/b' })]), 'partial')
  t.equal(callOutcome([ok(), unsent({ path: '/b' })]), 'partial')
  t.equal(callOutcome([ok({ complete: true, success: false })]), 'applied', 'complete JSON of a wrong shape is a 2xx')
})

t.test('an exchange that is still open may yet be sent', async t => {
  t.equal(callOutcome([unsent({ endedAt: undefined })]), 'unknown')
  t.equal(callOutcome([answered(400, { endedAt: undefined })]), 'not_applied', 'the refusal is known before its body')
})

t.test('reads count for nothing, undeclared upstreams only where none is declared', async t => {
  t.equal(callOutcome([ok(), lost({ effect: 'read' })]), 'applied')
  t.equal(callOutcome([ok(), lost({ declared: false, upstream: 'unlabelled' })]), 'applied')
  t.equal(callOutcome([lost({ declared: false, upstream: 'unlabelled' })]), 'unknown')
})

t.test('a later success accounts for a failure of the same request, one for one', async t => {
  t.equal(callOutcome([lost(), ok()]), 'applied')
  t.equal(callOutcome([lost(), lost(), ok()]), 'unknown')
  t.equal(callOutcome([lost(), lost(), ok(), ok()]), 'applied')
  t.equal(callOutcome([answered(503), unsent(), ok()]), 'unknown', 'the latest failure is the one that was repeated')
  t.equal(callOutcome([unsent(), ok()]), 'applied')
})

t.test('a success elsewhere, or begun too early, accounts for nothing', async t => {
  t.equal(callOutcome([lost(), ok({ path: '/orders?copy=1' })]), 'unknown')
  t.equal(callOutcome([lost(), ok({ method: 'PUT' })]), 'unknown')
  t.equal(callOutcome([lost(), ok({ origin: 'https://other.example.com' })]), 'unknown')
  t.equal(callOutcome([lost({ startedAt: 10, endedAt: 20 }), ok({ startedAt: 15, endedAt: 30 })]), 'unknown')
  t.equal(callOutcome([lost({ startedAt: 10, endedAt: 20 }), ok({ startedAt: 20, endedAt: 30 })]), 'applied')
  t.equal(callOutcome([lost(), ok({ ownerUncertain: true })]), 'unknown')
})

t.test('accounted failures are told by identity, and open ones are none', async t => {
  const [first, second, success] = [lost(), lost(), ok()] as const
  t.strictSame([...accountedFailures([success, first, second])], [second])
  t.equal(accountedFailures([lost({ endedAt: undefined }), ok()]).size, 0)
  t.equal(accountedFailures([ok()]).size, 0)
})

const limited = createToolError({
  code: 'UPSTREAM_RATE_LIMITED', message: 'An upstream asks for fewer requests.', category: 'RATE_LIMIT', retryAfterMs: 7000, details: { upstream_status: 429, retry_after_capped: 'true', hint: 'ours' }
})
const declared = createToolError({ code: 'ORDER_CLOSED', message: 'The order is closed.', category: 'INPUT_ERROR', details: { hint: 'Ask for the order first.' } })

t.test('an error without an outcome is left alone', async t => {
  t.equal(withOutcome(limited, undefined, {}), limited)
})

t.test('what was not applied keeps its status, flag and wait', async t => {
  const error = withOutcome(limited, 'not_applied')
  t.match(error, { code: 'UPSTREAM_RATE_LIMITED', status: 429, category: 'RATE_LIMIT', retryable: true, retryAfterMs: 7000, details: { outcome: 'not_applied', hint: 'ours' } })
})

t.test('after a 409 an earlier attempt may have been what was met', async t => {
  t.match(withOutcome(declared, 'not_applied', { status409: true }).details, { outcome: 'not_applied', hint: /^This call changed nothing; an earlier attempt.*\. Ask for the order first\.$/ })
})

for (const outcome of ['unknown', 'applied', 'partial'] as const) {
  t.test(`${outcome} is a 500 that is not sent again; code and text stay`, async t => {
    const error = withOutcome(limited, outcome, { idempotent: outcome !== 'unknown' })
    t.match(error, { code: 'UPSTREAM_RATE_LIMITED', message: 'An upstream asks for fewer requests.', status: 500, category: 'SERVICE_ERROR', retryable: false, details: { outcome, upstream_status: '429' } })
    t.equal(error.retryAfterMs, undefined)
    t.notOk(Object.keys(error.details).some(key => key.startsWith('retry_after')))
    t.notMatch(error.details.hint, /fail|ours/)
    t.equal(withOutcome(declared, outcome).details.hint, `${error.details.hint} Ask for the order first.`, "an author's hint stays")
  })
}

t.test('an applied write says what was carried out and what may not have run', async t => {
  t.match(withOutcome(declared, 'applied').details.hint, /Every write that was sent was carried out.*before it could show its result.*later steps may not have run/)
})

t.test('an idempotent write keeps status and flag though nobody knows what it did', async t => {
  t.match(withOutcome(limited, 'unknown', { idempotent: true }), { status: 429, retryable: true, retryAfterMs: 7000, details: { outcome: 'unknown', hint: /safe to send the same call again/ } })
  t.match(withOutcome(declared, 'unknown', { idempotent: true }), { status: 400, retryable: false, details: { outcome: 'unknown', hint: /Do not send it again/ } })
})

t.test('a cause stays for the log', async t => {
  const cause = new Error('secret')
  const error = createToolError({ code: 'UPSTREAM_TIMEOUT', message: 'm', category: 'SERVICE_ERROR', status: 504, cause })
  t.equal(withOutcome(error, 'unknown').cause, cause)
})

t.test('an exchange that is open or was given up has not failed', async t => {
  t.equal(hasFailed(exchange({ success: false })), true)
  t.equal(hasFailed(exchange()), false)
  t.equal(hasFailed(exchange({ success: false, endedAt: undefined })), false)
  t.equal(hasFailed(exchange({ effect: 'read', success: false, abandoned: true })), false)
  t.equal(hasFailed(exchange({ success: false, abandoned: true, status: 201 })), false)
  t.equal(hasFailed(exchange({ success: false, abandoned: true, status: undefined, sent: false })), false)
  t.equal(hasFailed(exchange({ success: false, abandoned: true, status: undefined })), true, 'a write that was sent: nobody knows what it did')
})

t.test('a call is judged by its writes to declared upstreams, or by all where it makes none', async t => {
  const [read, declared, other] = [exchange({ effect: 'read' }), exchange(), exchange({ declared: false })]
  t.strictSame(countedWrites([read, declared, other]), [declared])
  t.strictSame(countedWrites([read, other]), [other])
  t.strictSame(countedWrites([read]), [])
})

t.test('what was accounted for before stays so; what stands for several is not settled by one success', async t => {
  const settled = exchange({ success: false, accounted: true })
  const several = exchange({ success: false, several: true, path: '/b' })
  t.strictSame([...accountedFailures([settled])], [settled])
  t.strictSame([...accountedFailures([several, exchange({ path: '/b' })])], [])
})

t.test('a success of the same request with another body accounts for nothing', async t => {
  const lost = exchange({ success: false, body: '{"id":"a"}' })
  t.equal(accountedFailures([lost, exchange({ body: '{"id":"b"}' })]).size, 0)
  t.equal(accountedFailures([lost, exchange({ body: '{"id":"a"}' })]).size, 1)
  t.equal(accountedFailures([lost, exchange({ body: Buffer.from('{"id":"a"}') })]).size, 1)
  t.equal(accountedFailures([lost, exchange()]).size, 1, 'a client that does not show what it sends')
})

t.test('ten thousand failures and as many repetitions are matched in a moment', async t => {
  const failures = Array.from({ length: 10_000 }, (_, index) => exchange({ success: false, path: `/${index}`, startedAt: 0, endedAt: 1 }))
  const successes = failures.map(({ path }) => exchange({ path, startedAt: 2, endedAt: 3 }))
  const before = process.cpuUsage()
  t.equal(accountedFailures([...failures, ...successes]).size, 10_000)
  t.ok(process.cpuUsage(before).user < 2_000_000, 'far from the square of their number')
})
