import t from 'tap'
import { expectationOf, hasApplied, hasWritten, isHarmless, isReached } from '../../../src/testing/expectation.js'
import { applied, exchange, get, judged, post, trial, writeTrial } from '../../fixtures/trial.js'

const UNASKED = { ours: [], others: [] }
const BY_FETCH = { ours: [], others: [get] }

t.test('an upstream is reached by any client', async t => {
  t.equal(isReached(trial('answers 503')), true)
  t.equal(isReached(trial('answers 503', { sent: BY_FETCH })), true)
  t.equal(isReached(trial('answers 503', { sent: UNASKED })), false)
})

t.test('a redirect is harmless for those who follow it', async t => {
  const onward = 'redirects once, to a path that answers'
  t.equal(isHarmless(trial('answers 503')), false)
  t.equal(isHarmless(trial(onward)), true)
  t.equal(isHarmless(writeTrial(onward)), false)
  t.equal(isHarmless(writeTrial(onward, { sent: { ours: [], others: [post] }, exchanges: [] })), true)
  t.equal(isHarmless(trial('redirects to another origin')), false)
  t.equal(isHarmless(trial('redirects to another origin', { sent: BY_FETCH })), true)
})

t.test('what was written where is seen from what was asked', async t => {
  t.equal(hasWritten(trial('answers 503')), false)
  t.equal(hasWritten(writeTrial('answers 503')), true)
  t.equal(hasWritten(writeTrial('answers 503', { exchanges: [exchange('up', 'read')] })), false, 'a POST that is safe')
  t.equal(hasWritten(writeTrial('answers 503', { exchanges: [], sent: { ours: [], others: [post] } })), true)
  t.equal(hasApplied(writeTrial('answers 503')), false)
  t.equal(hasApplied(writeTrial('answers 503', { exchanges: [applied] })), true)
})

t.test('a read is expected to be told as the table has it', async t => {
  t.match(expectationOf(trial('answers 503')), [{ code: 'UPSTREAM_UNAVAILABLE', status: 502, outcome: undefined }])
  t.strictSame(expectationOf(trial('reads the request and is silent')).map(({ code }) => code), ['UPSTREAM_TIMEOUT', 'REQUEST_TIMEOUT'])
})

t.test('a write is expected to be told by what it did, and what the call had done before', async t => {
  t.match(expectationOf(writeTrial('answers 503')), [{ status: 500, outcome: 'unknown' }])
  t.match(expectationOf(writeTrial('answers 503', { capability: judged('write', true) })), [{ status: 502, outcome: 'unknown' }])
  t.match(expectationOf(writeTrial('answers 400', { exchanges: [applied, exchange('up', 'write')] })), [{ status: 500, outcome: 'partial' }])
  t.match(expectationOf(writeTrial('answers 503', { exchanges: [exchange('up', 'read')] })), [{ status: 502, outcome: 'not_applied' }])
})

t.test('of another client more is taken: its errors tell less, and what else it did is not known', async t => {
  const codes = (one: Parameters<typeof expectationOf>[0]) => expectationOf(one).map(({ code, outcome }) => `${code} ${outcome}`)
  t.strictSame(codes(trial('answers 503', { sent: BY_FETCH })), ['UPSTREAM_UNAVAILABLE undefined'])
  t.ok(codes(trial('refuses the connection', { sent: BY_FETCH })).includes('UPSTREAM_CONNECTION_LOST undefined'))
  t.strictSame(codes(writeTrial('answers 400', { exchanges: [], sent: { ours: [], others: [post] } })), ['not_applied', 'unknown', 'partial', 'applied'].map(outcome => `UPSTREAM_REJECTED_INPUT ${outcome}`))
})
