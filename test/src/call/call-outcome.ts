import { setTimeout as wait } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { Type, type TSchema } from '@sinclair/typebox'
import { defineCapability, type Capability } from '../../../src/capability/define.js'
import type { Upstream } from '../../../src/upstream/client.js'
import { watchClients } from '../../../src/upstream/observe.js'
import type { UpstreamOptions } from '../../../src/upstream/options.js'
import { fakeUpstream } from '../../fixtures/fake-upstream.js'
import { nextTurn, oneAtATime, pay, slow } from '../../fixtures/invoked.js'
import { answer, http, oneUpstream, upstreamsOf } from '../../fixtures/invoking.js'
import { until } from '../../fixtures/until.js'

const bank = async (t: Test, reply: string | undefined, options?: Partial<UpstreamOptions>) => (await oneUpstream(t, 'bank', reply, options)).upstreams

t.test('a write without declared upstreams that is still running may have happened', async t => {
  t.match(await answer(slow('write'), {}), { status: 500, body: { error: { code: 'REQUEST_TIMEOUT', retryable: false, details: { outcome: 'unknown', next_action: 'escalate' } } } })
})

t.test('what a write did whose caller is gone stands in the log: nobody else is told', async t => {
  let isAtWork = false
  const leave = async (capability: Capability<any, any, any>, upstreams = new Map<string, Upstream>()) => {
    let hangUp = () => {}
    isAtWork = false
    const pending = answer({ ...capability, timeoutMs: 60_000 }, {}, { upstreams, onGone: listener => { hangUp = listener; return () => {} } })
    await until(() => isAtWork)
    hangUp()
    return (await pending).lines[0]
  }
  const busy = slow('write', async signal => {
    isAtWork = true
    await new Promise(resolve => signal.addEventListener('abort', resolve))
  })
  t.match(await leave(busy), { level: 'warn', fields: { code: 'CALLER_GONE', outcome: 'unknown' } })
  const fake = await fakeUpstream(t, () => { isAtWork = true })
  const tool = (ask: 'get' | 'post') => defineCapability({ name: 'tool', description: 'x', effect: 'write', upstreams: ['source'], input: Type.Object({}), output: Type.Null(), handler: async (_, call) => { await call.upstream('source')[ask]('/x'); return null } })
  const upstreams = upstreamsOf(t, { source: { baseUrl: fake.url } })
  t.match(await leave(tool('post'), upstreams), { level: 'warn', fields: { outcome: 'unknown' } })
  t.match(await leave(tool('get'), upstreams), { level: 'info', fields: { outcome: 'not_applied' } })
  const reading = await leave({ ...busy, effect: 'read' })
  t.match(reading, { level: 'info', fields: { code: 'CALLER_GONE' } })
  t.notOk('outcome' in reading!.fields, 'a read has no outcome')
})

t.test('a write that was sent and not answered may have happened, whoever says so', async t => {
  const unknown = { status: 500, body: { error: { category: 'SERVICE_ERROR', retryable: false, details: { outcome: 'unknown', next_action: 'escalate' } } } }
  const byUpstream = await answer(pay(), {}, { upstreams: await bank(t, undefined, { timeoutMs: 30 }) })
  t.match(byUpstream, unknown)
  t.equal(byUpstream.body.error.code, 'UPSTREAM_TIMEOUT')
  const byDeadline = await answer(pay(), {}, { upstreams: await bank(t, undefined) })
  t.match(byDeadline, unknown)
  t.equal(byDeadline.body.error.code, 'REQUEST_TIMEOUT')
  t.match(await answer(pay(), {}, { upstreams: await bank(t, http(503, '{}')) }), unknown)
  const repeatable = await answer(pay({ idempotent: true }), {}, { upstreams: await bank(t, http(503, '{}')) })
  t.match(repeatable, { status: 502, body: { error: { retryable: true, details: { outcome: 'unknown' } } } })
})

t.test('a write that was carried out is told so, when the call then breaks off', async t => {
  for (const [then, code] of [['bug', 'INTERNAL_ERROR'], ['bad output', 'OUTPUT_INVALID']] as const) {
    t.match(await answer(pay({ then }), {}, { upstreams: await bank(t, http(201, '{}')) }), { status: 500, body: { error: { code, retryable: false, details: { outcome: 'applied', next_action: 'escalate' } } } })
  }
})

t.test('a write that was refused or never sent changed nothing', async t => {
  t.match(await answer(pay(), {}, { upstreams: await bank(t, http(409, '{}')) }), { status: 400, body: { error: { code: 'UPSTREAM_CONFLICT', details: { outcome: 'not_applied', hint: /earlier attempt/ } } } })
  t.match(await answer(pay(), {}, { upstreams: upstreamsOf(t, { bank: { baseUrl: 'http://127.0.0.1:1' } }) }), { status: 502, body: { error: { code: 'UPSTREAM_UNREACHABLE', retryable: true, details: { outcome: 'not_applied' } } } })
  t.match(await answer(pay(), { amount: 1 }), { status: 400, body: { error: { code: 'INVALID_INPUT', retryable: true, details: { outcome: 'not_applied' } } } })
})

t.test('without declared upstreams an undeclared throw leaves a write unknown; a declared error does not', async t => {
  t.match(await answer(pay({ upstreams: false }), {}), { status: 500, body: { error: { code: 'INTERNAL_ERROR', details: { outcome: 'unknown' } } } })
  t.match(await answer(pay({ upstreams: false, then: 'declined' }), {}), { status: 400, body: { error: { code: 'DECLINED', details: { outcome: 'not_applied' } } } })
})

t.test("a write that broke off in somebody else's client may have happened, although nothing of ours was sent", async t => {
  const foreign = (thrown: unknown) => defineCapability({
    name: 'foreign', description: 'Writes by other means.', effect: 'write', upstreams: ['rates'], input: Type.Object({}), output: Type.Null(), async handler () { throw thrown }
  })
  const upstreams = upstreamsOf(t, { rates: { baseUrl: 'http://127.0.0.1:1' } })
  const unknown = { status: 500, body: { error: { retryable: false, details: { outcome: 'unknown', next_action: 'escalate' } } } }
  t.match(await answer(foreign(Object.assign(new Error('x'), { code: 'ECONNREFUSED', syscall: 'connect' })), {}, { upstreams }), unknown)
  t.match(await answer(foreign(new DOMException('late', 'TimeoutError')), {}, { upstreams }), unknown)
  t.match(await answer(foreign(new Error('boom')), {}, { upstreams }), { body: { error: { code: 'INTERNAL_ERROR', details: { outcome: 'not_applied' } } } })
})

t.test('the guarantee of a write reaches a refused success: what was sent, and what it may have done', async t => {
  const fake = await fakeUpstream(t, (socket, hit) => hit === 1 ? socket.write(http(201, '{}')) : socket.destroy())
  const upstreams = upstreamsOf(t, { source: { baseUrl: fake.url } })
  const tool = (output: TSchema, handler: (call: any) => unknown) => defineCapability({ name: 'tool', description: 'x', effect: 'write', upstreams: ['source'], input: Type.Object({}), output, handler: (async (_: unknown, call: unknown) => await handler(call)) as never })
  t.match(await answer(tool(Type.String(), async call => { await call.upstream('source').post('/a'); return 5 }), {}, { upstreams }), { status: 500, body: { error: { code: 'OUTPUT_INVALID', retryable: false, details: { outcome: 'applied' } } } })
  t.match(await answer(tool(Type.Null(), async call => { await call.upstream('source').post('/a').catch(() => {}); return null }), {}, { upstreams }), { status: 500, body: { error: { code: 'UPSTREAM_CONNECTION_LOST', retryable: false, details: { outcome: 'unknown', rejected: 'masked_failure', next_action: 'escalate' } } } })
})

t.test('a write handler that sends by other clients may go on after its time: nobody knows what it will do', async t => {
  const fake = await fakeUpstream(t, () => {})
  const upstreams = upstreamsOf(t, { source: { baseUrl: fake.url } })
  t.teardown(watchClients())
  const tool = (ask: (call: any) => Promise<unknown>) => defineCapability({ name: 'tool', description: 'x', effect: 'write', upstreams: ['source'], timeoutMs: 100, input: Type.Object({}), output: Type.Null(), handler: (async (_: unknown, call: unknown) => { await ask(call); return null }) as never })
  t.match(await answer(tool(async () => await fetch(`${fake.url}/slow`, { signal: AbortSignal.timeout(300) }).catch(() => {})), {}, { upstreams }), { status: 500, body: { error: { code: 'REQUEST_TIMEOUT', retryable: false, details: { outcome: 'unknown' } } } })
  t.match(await answer(tool(async call => await call.upstream('source').get('/slow')), {}, { upstreams }), { status: 504, body: { error: { code: 'REQUEST_TIMEOUT', retryable: true, details: { outcome: 'not_applied' } } } })
  const refusing = await fakeUpstream(t, (socket, _, text) => { if (text.startsWith('POST')) socket.write(http(400, '{}')) })
  const refused = upstreamsOf(t, { source: { baseUrl: refusing.url } })
  const refusedThenSlow = async () => { await (await fetch(refusing.url, { method: 'POST' })).text(); await fetch(refusing.url, { signal: AbortSignal.timeout(300) }).catch(() => {}) }
  t.match(await answer(tool(refusedThenSlow), {}, { upstreams: refused }), { status: 500, body: { error: { details: { outcome: 'unknown' } } } })
  const both = tool(async call => {
    const slow = fetch(`${fake.url}/slow`, { signal: AbortSignal.timeout(300) }).catch(() => {})
    await new Promise(resolve => setTimeout(resolve, 30))
    throw call.signal.aborted ? slow : new Error('boom')
  })
  t.match(await answer(both, {}, { upstreams }), { status: 500, body: { error: { details: { outcome: 'unknown' } } } })
})

t.test('a write handler that is still at work after its time may yet write, whatever it has sent so far', async t => {
  const fake = await fakeUpstream(t, (socket, _, text) => { if (text.startsWith('GET /seats')) socket.write(http(200, '{}')); if (text.startsWith('POST')) socket.write(http(400, '{}')) })
  const upstreams = upstreamsOf(t, { source: { baseUrl: fake.url } })
  const tool = (ask: (source: any) => Promise<unknown>, effect: 'read' | 'write' = 'write', idempotent = false) => defineCapability({
    name: 'tool', description: 'x', effect, idempotent, upstreams: ['source'], timeoutMs: 100, input: Type.Object({}), output: Type.Null(), handler: async (_, call) => { await ask(call.upstream('source')); await wait(700); return null }
  })
  const unknown = { status: 500, body: { error: { code: 'REQUEST_TIMEOUT', retryable: false, details: { outcome: 'unknown', next_action: 'escalate' } } } }
  t.match(await answer(tool(async () => {}), {}, { upstreams }), unknown, 'it has sent nothing')
  t.match(await answer(tool(async source => await source.get('/seats')), {}, { upstreams }), unknown, 'it has looked')
  t.match(await answer(tool(async source => await source.post('/seats').catch(() => {})), {}, { upstreams }), unknown, 'it was refused')
  t.match(await answer(tool(async source => await source.get('/slow').catch(() => {})), {}, { upstreams }), unknown, 'it goes on after its time')
  t.match(await answer(tool(async () => {}, 'write', true), {}, { upstreams }), { status: 504, body: { error: { retryable: true, details: { outcome: 'unknown' } } } }, 'sent twice it does no harm')
  const read = await answer(tool(async () => {}, 'read'), {}, { upstreams })
  t.match(read, { status: 504, body: { error: { retryable: true } } })
  t.notOk('outcome' in read.body.error.details)
})

t.test('a write handler that says it is done, and is refused, may have written what nobody saw', async t => {
  const fake = await fakeUpstream(t, socket => socket.write(http(503, '{}')))
  const upstreams = upstreamsOf(t, { source: { baseUrl: fake.url } })
  const tool = defineCapability({ name: 'tool', description: 'x', effect: 'write', upstreams: ['source'], input: Type.Object({}), output: Type.Null(), handler: async (_, call) => { await call.upstream('source').get('/x').catch(() => {}); return null } })
  t.match(await answer(tool, {}, { upstreams }), { status: 500, body: { error: { code: 'UPSTREAM_UNAVAILABLE', retryable: false, details: { rejected: 'masked_failure', outcome: 'unknown' } } } })
})

t.test('waiting is part of the time a call has: nothing was carried out when it is over', async t => {
  for (const effect of ['read', 'write'] as const) {
    const { running, call } = oneAtATime(effect, 1)
    const first = call(1)
    const late = await call(2, { timeoutMs: 20 })
    t.match(late, { status: 504, body: { error: { code: 'REQUEST_TIMEOUT', message: 'It was not the turn of this call of press within its 20 ms.', retryable: true } } })
    t.equal(late.body.error.details.outcome, effect === 'write' ? 'not_applied' : undefined)
    running[0]!()
    t.equal((await first).status, 200)
    t.equal(running.length, 1, 'it never ran')
  }
})

t.test('a caller that goes away leaves the queue', async t => {
  const { running, call } = oneAtATime('write', 1)
  const first = call(1)
  let leave = (): void => {}
  const second = call(2, { onGone: listener => { leave = listener; return () => {} } })
  leave()
  t.match(await second, { status: undefined, lines: [{ level: 'info', fields: { code: 'CALLER_GONE', outcome: 'not_applied' } }] })
  const third = call(3)
  running[0]!()
  t.match(await first, { body: { data: 1 } })
  await nextTurn()
  running[1]!()
  t.match(await third, { body: { data: 3 } })
})
