// What a call says of its writes, over all its exchanges: literals from the protocol, by real sockets.
import { Type } from '@sinclair/typebox'
import t, { type Test } from 'tap'
import { defineCapability, type UpstreamOptions } from 'candor'
import { answering, behaviours, type Behaviour, type BehaviourName } from '../../src/testing/rogue-behaviours.js'
import { createRogueServer } from '../../src/testing/rogue-server.js'
import { build, call } from '../fixtures/build.js'

type Labels = 'bank' | 'ledger' | 'rates'

interface Scene {
  /** What each upstream does; the default behaves. */
  bank?: BehaviourName | Behaviour
  ledger?: BehaviourName | Behaviour
  rates?: BehaviourName | Behaviour
  idempotent?: boolean
  timeoutMs?: number
  options?: Partial<UpstreamOptions>
  run (call: any): Promise<unknown>
}

/** The answer to one call of a write that does as told with three upstreams, and how often each was asked. */
async function scene (t: Test, { bank = 'well_behaved', ledger = 'well_behaved', rates = 'well_behaved', idempotent, timeoutMs, options, run }: Scene) {
  const played: Record<Labels, BehaviourName | Behaviour> = { bank, ledger, rates }
  const upstreams: Record<string, UpstreamOptions> = {}
  const hits: Array<() => number> = []
  for (const [label, behaviour] of Object.entries(played)) {
    const server = await createRogueServer(behaviour)
    t.teardown(() => server.close())
    upstreams[label] = { baseUrl: server.url, ...options }
    hits.push(server.hits)
  }
  const pay = defineCapability({
    name: 'pay',
    description: 'Pays.',
    effect: 'write',
    evidence: 'none',
    idempotent,
    timeoutMs,
    upstreams: ['bank', 'ledger', 'rates'],
    input: Type.Object({}),
    output: Type.Object({ ok: Type.Boolean() }),
    errors: { DECLINED: { category: 'INPUT_ERROR', retryable: true, description: 'Declined.' } },
    async handler (_, call) { await run(call); return { ok: true } }
  })
  const { app } = await build(t, { capabilities: [pay], upstreams })
  const { status, headers, body } = await call(app, 'pay', {})
  const { code, category, retryable, details = {} } = body.error ?? {}
  const { outcome, next_action: next, retry_after: wait, hint } = details
  return { told: [code, status, category, retryable, outcome, next], wait: [wait, headers['retry-after']], resend: headers['x-should-retry'], hint, hits: hits.map(count => count()), success: body.success }
}

const NONE = [undefined, undefined]
const debit = (call: any) => call.upstream('bank').post('/debit', { json: {} })
const credit = (call: any) => call.upstream('ledger').post('/credit', { json: {} })
const rate = (call: any) => call.upstream('rates').get('/rate')

t.test('a write that was carried out, then a read that was refused: applied', async t => {
  for (const idempotent of [false, true]) {
    const seen = await scene(t, { bank: answering(201), rates: 'refused', idempotent, run: async call => { await debit(call); await rate(call) } })
    t.strictSame(seen.told, ['UPSTREAM_UNREACHABLE', 500, 'SERVICE_ERROR', false, 'applied', 'escalate'], `idempotent: ${idempotent}`)
    t.strictSame(seen.resend, 'false')
    t.match(seen.hint, /^Every write that was sent was carried out/)
    t.strictSame(seen.hits, [1, 0, 0])
  }
})

t.test('a debit that was carried out, then a credit that was refused with 429: partial, and no wait', async t => {
  for (const idempotent of [false, true]) {
    const seen = await scene(t, { ledger: answering(429, { 'retry-after': '7' }), idempotent, run: async call => { await debit(call); await credit(call) } })
    t.strictSame(seen, { told: ['UPSTREAM_RATE_LIMITED', 500, 'SERVICE_ERROR', false, 'partial', 'escalate'], wait: NONE, resend: 'false', hint: seen.hint, hits: [1, 1, 0], success: false }, `idempotent: ${idempotent}`)
    t.match(seen.hint, /^Some of the writes/)
  }
})

t.test('a debit that was carried out, then a credit that was lost: unknown comes before partial', async t => {
  const run = async (call: any) => { await debit(call); await credit(call) }
  t.strictSame((await scene(t, { ledger: 'reset_after_request', run })).told, ['UPSTREAM_CONNECTION_LOST', 500, 'SERVICE_ERROR', false, 'unknown', 'escalate'])
  t.strictSame((await scene(t, { ledger: 'reset_after_request', idempotent: true, run })).told, ['UPSTREAM_CONNECTION_LOST', 502, 'SERVICE_ERROR', true, 'unknown', 'retry'])
})

t.test('a write that was sent and lost stays unknown, whatever ended the call', async t => {
  const ends: Array<[code: string, run: (call: any) => Promise<unknown>]> = [
    ['UPSTREAM_CONNECTION_LOST', debit],
    ['DECLINED', async call => { await call.try(() => debit(call)); throw call.error('DECLINED') }],
    ['UPSTREAM_UNAVAILABLE', async call => { await call.try(() => debit(call)); await rate(call) }],
    // What a bug carries is nothing: the failed exchange is told.
    ['UPSTREAM_CONNECTION_LOST', async call => { await call.try(() => debit(call)); throw new Error('boom') }],
    ['UPSTREAM_CONNECTION_LOST', async call => { try { await debit(call) } catch (error) { throw new Error('debit failed', { cause: error }) } }],
    ['REQUEST_TIMEOUT', async call => { await call.try(() => debit(call)); await new Promise(resolve => call.signal.addEventListener('abort', resolve)) }]
  ]
  for (const [code, run] of ends) {
    const seen = await scene(t, { bank: 'reset_after_request', rates: answering(503), timeoutMs: code === 'REQUEST_TIMEOUT' ? 300 : 10_000, run })
    t.strictSame(seen.told, [code, 500, 'SERVICE_ERROR', false, 'unknown', 'escalate'])
    t.equal(seen.hits[0], 1)
  }
})

t.test('a read that timed out before any write: nothing was changed, and it may be sent again', async t => {
  const seen = await scene(t, { rates: 'silent_request', options: { timeoutMs: 200 }, run: async call => { await rate(call); await debit(call) } })
  t.strictSame(seen, { told: ['UPSTREAM_TIMEOUT', 504, 'SERVICE_ERROR', true, 'not_applied', 'retry'], wait: NONE, resend: 'true', hint: undefined, hits: [0, 0, 1], success: false })
})

t.test('a 409 on a create: this call changed nothing, an earlier one may have', async t => {
  for (const idempotent of [false, true]) {
    const seen = await scene(t, { bank: answering(409), idempotent, run: debit })
    t.strictSame(seen, { told: ['UPSTREAM_CONFLICT', 400, 'INPUT_ERROR', false, 'not_applied', 'stop'], wait: NONE, resend: 'false', hint: seen.hint, hits: [1, 0, 0], success: false })
    t.match(seen.hint, /earlier attempt/)
  }
})

t.test('a read that was limited before any write keeps its wait', async t => {
  const seen = await scene(t, { rates: answering(429, { 'retry-after': '7' }), run: async call => { await rate(call); await debit(call) } })
  t.strictSame([seen.told, seen.wait], [['UPSTREAM_RATE_LIMITED', 429, 'RATE_LIMIT', true, 'not_applied', 'wait_and_retry'], ['7s', '7']])
})

t.test('writes that were all refused, or never sent, changed nothing', async t => {
  const run = async (call: any) => { await call.try(() => debit(call)); await credit(call) }
  t.strictSame((await scene(t, { bank: answering(422), ledger: 'refused', run })).told, ['UPSTREAM_UNREACHABLE', 502, 'SERVICE_ERROR', true, 'not_applied', 'retry'])
  t.strictSame((await scene(t, { bank: answering(408), ledger: 'refused', run })).told, ['UPSTREAM_UNREACHABLE', 500, 'SERVICE_ERROR', false, 'unknown', 'escalate'])
})

t.test('a write that the handler itself repeated with success is accounted for', async t => {
  let asked = 0
  const twice: Behaviour = { does: 'fails once', steps: () => answering(++asked === 1 ? 503 : 201).steps as never }
  const run = async (call: any) => { await call.try(() => debit(call)); await debit(call); throw new Error('boom') }
  t.strictSame((await scene(t, { bank: twice, run })).told, ['INTERNAL_ERROR', 500, 'SERVICE_ERROR', false, 'applied', 'escalate'])
})

t.test('a POST that is said to be safe is no write', async t => {
  const run = async (call: any) => { await call.upstream('rates').post('/search', { json: {}, safe: true }) }
  t.strictSame((await scene(t, { rates: answering(503), run })).told, ['UPSTREAM_UNAVAILABLE', 502, 'SERVICE_ERROR', true, 'not_applied', 'retry'])
})

t.test('a no inside a 200 counts as the status it names', async t => {
  const refusal: UpstreamOptions['refusal'] = ({ data }) => (data as { no?: number }).no === undefined ? undefined : { status: (data as { no: number }).no }
  const said = async (no: number) => (await scene(t, { bank: answering(200, {}, `{"no":${no}}`), options: { refusal }, run: debit })).told
  t.strictSame(await said(422), ['UPSTREAM_REJECTED_INPUT', 400, 'INPUT_ERROR', false, 'not_applied', 'stop'])
  t.strictSame(await said(503), ['UPSTREAM_UNAVAILABLE', 500, 'SERVICE_ERROR', false, 'unknown', 'escalate'])
})

t.test('a debit that was carried out when the time was over: applied', async t => {
  const run = async (call: any) => { await debit(call); await rate(call) }
  t.strictSame((await scene(t, { rates: 'silent_request', timeoutMs: 300, run })).told, ['REQUEST_TIMEOUT', 500, 'SERVICE_ERROR', false, 'applied', 'escalate'])
})

t.test('every named behaviour can stand between a debit and its credit: the call is never told as not applied', async t => {
  for (const name of ['garbage', 'cut_by_length', 'page', 'redirect_repeated', 'tls_to_plain', 'refused'] as const) {
    const { told } = await scene(t, { ledger: name, run: async call => { await debit(call); await credit(call) } })
    t.match(told.slice(1), [500, 'SERVICE_ERROR', false, /^(partial|unknown)$/, 'escalate'], behaviours[name].does)
  }
})
