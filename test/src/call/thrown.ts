import t from 'tap'
import { Type } from '@sinclair/typebox'
import { classifyThrown, internalError } from '../../../src/call/thrown.js'
import { defineCapability } from '../../../src/capability/define.js'
import { createToolError } from '../../../src/protocol/tool-error.js'
import { failedExchange, stateOf } from '../../fixtures/state.js'

const capability = defineCapability({
  name: 'read_it',
  description: 'Reads.',
  effect: 'read',
  input: Type.Object({}),
  output: Type.Null(),
  errors: { NOT_THERE: { category: 'NOT_FOUND', description: 'Not there.' } },
  handler: () => null
})
const bug = { declared: false, error: { code: 'INTERNAL_ERROR', status: 500, retryable: false } }

t.test('our own bug has fixed text; the cause is for the log alone', async t => {
  const cause = new Error('duplicate key (email)=(a@b.c)')
  const error = internalError(cause)
  t.match(error, { code: 'INTERNAL_ERROR', category: 'SERVICE_ERROR', status: 500, retryable: false })
  t.equal(error.cause, cause)
  t.notMatch(JSON.stringify(error), /a@b/)
})

t.test('a declared error and one of the framework are themselves', async t => {
  for (const code of ['NOT_THERE', 'SERVICE_UNAVAILABLE']) {
    const thrown = createToolError({ code, category: 'NOT_FOUND', message: 'x' })
    t.strictSame(classifyThrown(thrown, stateOf(capability)), { error: thrown, declared: true })
  }
})

t.test('a tool error that nobody declared is a bug: discovery does not know it', async t => {
  t.match(classifyThrown(createToolError({ code: 'SURPRISE', category: 'NOT_FOUND', message: 'x' }), stateOf(capability)), bug)
})

t.test('what carries nothing is a bug', async t => {
  for (const thrown of [null, undefined, 'boom', 42, new Error('boom'), { statusCode: 404 }, Object.assign(new Error('key sk-1 rejected'), { statusCode: 401 }), new TypeError('x is not a function')]) {
    t.match(classifyThrown(thrown, stateOf(capability)), bug)
  }
})

t.test("a connection's error code is the upstream's failure, even without a recorded exchange", async t => {
  t.match(classifyThrown(Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }), stateOf(capability)), { declared: true, error: { code: 'UPSTREAM_UNREACHABLE', status: 502, retryable: true } })
})

t.test('a response status counts where the call made a request', async t => {
  const state = stateOf(capability, { exchanges: [failedExchange()] })
  t.match(classifyThrown(Object.assign(new Error('no'), { statusCode: 404 }), state), { declared: true, error: { code: 'UPSTREAM_NOT_FOUND' } })
})

t.test('what carries nothing after a failed exchange is that failure, unless a later success accounts for it', async t => {
  const failed = failedExchange()
  t.match(classifyThrown(null, stateOf(capability, { exchanges: [failed] })), { declared: true, error: { code: 'UPSTREAM_UNAVAILABLE' } })
  const { failure: _, ...succeeded } = failedExchange({ status: 200, success: true, startedAt: 2, endedAt: 3 })
  t.match(classifyThrown(null, stateOf(capability, { exchanges: [failed, succeeded] })), bug)
})

t.test('a wrapped tool error is itself, a wrapped bug is not', async t => {
  const thrown = createToolError({ code: 'NOT_THERE', category: 'NOT_FOUND', message: 'x' })
  const failed = failedExchange()
  for (const wrapped of [new Error('look-up failed', { cause: thrown }), new AggregateError([thrown])]) {
    t.strictSame(classifyThrown(wrapped, stateOf(capability, { exchanges: [failed] })), { error: thrown, declared: true })
  }
  t.equal(classifyThrown(new Error('x', { cause: failed.failure }), stateOf(capability, { exchanges: [failed] })).error, failed.failure)
  t.match(classifyThrown(new Error('x', { cause: createToolError({ code: 'SURPRISE', category: 'NOT_FOUND', message: 'x' }) }), stateOf(capability)), bug)
})

t.test('what throws when it is looked at is a bug like any other', async t => {
  const hostile = new Proxy({}, { get () { throw new Error('no') }, getPrototypeOf () { throw new Error('no') } })
  for (const thrown of [hostile, new Proxy({}, { get: () => true }), new Error('x', { cause: hostile })]) t.match(classifyThrown(thrown, stateOf(capability)), bug)
})

t.test("an abort is the handler's own while the caller still waits", async t => {
  const abort = Object.assign(new Error('aborted'), { name: 'AbortError', code: 'ABORT_ERR' })
  t.match(classifyThrown(abort, stateOf(capability)), { declared: true, error: { code: 'UPSTREAM_TIMEOUT', status: 504, retryable: true } })
  const state = stateOf(capability)
  state.deadline.end('caller_gone')
  t.match(classifyThrown(abort, state), { declared: true, error: { code: 'CALLER_GONE' } })
})

t.test('a write of unknown outcome is what a failure of an unrecorded exchange leaves, whatever it says of itself', async t => {
  const write = { ...capability, effect: 'write' as const }
  const outcome = (thrown: unknown, given = {}) => classifyThrown(thrown, stateOf({ ...write, ...given })).error
  t.match(outcome({ code: 'ECONNREFUSED' }), { code: 'UPSTREAM_UNREACHABLE', status: 500, retryable: false, details: { outcome: 'unknown' } })
  t.match(outcome({ code: 'ECONNREFUSED' }, { idempotent: true }), { status: 502, retryable: true, details: { outcome: 'unknown' } })
  for (const thrown of [{ response: { status: 503 } }, { name: 'TimeoutError' }, new TypeError('fetch failed'), { code: 'UND_ERR_REQ_CONTENT_LENGTH_MISMATCH' }]) {
    t.match(outcome(thrown), { status: 500, retryable: false, details: { outcome: 'unknown' } })
  }
  // A mistake of the handler's own says nothing of an exchange; the call decides over those that are recorded.
  for (const thrown of [null, new Error('boom'), new TypeError('x is not a function'), { code: 'ERR_INVALID_URL' }]) t.equal(outcome(thrown).details.outcome, undefined)
})

t.test('the error of an exchange, wrapped or not, is that exchange\'s failure: with the label and all that is known of it', async t => {
  const error = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })
  const exchange = failedExchange({ status: undefined, sent: false, error })
  for (const thrown of [error, new TypeError('fetch failed', { cause: error })]) {
    t.strictSame(classifyThrown(thrown, stateOf(capability, { exchanges: [failedExchange(), exchange, failedExchange()] })), { error: exchange.failure, declared: true })
  }
})

t.test('a status, or a known way to end, is that of the last exchange which ended so; its label goes along', async t => {
  const limited = createToolError({ code: 'UPSTREAM_RATE_LIMITED', category: 'RATE_LIMIT', message: 'Slow down.', details: { upstream: 'bank' }, retryAfterMs: 7_000 })
  const exchanges = [failedExchange({ upstream: 'bank', status: 429, foreign: true, failure: limited }), failedExchange({ upstream: 'other' })]
  t.match(classifyThrown({ response: { status: 429 } }, stateOf(capability, { exchanges })), { error: { code: 'UPSTREAM_RATE_LIMITED', retryAfterMs: 7_000, details: { upstream: 'bank' } } }, 'with the wait that the answer named')
  t.match(classifyThrown({ response: { status: 429, data: { error: { code: 'insufficient_quota' } } } }, stateOf(capability, { exchanges })), { error: { code: 'UPSTREAM_QUOTA_EXHAUSTED', details: { upstream: 'bank' } } })
  t.match(classifyThrown({ response: { status: 418 } }, stateOf(capability, { exchanges })), { error: { code: 'UPSTREAM_REFUSED', details: { upstream: undefined } } })
  const timeout = createToolError({ code: 'UPSTREAM_TIMEOUT', category: 'SERVICE_ERROR', status: 504, message: 'Late.' })
  const late = failedExchange({ upstream: 'slow', status: undefined, phase: 'headers', failure: timeout })
  const thrown = Object.assign(new Error('timeout of 50ms exceeded'), { name: 'AxiosError', code: 'ECONNABORTED' })
  t.match(classifyThrown(thrown, stateOf(capability, { exchanges: [late, ...exchanges] })), { error: { code: 'UPSTREAM_TIMEOUT', details: { upstream: 'slow', phase: 'headers' } } })
})

t.test('a recorded write says by itself what became of it', async t => {
  const error = Object.assign(new Error('x'), { code: 'ECONNRESET' })
  const write = { ...capability, effect: 'write' } as const
  t.match(classifyThrown(error, stateOf(write, { exchanges: [failedExchange({ effect: 'write', error, foreign: true })] })), { error: { details: { outcome: undefined } } })
  t.match(classifyThrown(error, stateOf(write)), { error: { details: { outcome: 'unknown' } } })
})

t.test('a bug after an answer that may have been wanted is a bug; right after it, it is the answer that was not', async t => {
  const missing = failedExchange({ foreign: true, status: 404 })
  t.match(classifyThrown(new Error('no such thing'), stateOf(capability, { exchanges: [missing] })), { error: missing.failure, declared: true })
  const later = failedExchange({ status: 200, success: true, failure: undefined, path: '/later' })
  t.match(classifyThrown(new Error('boom'), stateOf(capability, { exchanges: [missing, later] })), bug)
})

t.test('what a neighbour\'s exchange came to says nothing of this call', async t => {
  const error = Object.assign(new Error('x'), { code: 'ECONNRESET' })
  t.match(classifyThrown(error, stateOf(capability, { exchanges: [failedExchange({ error, ownerUncertain: true })] })), { error: { code: 'UPSTREAM_CONNECTION_LOST', details: { upstream: undefined } } })
  t.match(classifyThrown(new Error('boom'), stateOf(capability, { exchanges: [failedExchange({ ownerUncertain: true })] })), bug)
})

t.test('a time that ran out while a request was under way is that request\'s, although its end was not seen', async t => {
  const under = failedExchange({ upstream: 'bank', foreign: true, status: undefined, failure: undefined, endedAt: undefined, phase: 'connect', sent: false })
  const timeout = new DOMException('The operation was aborted due to timeout', 'TimeoutError')
  t.match(classifyThrown(timeout, stateOf(capability, { exchanges: [under] })), { error: { code: 'UPSTREAM_TIMEOUT', details: { upstream: 'bank', phase: 'connect' } }, declared: true })
  t.match(classifyThrown(timeout, stateOf(capability)), bug)
})
