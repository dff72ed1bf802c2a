import t from 'tap'
import { createToolError } from '../../../src/protocol/tool-error.js'
import { TokenError } from '../../../src/upstream/delivery.js'
import { ExchangeRecord, type RecordOptions } from '../../../src/upstream/record.js'

const begin = (more: Partial<RecordOptions> = {}, headers: Record<string, string> = {}): ExchangeRecord =>
  new ExchangeRecord({ label: 'bank', quote: true, redact: text => text.replaceAll('SECRET1', '[redacted]'), ...more }, { origin: 'http://bank', method: 'POST', path: '/pay?x=1', headers, body: 'b' }, 'write')

t.test('an exchange is open until it ends', async t => {
  const { exchange } = begin()
  t.match(exchange, { upstream: 'bank', declared: true, origin: 'http://bank', method: 'POST', path: '/pay?x=1', effect: 'write', sent: false, phase: 'connect', complete: false, success: false, startedAt: Number })
  t.equal(exchange.endedAt, undefined)
})

t.test('an exchange ends in success, of the real one or of a stand-in', async t => {
  const real = begin()
  real.succeed(false)
  t.match(real.exchange, { success: true, endedAt: Number, simulated: undefined })
  const simulated = begin()
  simulated.succeed(true)
  t.equal(simulated.exchange.simulated, true)
})

t.test('an exchange ends in a failure that has its cause for the log', async t => {
  const record = begin()
  const cause = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })
  const failure = record.broken(cause)
  t.match(failure, { code: 'UPSTREAM_UNREACHABLE', details: { upstream: 'bank', phase: 'connect' }, cause })
  t.match(record.exchange, { success: false, endedAt: Number, failure, error: cause })
})

t.test('an exchange that nobody waits for any more is given up, not failed', async t => {
  const record = begin()
  t.match(record.broken(new DOMException('gone', 'AbortError')), { code: 'CALLER_GONE' })
  t.equal(record.exchange.abandoned, true)
  const late = begin()
  late.broken(new DOMException('late', 'TimeoutError'))
  t.equal(late.exchange.abandoned, undefined)
})

t.test('a tool error is the failure itself', async t => {
  const error = createToolError({ code: 'TARGET_NOT_ALLOWED', category: 'INPUT_ERROR', message: 'No.' })
  t.equal(begin().broken(error), error)
})

t.test('a timeout tells the time that ran out', async t => {
  const within = (error: object, more: Partial<RecordOptions> = {}): string => begin(more).broken(error).message
  t.match(within({ name: 'TimeoutError', ms: 50 }), 'within 50 ms')
  t.match(within(new TokenError({ name: 'TimeoutError', ms: 50 })), 'within 50 ms')
  t.match(within({ code: 'UND_ERR_CONNECT_TIMEOUT' }, { connectTimeoutMs: 70 }), 'within 70 ms')
  t.match(within({ code: 'UND_ERR_CONNECT_TIMEOUT' }), 'in time')
  t.match(within({ name: 'TimeoutError' }), 'in time')
})

t.test('an answer that is a failure quotes what may be quoted, without secrets', async t => {
  const answer = { status: 400, headers: {}, body: { message: 'No SECRET1 and no SECRET2.' } }
  t.equal(begin({}, { authorization: 'Bearer SECRET2' }).answered(answer).details.api_error, '"No [redacted] and no [redacted]."')
  t.equal(begin({ quote: false }).answered(answer).details.api_error, undefined)
  const cause = new Error('Cut.')
  t.match(begin().answered(answer, cause, false), { code: 'UPSTREAM_REJECTED_INPUT', cause, details: { api_error: undefined } })
})

t.test('an adapter is asked first', async t => {
  const adapted = createToolError({ code: 'QUOTA', category: 'RATE_LIMIT', message: 'Too many.' })
  const record = begin({ adapters: [failure => (failure as { status?: number }).status === 456 ? adapted : undefined] })
  t.equal(record.judge({ status: 456, headers: {} }), adapted)
  t.equal(record.judge({ status: 404, headers: {} }).code, 'UPSTREAM_NOT_FOUND')
  t.equal(record.exchange.endedAt, undefined)
})

t.test('a mistake of the author\'s is one of ours for the caller', async t => {
  const cause = new TypeError('Wrong.')
  t.match(begin().mistaken(cause), { code: 'INTERNAL_ERROR', status: 500, retryable: false, cause })
})

t.test('no token is never the fault of somebody\'s input', async t => {
  const refused = begin().broken(new TokenError({ statusCode: 400, body: { error: 'invalid_client' } }))
  t.match(refused, { code: 'UPSTREAM_AUTH_FAILED', category: 'AUTH_ERROR', status: 401, details: { upstream: 'bank' }, message: 'Upstream \'bank\' does not accept this tool\'s credentials.', cause: { message: 'No token for the upstream.' } })
  t.match(begin().broken(new TokenError({ statusCode: 503, body: { message: 'Not of the bank.' } })), { code: 'UPSTREAM_UNAVAILABLE', details: { api_error: undefined } })
  t.match(begin().broken({ statusCode: 400 }), { code: 'UPSTREAM_REJECTED_INPUT' })
})

t.test('an upstream that repeats its request does not show where it is', async t => {
  const answer = { status: 400, headers: { 'content-type': 'application/json' }, body: { message: 'Got GET / with host: bank.internal:8080.' } }
  const record = new ExchangeRecord({ label: 'bank', quote: true, redact: text => text }, { origin: 'http://bank.internal:8080', method: 'GET', path: '/', headers: {}, body: undefined }, 'read')
  t.equal(record.answered(answer).details.api_error, '"Got GET / with host: [address]."')
})
