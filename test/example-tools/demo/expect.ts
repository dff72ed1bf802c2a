import t from 'tap'
import { readEnvelope } from 'candor/protocol'
import type { Exchange } from '../../../example-tools/demo/agent.js'
import { differences, type Expected } from '../../../example-tools/demo/expect.js'

const details = { field: 'amount', next_action: 'wait_and_retry', retry_after: '1s', request_id: 'r1' }
const error = { code: 'SLOW_DOWN', message: 'Slow down.', category: 'RATE_LIMIT', retryable: true, details }
const headers = { 'x-request-id': 'r1', 'x-should-retry': 'true', 'retry-after': '1' }

function exchange (status: number, body: object, decision: Exchange['decision'], said: Record<string, string> = headers): Exchange {
  return { capability: 'c', input: {}, attempt: { status, body, headers: new Headers(said) }, reading: readEnvelope(body), decision }
}

const failed = (said?: Record<string, string>) => exchange(429, { success: false, error }, { action: 'resend', waitMs: 1_000, why: 'So.' }, said)
const found = (meta?: object) => exchange(200, { success: true, data: { a: 1 }, meta }, { action: 'done', why: 'So.' })
const asFailed: Expected = { status: 429, code: 'SLOW_DOWN', category: 'RATE_LIMIT', retryable: true, next_action: 'wait_and_retry', action: 'resend', waitMs: 1_000, details: { field: 'amount' } }
const asFound: Expected = { status: 200, action: 'done', data: { a: 1 } }

t.test('what comes out as expected has no differences', async t => {
  t.strictSame(differences([failed(), found({ simulated: true })], [asFailed, asFound]), [])
})

t.test('whatever differs is named', async t => {
  const lines = (got: Exchange, expected: Expected) => differences([got], [expected]).map(line => line.replace(/^Request 1: /, ''))
  t.strictSame(differences([], [asFound]), ['Expected 1 requests, got 0.'])
  t.strictSame(differences([failed(), failed()], [asFailed]), ['Expected 1 requests, got 2.'])
  t.strictSame(lines(found(), asFound), ['expected meta.simulated to be true, got undefined.'])
  t.strictSame(lines(found({ simulated: true }), { ...asFound, data: { a: 2 } }), ['expected data.a to be 2, got 1.'])
  t.strictSame(lines(failed(), { ...asFailed, code: 'OTHER', category: 'AUTH_ERROR', retryable: false, next_action: 'stop', action: 'stop', waitMs: 2, details: { field: 'b' } }), [
    'expected decision to be "stop", got "resend".',
    'expected wait to be 2, got 1000.',
    'expected code to be "OTHER", got "SLOW_DOWN".',
    'expected category to be "AUTH_ERROR", got "RATE_LIMIT".',
    'expected retryable to be false, got true.',
    'expected next_action to be "stop", got "wait_and_retry".',
    'expected details.field to be "b", got "amount".'
  ])
  t.strictSame(lines(failed({}), asFailed), [
    'expected details.request_id to be null, got "r1".',
    'expected x-should-retry to be "true", got null.',
    'expected retry-after to be "1", got null.'
  ])
  t.strictSame(lines(failed(), asFound), ['expected status to be 200, got 429.', 'expected decision to be "done", got "resend".', 'expected a success.'])
  t.strictSame(lines(found(), asFailed), ['expected status to be 429, got 200.', 'expected decision to be "resend", got "done".', 'expected wait to be 1000, got undefined.', 'expected a failure in the envelope.'])
})
