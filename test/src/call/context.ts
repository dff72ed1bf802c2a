import t from 'tap'
import { Type } from '@sinclair/typebox'
import { createCall, declaredError } from '../../../src/call/context.js'
import { ProgressReports } from '../../../src/call/progress.js'
import { defineCapability } from '../../../src/capability/define.js'
import type { UpstreamClient } from '../../../src/upstream/request.js'
import { stateOf } from '../../fixtures/state.js'

const capability = defineCapability({
  name: 'find_it',
  description: 'Finds.',
  effect: 'read',
  upstreams: ['first', 'second'],
  input: Type.Object({}),
  output: Type.Null(),
  errors: { NOT_THERE: { category: 'NOT_FOUND', retryable: true, description: 'Nothing is there.', hint: 'Look elsewhere.' } },
  handler: () => null
})
const client = {} as UpstreamClient

t.test('the handler sees who calls, its time and its log', async t => {
  const principal = { id: 'u1', scopes: [], claims: {} }
  const state = stateOf(capability, { principal, idempotencyKey: 'k1' })
  const call = createCall(state, () => client)
  t.match(call, { requestId: 'r-1', principal, idempotencyKey: 'k1', log: state.log })
  t.equal(call.signal, state.deadline.signal)
  t.ok(call.remainingMs() > 0)
})

t.test('an upstream is reached by its label, and a typo says which there are', async t => {
  const call = createCall(stateOf(capability), label => { t.equal(label, 'first'); return client })
  t.equal(call.upstream('first'), client)
  t.throws(() => call.upstream('frist'), { name: 'TypeError', message: "Expected `call.upstream` of find_it to name one of its upstreams (first, second), got 'frist'." })
})

t.test('an error is made as it was declared, with what the handler knows', async t => {
  const state = stateOf(capability)
  const call = createCall(state, () => client)
  const plain = call.error('NOT_THERE')
  t.match(plain, { code: 'NOT_THERE', category: 'NOT_FOUND', status: 404, retryable: true, message: 'Nothing is there.', details: { hint: 'Look elsewhere.' } })
  const exact = call.error('NOT_THERE', { message: "No 'x'.", details: { tried: 3, hint: 'Ask.' }, retryAfterMs: 5000 })
  t.match(exact, { message: "No 'x'.", details: { tried: '3', hint: 'Ask.' }, retryAfterMs: 5000 })
  t.strictSame([...state.made], [plain, exact])
})

t.test('a wait that is past, or no number, does not cost the error itself; an empty message is none', async t => {
  const call = createCall(stateOf(capability), () => client)
  t.match(call.error('NOT_THERE', { retryAfterMs: -5, message: ' ' }), { retryAfterMs: 0, message: 'Nothing is there.' })
  t.equal(call.error('NOT_THERE', { retryAfterMs: Number.NaN }).retryAfterMs, undefined)
})

t.test('what the framework states of a call is not for its handler to say', async t => {
  const { details } = createCall(stateOf(capability), () => client).error('NOT_THERE', { details: { outcome: 'applied', tried: 1 } })
  t.strictSame(details, { tried: '1', hint: 'Look elsewhere.' })
})

t.test('of a foreign error given to partial, nothing of its own is told', async t => {
  const state = stateOf(capability)
  createCall(state, () => client).partial({ source: 'first', error: new SyntaxError('secret leak') as never })
  t.match(state.declared.partial, [{ source: 'first', code: 'INTERNAL_ERROR' }])
  t.notMatch(JSON.stringify(state.declared), /secret/)
})

t.test('an undeclared code is refused, with the declared ones', async t => {
  t.throws(() => createCall(stateOf(capability), () => client).error('NOT_HERE'), { message: "Expected `call.error` of find_it to take one of its declared codes (NOT_THERE), got 'NOT_HERE'." })
  t.throws(() => declaredError({}, 'toString', {}, 'bare'), { message: "Expected `call.error` of bare to take one of its declared codes (it declares none), got 'toString'." })
  const bare = defineCapability({ name: 'bare', description: 'x', effect: 'read', input: Type.Object({}), output: Type.Null(), handler: () => null })
  t.throws(() => createCall(stateOf(bare), () => client).upstream('x'), /it declares none/)
})

t.test('what is tried gives its data, or its failure classified', async t => {
  const state = stateOf(capability)
  const call = createCall(state, () => client)
  t.strictSame(await call.try(() => 7), { ok: true, data: 7 })
  t.strictSame(await call.try(async () => 8), { ok: true, data: 8 })
  t.match(await call.try(() => { throw Object.assign(new Error(), { code: 'ECONNREFUSED' }) }), { ok: false, error: { code: 'UPSTREAM_UNREACHABLE' } })
  t.match(await call.try(() => { throw call.error('NOT_THERE') }), { ok: false, error: { code: 'NOT_THERE' } })
  t.equal(state.made.size, 0, 'it was thrown, and caught on purpose')
})

t.test('what a handler declares stands in meta', async t => {
  const state = stateOf(capability)
  const call = createCall(state, () => client)
  call.partial({ source: 'first', error: call.error('NOT_THERE') })
  call.partial({ source: 'second', error: call.error('NOT_THERE', { message: 'Gone.' }) })
  call.cached({ source: 'first', asOf: new Date(0) })
  call.fallback({ from: 'first', to: 'second' })
  call.empty({ searched: 'all of it', candidates: 0, widen: 'Ask for less.' })
  call.derived('one equals one')
  t.strictSame(state.declared, {
    partial: [{ source: 'first', code: 'NOT_THERE', message: 'Nothing is there.' }, { source: 'second', code: 'NOT_THERE', message: 'Gone.' }],
    cached: true,
    as_of: '1970-01-01T00:00:00.000Z',
    fallback: { from: 'first', to: 'second' },
    empty: { searched: 'all of it', candidates: 0, widen: 'Ask for less.' }
  })
  t.strictSame(state.said, { partial: new Set(['first', 'second']), cached: new Set(['first']), fallbacks: [{ from: 'first', to: 'second' }], expected: new Set(), derived: 'one equals one' })
  t.equal(state.made.size, 0, 'an error given to partial is told there')
  call.cached({ source: 'first', asOf: '2026-01-01' })
  t.equal(state.declared.as_of, '2026-01-01')
})

t.test('a failure that takes nothing from the answer is declared, with its reason in the log', async t => {
  const lines: unknown[] = []
  const quiet = { debug: (fields: unknown) => lines.push(fields), info () {}, warn () {}, error () {} }
  const state = stateOf(capability, { log: quiet as never })
  createCall(state, () => client).expected({ source: 'first', reason: 'It only counts visits.' })
  t.strictSame([...state.said.expected], ['first'])
  t.match(lines, [{ source: 'first', reason: 'It only counts visits.' }])
  t.strictSame(state.declared, {}, 'nothing of it is sent')
})

t.test('a source that speaks no HTTP is reported by the handler, and counts as an exchange', async t => {
  const state = stateOf(capability)
  const call = createCall(state, () => client)
  call.observe({ source: 'database', ok: true, effect: 'write' })
  call.observe({ source: 'queue', ok: false })
  t.match(state.ledger.exchanges, [{ upstream: 'database', effect: 'write', success: true }, { upstream: 'queue', effect: 'read', success: false, failure: { code: 'UPSTREAM_FAILED' } }])
})

t.test('how far the call has come is told to whoever asked', async t => {
  const told: unknown[] = []
  const call = createCall(stateOf(capability, { progress: new ProgressReports(one => { told.push(one) }) }), () => client)
  call.progress({ done: 1, total: 2, message: 'Half.' })
  t.strictSame(told, [{ done: 1, total: 2, message: 'Half.' }])
  t.doesNotThrow(() => createCall(stateOf(capability), () => client).progress({ done: 1 }))
})

t.test('a source that nobody knows, a date that is none and a name that is an address are mistakes', async t => {
  const state = stateOf(capability)
  const call = createCall(state, () => client)
  const source = 'nonsense' as 'first'
  t.throws(() => call.partial({ source, error: call.error('NOT_THERE') }), /`call.partial` of .* to name one of its upstreams \(first, second\)/)
  t.throws(() => call.cached({ source, asOf: new Date() }), /`call.cached`/)
  t.throws(() => call.fallback({ from: source, to: 'second' }), /`call.fallback`/)
  t.throws(() => call.fallback({ from: 'first', to: source }), /got 'nonsense'/)
  t.throws(() => call.expected({ source, reason: 'x' }), /`call.expected`/)
  t.throws(() => call.cached({ source: 'first', asOf: 'yesterday-ish' }), /to be told a date, got "yesterday-ish"/)
  t.throws(() => call.observe({ source: 'postgres://user:secret@host', ok: true }), { message: /^((?!secret).)*$/ })
  const alone = createCall(stateOf({ ...capability, upstreams: [] }), () => client)
  t.throws(() => alone.cached({ source, asOf: new Date() }), /\(it declares none\)/)
  call.expected({ source: 'unlabelled', reason: 'Telemetry.' })
  call.observe({ source: 'nonsense', ok: false })
  call.expected({ source, reason: 'It was observed.' })
  t.strictSame([...state.said.expected], ['unlabelled', 'nonsense'])
})
