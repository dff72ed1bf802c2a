import t from 'tap'
import { checkClaimOf, claimOf, PlainClaim, type PlainRules } from '../../../src/call/plain-claim.js'
import type { Meta } from '../../../src/protocol/envelope.js'
import { Directory } from '../../../src/upstream/directory.js'
import { failedExchange } from '../../fixtures/state.js'

const rules: PlainRules = {
  directory: new Directory([{ label: 'source', origin: 'http://source', prefix: '', simulated: false }]),
  labels: ['source'],
  honesty: { 'no-result': 'warn' },
  findMarker: data => (data as { mock?: boolean }).mock === true ? 'mock is true' : undefined
}
const success = failedExchange({ status: 200, success: true, failure: undefined })

function claimed (exchanges: ReturnType<typeof failedExchange>[], { data = {}, meta, effect = 'read', own }: { data?: unknown, meta?: Meta, effect?: 'read' | 'write', own?: object } = {}) {
  const claim = new PlainClaim(rules, 'GET /x', effect, own)
  for (const exchange of exchanges) claim.record(exchange)
  return { claim, ...claim.judge(data, meta, undefined) }
}

t.test('every configured upstream counts as declared', async t => {
  const { claim } = claimed([])
  t.strictSame(claim.upstreamAt('http://source', '/x'), { label: 'source', declared: true, simulated: false })
  t.equal(claim.upstreamAt('http://elsewhere', '/x'), undefined)
})

t.test('a success that hides a failure is refused, unless meta accounts for it', async t => {
  t.match(claimed([failedExchange()]).refusal, { rule: 'masked-failure' })
  t.equal(claimed([failedExchange()], { meta: { partial: [{ source: 'source', code: 'X', message: 'x' }] } }).refusal, undefined)
  t.equal(claimed([failedExchange()], { meta: { cached: true } }).refusal, undefined)
  t.equal(claimed([failedExchange(), { ...success, upstream: 'spare' }], { meta: { fallback: { from: 'source', to: 'spare' } } }).refusal, undefined)
  t.match(claimed([failedExchange()], { meta: { fallback: { from: 'source', to: 'spare' } } }).refusal, { rule: 'masked-failure' })
  t.match(claimed([failedExchange()], { meta: { cached: false } }).refusal, { rule: 'masked-failure' })
})

t.test('data marked as made up is found, unless the route says that it does not care', async t => {
  t.match(claimed([], { data: { mock: true } }).refusal, { rule: 'mock-marker' })
  t.equal(claimed([], { data: { mock: true }, own: { 'mock-marker': 'off' } }).refusal, undefined)
  const unmarked = new PlainClaim({ ...rules, findMarker: undefined }, 'GET /x', 'read')
  t.equal(unmarked.judge({ mock: true }, undefined, undefined).refusal, undefined)
})

t.test('the failure of a write says what the writes did', async t => {
  const lost = failedExchange({ effect: 'write', status: undefined })
  const write = claimed([lost], { effect: 'write' })
  t.match(write.claim.failureOf(write.refusal!), { status: 500, retryable: false, details: { outcome: 'unknown' } })
  const unseen = claimed([failedExchange()], { effect: 'write' })
  t.match(unseen.claim.failureOf(unseen.refusal!), { status: 500, retryable: false, details: { outcome: 'unknown' } }, 'its handler says that it is done')
  const read = claimed([failedExchange()])
  t.equal(read.claim.failureOf(read.refusal!), read.refusal!.error)
})

t.test('what is sent after the answer belongs to nobody', async t => {
  const { claim } = claimed([])
  claim.record(failedExchange())
  t.equal(claim.judge({}, undefined, undefined).refusal, undefined)
})

t.test('a claim is found by its request', async t => {
  const request = {}
  t.equal(claimOf(request), undefined)
  const { claim } = claimed([])
  checkClaimOf(request, claim)
  t.equal(claimOf(request), claim)
})
