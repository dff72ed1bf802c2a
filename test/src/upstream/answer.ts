import t from 'tap'
import { readAnswer, waitOf } from '../../../src/upstream/answer.js'
import { readHeaders } from '../../../src/upstream/foreign-answer.js'

const outcome = (status: number, headers: unknown = {}, body?: unknown): string => readAnswer({ status, headers, body }, 0).outcome

t.test('an answer says by its status what happened, unless a word or header says more', async t => {
  t.equal(outcome(404), 'not_found')
  t.equal(outcome(503), 'unavailable')
  t.match(readAnswer({ status: 422, headers: { A: 'b' }, body: '{"error":"no"}' }), { status: 422, countsAs: 422, headers: { a: ['b'] }, body: { json: { error: 'no' } } })
})

t.test('a bad key that comes as 400 or 403 is a refused key', async t => {
  const google = { error: { status: 'INVALID_ARGUMENT', details: [{ reason: 'API_KEY_INVALID' }] } }
  t.equal(outcome(400, {}, google), 'auth_failed')
  t.equal(outcome(400, {}, JSON.stringify(google)), 'auth_failed')
  t.equal(outcome(403, {}, { error: { code: 'invalid_api_key' } }), 'auth_failed')
  t.equal(outcome(422, {}, google), 'rejected_input')
  t.equal(outcome(400, {}, { error: { message: 'API_KEY_INVALID' } }), 'rejected_input')
})

t.test('a 403 is a rate limit where Retry-After or a remaining count of 0 says so', async t => {
  t.equal(outcome(403, { 'retry-after': '60' }), 'rate_limited')
  t.equal(outcome(403, { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '2000000000' }), 'rate_limited')
  t.equal(outcome(403, { 'RateLimit-Remaining': ' 0 ' }), 'rate_limited')
  t.equal(outcome(403, { RateLimit: '"default";r=0;t=60' }), 'rate_limited')
  t.equal(outcome(403, { ratelimit: 'limit=100, r=00' }), 'rate_limited')
})

t.test('any other 403 is a refusal', async t => {
  t.equal(outcome(403), 'forbidden')
  t.equal(outcome(403, { 'retry-after': 'soon' }), 'forbidden')
  t.equal(outcome(403, { 'x-ratelimit-remaining': '4999', 'x-ratelimit-reset': '2000000000' }, { message: 'Resource not accessible' }), 'forbidden')
  t.equal(outcome(403, { ratelimit: '"default";r=01;t=60' }), 'forbidden')
  t.equal(outcome(403, { ratelimit: '"default";r=0.5;t=60' }), 'forbidden')
  t.equal(outcome(403, { 'content-type': 'text/html' }, '<html>Blocked'), 'forbidden')
})

t.test('a used-up quota is told from a rate limit', async t => {
  const word = (code: string): unknown => ({ error: { code } })
  t.equal(outcome(429), 'rate_limited')
  t.equal(outcome(429, { 'retry-after': '5' }, word('insufficient_quota')), 'quota_exhausted')
  t.equal(outcome(429, {}, word('billing_hard_limit_reached')), 'quota_exhausted')
  t.equal(outcome(429, {}, word('usage_limit_reached')), 'quota_exhausted')
  t.equal(outcome(429, {}, word('quota_exceeded')), 'quota_exhausted')
  t.equal(outcome(429, { 'retry-after': '5' }, word('quota_exceeded')), 'rate_limited')
  t.equal(outcome(429, { 'ratelimit-reset': '5' }, word('usage_limit_reached')), 'rate_limited')
  t.equal(readAnswer({ status: 429, words: ['insufficient_quota'] }).outcome, 'quota_exhausted')
  t.equal(outcome(420), 'rate_limited')
})

t.test('a throttling word counts as 429, whatever the status', async t => {
  t.match(readAnswer({ status: 400, body: { __type: 'com.amazon#ThrottlingException' } }), { outcome: 'rate_limited', status: 400, countsAs: 429 })
  t.match(readAnswer({ status: 503, words: ['SlowDown'] }), { outcome: 'rate_limited', status: 503, countsAs: 429 })
  t.match(readAnswer({ status: 200, words: ['SlowDown'] }), { outcome: 'invalid_response', countsAs: 200 })
})

t.test('a wait is read as what the answer is', async t => {
  const wait = (name: string, status: number | undefined, headers: Record<string, string>): number | undefined => waitOf(name as never, status, readHeaders(headers), 0)?.ms
  t.equal(wait('unavailable', 503, { 'retry-after': '120' }), 120_000)
  t.equal(wait('unavailable', 503, { 'ratelimit-reset': '9' }), undefined)
  t.equal(wait('rate_limited', 503, { 'ratelimit-reset': '9' }), 9_000)
  t.equal(wait('rate_limited', undefined, { 'retry-after': '9' }), 9_000)
  t.equal(wait('timeout', undefined, { 'retry-after': '9' }), undefined)
  t.equal(wait('redirected', 301, { 'retry-after': '9' }), undefined)
})
