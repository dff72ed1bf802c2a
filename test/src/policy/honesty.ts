import t from 'tap'
import { modesOf } from '../../../src/capability/honesty-rules.js'
import { isAnswer, judge, noDeclarations, ownFault, unaccounted, type Claim, type Declarations } from '../../../src/policy/honesty.js'
import type { Exchange } from '../../../src/upstream/exchange.js'
import { failedExchange } from '../../fixtures/state.js'

const ok = (given: Partial<Exchange> = {}): Exchange => failedExchange({ status: 200, success: true, failure: undefined, ...given })
const foreign = (status: number | undefined, given: Partial<Exchange> = {}): Exchange => failedExchange({ foreign: true, status, ...given })
const saying = (given: Partial<Declarations> = {}): Declarations => ({ ...noDeclarations(), ...given })
const claim = (given: Partial<Claim> = {}): Claim => ({ name: 'look', effect: 'read', needsEvidence: false, modes: modesOf(), exchanges: [], said: saying(), ...given })
const broken = { rule: 'output-schema', error: ownFault('OUTPUT_INVALID', 'Broken.', new Error('x')) } as const

t.test('a call whose exchanges all succeeded may claim its success', async t => {
  t.strictSame(judge(claim()), { warnings: [] })
  t.strictSame(judge(claim({ needsEvidence: true, exchanges: [ok()] })), { warnings: [] })
})

t.test('a success after a failed exchange is refused: the caller gets the failure, and what was done to it', async t => {
  const { refusal } = judge(claim({ exchanges: [failedExchange()] }))
  t.match(refusal, { rule: 'masked-failure', error: { code: 'UPSTREAM_UNAVAILABLE', status: 502, details: { rejected: 'masked_failure' } }, exchange: { status: 503 } })
})

t.test('of several failures the last one is told', async t => {
  const failure = ownFault('OUTPUT_INVALID', 'x', new Error('x'))
  const exchanges = [failedExchange({ path: '/a', failure }), failedExchange({ path: '/b' }), ok({ path: '/c' })]
  t.match(judge(claim({ exchanges })).refusal, { exchange: { path: '/b' }, error: { code: 'UPSTREAM_UNAVAILABLE' } })
})

t.test('a failure is accounted for by a later success of the same request, and by what the handler says', async t => {
  const failed = failedExchange({ startedAt: 0, endedAt: 1 })
  t.match(judge(claim({ exchanges: [failed, ok({ startedAt: 2, endedAt: 3 })] })), { refusal: undefined, warnings: [] })
  t.match(judge(claim({ exchanges: [failed, ok({ path: '/other', startedAt: 2, endedAt: 3 })] })).refusal, { rule: 'masked-failure' })
  for (const said of [saying({ partial: new Set(['source']) }), saying({ cached: new Set(['source']) }), saying({ expected: new Set(['source']) })]) {
    t.equal(judge(claim({ exchanges: [failed], said })).refusal, undefined)
  }
  t.match(judge(claim({ exchanges: [failed], said: saying({ partial: new Set(['another']) }) })).refusal, { rule: 'masked-failure' })
})

t.test('another source accounts for a failure only if it answered', async t => {
  const said = saying({ fallbacks: [{ from: 'source', to: 'spare' }] })
  const failed = failedExchange()
  t.equal(judge(claim({ said, exchanges: [failed, ok({ upstream: 'spare' })] })).refusal, undefined)
  t.match(judge(claim({ said, exchanges: [failed] })).refusal, { rule: 'masked-failure' })
  t.match(judge(claim({ said, exchanges: [failed, failedExchange({ upstream: 'spare' })] })).refusal, { exchange: { upstream: 'spare' } })
  t.match(judge(claim({ said, exchanges: [failed, ok({ upstream: 'spare', ownerUncertain: true })] })).refusal, { rule: 'masked-failure' })
})

t.test('what the handler gave up, what is still open, a followed redirect and what may be a neighbour\'s are no failures', async t => {
  for (const given of [{ abandoned: true }, { endedAt: undefined }, { followed: true }, { ownerUncertain: true }] as const) {
    t.strictSame(judge(claim({ exchanges: [failedExchange(given)] })), { warnings: [] })
  }
})

t.test('another client\'s handler may have wanted some of its answers: those only warn, or say nothing', async t => {
  for (const status of [404, 410]) t.strictSame(judge(claim({ exchanges: [foreign(status)] })), { warnings: [] })
  for (const status of [302, 400, 409, 422]) t.match(judge(claim({ exchanges: [foreign(status)] })), { refusal: undefined, warnings: [{ rule: 'masked-failure' }] })
  for (const status of [401, 403, 429, 500, 503, 600, 200, undefined]) t.match(judge(claim({ exchanges: [foreign(status)] })).refusal, { rule: 'masked-failure' }, String(status))
  for (const status of [404, 410, 400]) t.match(judge(claim({ exchanges: [failedExchange({ status })] })).refusal, { rule: 'masked-failure' }, `ours ${status}`)
  t.equal(isAnswer(foreign(404)), true)
  t.equal(isAnswer(foreign(503)), false)
  t.equal(isAnswer(failedExchange({ status: 404 })), false)
})

t.test('a failure of a host that is not declared only warns, once for each kind', async t => {
  const exchanges = Array.from({ length: 5 }, () => failedExchange({ upstream: 'unlabelled', declared: false }))
  const { refusal, warnings } = judge(claim({ exchanges }))
  t.equal(refusal, undefined)
  t.match(warnings, [{ rule: 'masked-failure', error: { code: 'UPSTREAM_UNAVAILABLE' }, exchange: { upstream: 'unlabelled' } }])
  t.equal(warnings.length, 1)
  const many = Array.from({ length: 20 }, (_, index) => failedExchange({ upstream: `host${index}`, declared: false }))
  t.equal(judge(claim({ exchanges: many })).warnings.length, 8)
})

t.test('a call whose write took place is not made a failure by a read: it says so in a warning', async t => {
  const wrote = ok({ method: 'POST', effect: 'write' })
  const { refusal, warnings } = judge(claim({ effect: 'write', exchanges: [wrote, failedExchange({ path: '/after' })] }))
  t.equal(refusal, undefined)
  t.match(warnings, [{ rule: 'masked-failure', exchange: { path: '/after' } }])
  const marked = judge(claim({ effect: 'write', exchanges: [wrote, failedExchange({ path: '/after' })], marker: 'mock is true' }))
  t.match(marked, { refusal: undefined, warnings: [{ rule: 'masked-failure' }, { rule: 'mock-marker' }] })
})

t.test('another write that failed, and broken data, do make it one', async t => {
  const wrote = ok({ method: 'POST', effect: 'write' })
  const lost = failedExchange({ method: 'POST', path: '/second', effect: 'write' })
  t.match(judge(claim({ effect: 'write', exchanges: [wrote, lost, failedExchange({ path: '/later' })] })).refusal, { rule: 'masked-failure', exchange: { path: '/second' } })
  t.match(judge(claim({ effect: 'write', exchanges: [wrote], broken })).refusal, { rule: 'output-schema' })
})

t.test('a POST of a tool that only reads is no write to be spared, and neither is one to a host that is not declared', async t => {
  const searched = ok({ method: 'POST', effect: 'write', path: '/search' })
  t.match(judge(claim({ effect: 'read', exchanges: [searched, failedExchange()] })).refusal, { rule: 'masked-failure' })
  const telemetry = ok({ method: 'POST', effect: 'write', path: '/events', upstream: 'unlabelled', declared: false })
  t.match(judge(claim({ effect: 'write', exchanges: [telemetry, failedExchange({ effect: 'write', method: 'POST' })] })).refusal, { rule: 'masked-failure' })
})

t.test('a success that needs a source and has none is refused, and says so without naming internals', async t => {
  for (const exchanges of [[], [ok({ declared: false })], [ok({ ownerUncertain: true })], [failedExchange({ abandoned: true })]]) {
    const { refusal } = judge(claim({ needsEvidence: true, exchanges }))
    t.match(refusal, { rule: 'evidence', error: { code: 'UNSUPPORTED_SUCCESS', category: 'SERVICE_ERROR', status: 500, retryable: false } })
    t.notMatch(refusal!.error.message, /look/)
    t.match(String(refusal!.error.cause), /look declares evidence/)
  }
  t.equal(judge(claim({ needsEvidence: true, said: saying({ cached: new Set(['source']) }) })).refusal, undefined)
  t.equal(judge(claim({ needsEvidence: true, said: saying({ derived: 'from equals to' }) })).refusal, undefined)
})

t.test('data marked as made up is refused where no source stands behind it, else it is only a warning', async t => {
  const marker = 'source is "mock"'
  for (const exchanges of [[], [ok(), foreign(503, { declared: false })]]) {
    t.match(judge(claim({ marker, exchanges })).refusal, { rule: 'mock-marker', error: { code: 'MOCK_DATA_REJECTED', status: 500, retryable: false, details: { rule: 'mock-marker: source is "mock"' } } })
  }
  t.match(judge(claim({ marker, exchanges: [ok()] })), { refusal: undefined, warnings: [{ rule: 'mock-marker' }] })
  t.match(judge(claim({ marker, exchanges: [ok(), foreign(404)] })), { refusal: undefined })
  t.match(judge(claim({ marker, exchanges: [ok({ ownerUncertain: true })] })).refusal, { rule: 'mock-marker' })
})

t.test('broken data is refused, after a failed exchange that explains it', async t => {
  t.match(judge(claim({ broken })).refusal, { rule: 'output-schema', error: { code: 'OUTPUT_INVALID' } })
  t.match(judge(claim({ broken, exchanges: [failedExchange()] })).refusal, { rule: 'masked-failure' })
})

t.test('every rule can be relaxed to a warning or switched off', async t => {
  const all = { exchanges: [failedExchange()], needsEvidence: true, marker: 'mock is true', broken }
  const warn = modesOf({ 'masked-failure': 'warn', evidence: 'warn', 'mock-marker': 'warn', 'output-schema': 'warn' })
  const warned = judge(claim({ ...all, modes: warn }))
  t.equal(warned.refusal, undefined)
  t.strictSame(warned.warnings.map(({ rule }) => rule), ['masked-failure', 'output-schema', 'evidence', 'mock-marker'])
  const off = modesOf({ 'masked-failure': 'off', evidence: 'off', 'mock-marker': 'off', 'output-schema': 'off' })
  t.strictSame(judge(claim({ ...all, modes: off })), { warnings: [] })
  const noResult = { rule: 'no-result', error: ownFault('EMPTY_HANDLER_RESULT', 'x', new Error('x')) } as const
  t.match(judge(claim({ broken: noResult })).refusal, { rule: 'no-result' })
  t.strictSame(judge(claim({ broken: noResult, modes: modesOf({ 'no-result': 'off' }) })), { warnings: [] })
})

t.test('what there is no JSON for is refused in every mode', async t => {
  for (const mode of ['warn', 'off'] as const) {
    t.match(judge(claim({ broken: { ...broken, unsendable: true }, modes: modesOf({ 'output-schema': mode }) })).refusal, { rule: 'output-schema' })
  }
})

t.test('failures that stand for several of their kind are accounted for only by what the handler says', async t => {
  const several = failedExchange({ several: true, endedAt: 1 })
  t.equal(unaccounted([several, ok({ startedAt: 2 })], saying()).length, 1)
  t.equal(unaccounted([several], saying({ expected: new Set(['source']) })).length, 0)
})

t.test('a write that was sent and given up is not done: nobody knows what it did', async t => {
  const given = failedExchange({ effect: 'write', method: 'POST', foreign: true, status: undefined, failure: undefined, abandoned: true })
  t.match(judge(claim({ effect: 'write', exchanges: [given] })).refusal, { rule: 'masked-failure', error: { code: 'UPSTREAM_TIMEOUT', details: { upstream: 'source' } } })
})

t.test('"not there" is no answer to a write', async t => {
  t.match(judge(claim({ effect: 'write', exchanges: [foreign(404, { effect: 'write', method: 'POST' })] })), { refusal: undefined, warnings: [{ rule: 'masked-failure' }] })
})

t.test('an upstream that said yes to another client answered, even where nobody read all it said', async t => {
  const open = foreign(200, { endedAt: undefined, failure: undefined })
  const left = foreign(200, { abandoned: true, failure: undefined })
  for (const exchanges of [[open], [left]]) t.equal(judge(claim({ needsEvidence: true, exchanges })).refusal, undefined)
  for (const given of [{ ownerUncertain: true }, { status: undefined }, { status: 302 }, { foreign: undefined }] as const) {
    t.match(judge(claim({ needsEvidence: true, exchanges: [{ ...open, ...given }] })).refusal, { rule: 'evidence' })
  }
  const wrote = { ...open, effect: 'write', method: 'POST' } as const
  t.match(judge(claim({ effect: 'write', exchanges: [wrote, failedExchange({ path: '/after' })] })), { refusal: undefined, warnings: [{ rule: 'masked-failure' }] })
})
