import t, { type Test } from 'tap'
import { setTimeout as wait } from 'node:timers/promises'
import { Type, type TSchema } from '@sinclair/typebox'
import type { Door } from '../../../src/call/door.js'
import { invoke } from '../../../src/call/invoke.js'
import { prepare } from '../../../src/call/prepared.js'
import type { CallReport } from '../../../src/call/service.js'
import { defineCapability, type Capability } from '../../../src/capability/define.js'
import type { HonestyOptions } from '../../../src/capability/honesty-rules.js'
import { Upstream } from '../../../src/upstream/client.js'
import { watchClients } from '../../../src/upstream/observe.js'
import type { UpstreamOptions } from '../../../src/upstream/options.js'
import { fakeUpstream } from '../../fixtures/fake-upstream.js'
import { serviceOf } from '../../fixtures/service.js'
import { until } from '../../fixtures/until.js'

type Lines = Array<{ level: string, fields: any, message?: string }>

function doorOf (more: Partial<Door> = {}): { door: Door, lines: Lines } {
  const lines: Lines = []
  const line = (level: string) => (fields: unknown, message?: string) => { lines.push({ level, fields, message }) }
  return { lines, door: { requestId: 'r-1', log: { debug: line('debug'), info: line('info'), warn: line('warn'), error: line('error') }, ...more } }
}

function upstreamsOf (t: Test, options: Record<string, UpstreamOptions>): Map<string, Upstream> {
  const upstreams = new Map(Object.entries(options).map(([label, one]) => [label, new Upstream(label, one)]))
  t.teardown(async () => { await Promise.all([...upstreams.values()].map(upstream => upstream.close())) })
  return upstreams
}

async function answer (capability: Capability<any, any, any>, input: unknown, { upstreams = new Map<string, Upstream>(), ...more }: Partial<Door> & { upstreams?: Map<string, Upstream> } = {}) {
  const { door, lines } = doorOf(more)
  const result = await invoke(prepare(capability), serviceOf(upstreams), input, door)
  return { status: result?.status, headers: result?.headers, body: result && JSON.parse(result.body), lines, gone: result === undefined }
}

const http = (status: number, body: string, headers = '') => `HTTP/1.1 ${status} X\r\ncontent-type: application/json\r\n${headers}content-length: ${body.length}\r\n\r\n${body}`

const echo = defineCapability({
  name: 'echo',
  description: 'Says it again.',
  effect: 'read',
  input: Type.Object({ text: Type.String(), times: Type.Optional(Type.Integer({ default: 1 })) }),
  output: Type.Object({ text: Type.String(), times: Type.Integer() }),
  errors: { TOO_LOUD: { category: 'INPUT_ERROR', retryable: true, description: 'Too loud.' } },
  handler (input, call) {
    const { text, times = 0 } = input
    if (text === 'bug') throw new Error('secret detail')
    if (text === 'LOUD') throw call.error('TOO_LOUD')
    if (text === 'quiet loud') call.error('TOO_LOUD')
    if (text === 'nothing') return undefined as never
    if (text === 'more') return { text, times, secret: 's' } as never
    return { text, times }
  }
})

t.test('a right call is answered with its data, defaults filled in', async t => {
  const { status, headers, body, lines } = await answer(echo, { text: 'hi' })
  t.equal(status, 200)
  t.match(headers, { 'x-request-id': 'r-1' })
  t.strictSame(body, { success: true, data: { text: 'hi', times: 1 } })
  t.strictSame(lines, [], 'a success has nothing to say in the log')
})

t.test('a wrong call never reaches the handler', async t => {
  const { status, body, lines } = await answer(echo, { txt: 'hi' })
  t.equal(status, 400)
  t.match(body, { success: false, error: { code: 'INVALID_INPUT', retryable: true, details: { next_action: 'fix_input' } } })
  t.notOk('outcome' in body.error.details, 'a read has no outcome')
  t.match(lines, [{ level: 'info', fields: { capability: 'echo', code: 'INVALID_INPUT' } }])
})

t.test('a declared error is the answer; made and not thrown it is too', async t => {
  for (const text of ['LOUD', 'quiet loud']) t.match(await answer(echo, { text }), { status: 400, body: { error: { code: 'TOO_LOUD', retryable: true } } })
})

t.test('a bug is logged with its cause and answered without it', async t => {
  const { status, body, lines } = await answer(echo, { text: 'bug' })
  t.equal(status, 500)
  t.match(body.error, { code: 'INTERNAL_ERROR', retryable: false })
  t.notMatch(JSON.stringify(body), /secret/)
  t.match(lines, [{ level: 'error', fields: { capability: 'echo', code: 'INTERNAL_ERROR', err: { message: 'secret detail' } } }])
})

t.test('a handler that returns nothing has no success', async t => {
  t.match(await answer(echo, { text: 'nothing' }), { status: 500, body: { error: { code: 'EMPTY_HANDLER_RESULT' } } })
})

t.test('undeclared fields are left out, and the log says which', async t => {
  const { body, lines } = await answer(echo, { text: 'more' })
  t.strictSame(body.data, { text: 'more', times: 1 })
  t.match(lines, [{ level: 'warn', fields: { capability: 'echo', fields: ['secret'] } }])
})

const slow = (effect: 'read' | 'write', run: (signal: AbortSignal) => Promise<unknown> = async () => { await wait(60) }) => defineCapability({
  name: 'slow', description: 'Takes its time.', effect, timeoutMs: 20, input: Type.Object({}), output: Type.Null(), async handler (_, call) { await run(call.signal); return null }
})

t.test('after its time a call is answered, whatever its handler still does', async t => {
  const { status, body, lines } = await answer(slow('read'), {})
  t.equal(status, 504)
  t.match(body.error, { code: 'REQUEST_TIMEOUT', category: 'SERVICE_ERROR', retryable: true, message: 'slow was not done within its 20 ms.' })
  await until(() => lines.length > 1)
  t.match(lines, [{ level: 'warn', fields: { code: 'REQUEST_TIMEOUT' } }, { level: 'warn', message: 'A handler answered after its call had ended; the answer is dropped.' }])
})

t.test('a handler that gives up with its deadline is not heard of again', async t => {
  const { body, lines } = await answer(slow('read', async signal => { await new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason))) }), {})
  t.equal(body.error.code, 'REQUEST_TIMEOUT')
  t.equal(lines.length, 1)
})

t.test('a write without declared upstreams that is still running may have happened', async t => {
  t.match(await answer(slow('write'), {}), { status: 500, body: { error: { code: 'REQUEST_TIMEOUT', retryable: false, details: { outcome: 'unknown', next_action: 'escalate' } } } })
})

t.test('a caller that is gone is not answered; its handler is told', async t => {
  let fired: unknown
  let hangUp = () => {}
  const pending = answer(slow('read', async signal => { await new Promise(resolve => signal.addEventListener('abort', () => { fired = signal.reason; resolve(undefined) })) }), {}, { onGone: listener => { hangUp = listener; return () => {} } })
  hangUp()
  const { gone, lines } = await pending
  t.ok(gone)
  t.match(fired, { name: 'AbortError' })
  t.match(lines[0], { level: 'info', fields: { capability: 'slow', code: 'CALLER_GONE' } })
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
})

const Rate = Type.Object({ rate: Type.Number() })
const rate = defineCapability({
  name: 'rate',
  description: 'A rate.',
  effect: 'read',
  evidence: 'upstream',
  upstreams: ['rates'],
  input: Type.Object({ mode: Type.Optional(Type.String()) }),
  output: Rate,
  errors: { NO_RATE: { category: 'NOT_FOUND', description: 'No rate.', hint: 'Another pair.' } },
  async handler ({ mode }, call) {
    if (mode === 'made up') return { rate: 1 }
    if (mode === 'derived') { call.derived('the same currency'); return { rate: 1 } }
    const { data } = await call.upstream('rates').get('/rate', { schema: Rate, errors: { 404: 'NO_RATE' } })
    if (mode === 'partial') call.partial({ source: 'rates', error: call.error('NO_RATE') })
    return data
  }
})

async function rates (t: Test, reply: string | undefined, options: Partial<UpstreamOptions> = {}) {
  const fake = await fakeUpstream(t, socket => { if (reply !== undefined) socket.write(reply) })
  return { fake, upstreams: upstreamsOf(t, { rates: { baseUrl: fake.url, ...options } }) }
}

t.test('a success names the sources that stand behind it', async t => {
  const { upstreams } = await rates(t, http(200, '{"rate":2,"more":1}'))
  t.strictSame((await answer(rate, {}, { upstreams })).body, { success: true, data: { rate: 2 }, meta: { sources: ['rates'] } })
  t.match((await answer(rate, { mode: 'partial' }, { upstreams })).body.meta, { sources: ['rates'], partial: [{ source: 'rates', code: 'NO_RATE' }] })
})

t.test('a stand-in shows, where it is configured as one and says so', async t => {
  const { upstreams } = await rates(t, http(200, '{"rate":2}', 'x-candor-simulated: true\r\n'), { simulated: true })
  t.equal((await answer(rate, {}, { upstreams })).body.meta.simulated, true)
  const real = await rates(t, http(200, '{"rate":2}', 'x-candor-simulated: true\r\n'))
  t.notOk('simulated' in (await answer(rate, {}, { upstreams: real.upstreams })).body.meta)
})

t.test('an answer that no source stands behind is not shown, unless it is derived', async t => {
  const { fake, upstreams } = await rates(t, http(200, '{"rate":2}'))
  t.match(await answer(rate, { mode: 'made up' }, { upstreams }), { status: 500, body: { error: { code: 'UNSUPPORTED_SUCCESS', retryable: false } } })
  t.strictSame((await answer(rate, { mode: 'derived' }, { upstreams })).body, { success: true, data: { rate: 1 } })
  t.equal(fake.hits(), 0)
})

t.test('a failed upstream is classified without a try in the handler', async t => {
  const { fake, upstreams } = await rates(t, http(429, '{}', 'retry-after: 7\r\n'))
  t.match(await answer(rate, {}, { upstreams }), { status: 429, headers: { 'retry-after': '7', 'x-should-retry': 'true' }, body: { error: { code: 'UPSTREAM_RATE_LIMITED', details: { retry_after: '7s', upstream: 'rates', next_action: 'wait_and_retry' } } } })
  t.equal(fake.hits(), 1)
})

t.test('a status can mean a declared error, which keeps its own hint', async t => {
  const { upstreams } = await rates(t, http(404, '{}'))
  t.match(await answer(rate, {}, { upstreams }), { status: 404, body: { error: { code: 'NO_RATE', retryable: false, details: { hint: 'Another pair.', upstream_status: '404' } } } })
})

const pay = (more: { upstreams?: boolean, idempotent?: boolean, then?: string } = {}) => defineCapability({
  name: 'pay',
  description: 'Pays.',
  effect: 'write',
  idempotent: more.idempotent,
  timeoutMs: 300,
  upstreams: more.upstreams === false ? [] : ['bank'],
  input: Type.Object({}),
  output: Type.Object({ id: Type.String() }),
  errors: { DECLINED: { category: 'INPUT_ERROR', description: 'Declined.' } },
  async handler (_, call) {
    if (more.upstreams === false) { if (more.then === 'declined') throw call.error('DECLINED'); throw new Error('boom') }
    const bank = (call as { upstream: (label: string) => ReturnType<typeof call.upstream> }).upstream('bank')
    await bank.post('/pay', { json: {} })
    if (more.then === 'bug') throw new Error('boom')
    return (more.then === 'bad output' ? {} : { id: 'p1' }) as never
  }
})

async function bank (t: Test, reply: string | undefined, options: Partial<UpstreamOptions> = {}) {
  const fake = await fakeUpstream(t, socket => { if (reply !== undefined) socket.write(reply) })
  return upstreamsOf(t, { bank: { baseUrl: fake.url, ...options } })
}

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

t.test('a call that is over sends nothing more', async t => {
  const fake = await fakeUpstream(t, () => {})
  let error: unknown
  const late = defineCapability({
    name: 'late',
    description: 'Sends late.',
    effect: 'read',
    timeoutMs: 10,
    upstreams: ['rates'],
    input: Type.Object({}),
    output: Type.Null(),
    async handler (_, call) {
      await wait(30)
      const tried = await call.try(() => call.upstream('rates').get('/'))
      error = 'error' in tried && tried.error
      return null
    }
  })
  t.match(await answer(late, {}, { upstreams: upstreamsOf(t, { rates: { baseUrl: fake.url } }) }), { status: 504 })
  await wait(60)
  t.match(error, { code: 'UPSTREAM_TIMEOUT' })
  t.equal(fake.hits(), 0)
})

t.test('a caller in a hurry gets its answer in time, but cuts off no write that has begun', async t => {
  const patient = defineCapability({ name: 'patient', description: 'Waits.', effect: 'read', input: Type.Object({}), output: Type.Null(), async handler () { await wait(400); return null } })
  t.match(await answer(patient, {}, { timeoutMs: 100 }), { status: 504, body: { error: { message: 'patient was not done within its 100 ms.' } } })
  const writing = await answer(pay(), {}, { timeoutMs: 100, upstreams: await bank(t, undefined) })
  t.match(writing, { status: 500, body: { error: { message: 'pay was not done within its 300 ms.', details: { outcome: 'unknown' } } } })
})

t.test('the trace of a call goes on to its upstreams', async t => {
  const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'
  let request = ''
  const fake = await fakeUpstream(t, (socket, _, text) => { request = text; socket.write(http(200, '{"rate":2}')) })
  await answer(rate, {}, { traceparent, upstreams: upstreamsOf(t, { rates: { baseUrl: fake.url } }) })
  t.match(request.toLowerCase(), `traceparent: ${traceparent}`)
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

t.test('whoever counts is told of every call once: what became of it, its exchanges, and the rules it broke', async t => {
  const reports: CallReport[] = []
  const fake = await fakeUpstream(t, (socket, hit) => socket.write(hit === 2 ? http(503, '{}') : http(200, '{}')))
  const upstreams = upstreamsOf(t, { source: { baseUrl: fake.url } })
  const run = async (capability: Capability<any, any, any>, input: unknown, more: Partial<Door> = {}) => await invoke(prepare(capability), serviceOf(upstreams, report => reports.push(report)), input, { ...doorOf().door, ...more })
  const tool = (handler: (call: any) => unknown, honesty?: HonestyOptions) => defineCapability({ name: 'tool', description: 'x', effect: 'read', honesty, upstreams: ['source'], input: Type.Object({}), output: honesty === undefined ? Type.Null() : Type.String(), handler: (async (_: unknown, call: unknown) => await handler(call)) as never })
  await run(echo, {})
  await run(tool(async call => { await call.upstream('source').get('/a'); return null }), {})
  await run(tool(async call => { await call.upstream('source').get('/b').catch(() => {}); return null }), {})
  await run(tool(() => undefined, { 'no-result': 'warn' }), {})
  await run(tool(() => { throw new Error('boom') }), {})
  let leave = (): void => {}
  const gone = run(tool(async () => await new Promise(() => {})), {}, { onGone (listener) { leave = listener; return () => {} } })
  leave()
  await gone
  t.match(reports.map(({ durationMs, exchanges, ...rest }) => ({ ...rest, exchanges: [...exchanges].map(([label, { success, failed }]) => `${label} ${success} ${failed}`), timed: durationMs >= 0 })), [
    { capability: 'echo', outcome: 'failure', code: 'MISSING_REQUIRED_FIELD', exchanges: [], rules: [], timed: true },
    { capability: 'tool', outcome: 'success', code: undefined, exchanges: ['source 1 0'], rules: [] },
    { capability: 'tool', outcome: 'failure', code: 'UPSTREAM_UNAVAILABLE', exchanges: ['source 0 1'], rules: [{ rule: 'masked-failure', refused: true }] },
    { capability: 'tool', outcome: 'success', rules: [{ rule: 'no-result', refused: false }] },
    { capability: 'tool', outcome: 'failure', code: 'INTERNAL_ERROR', rules: [] },
    { capability: 'tool', outcome: 'caller_gone', rules: [] }
  ])
  t.equal(reports.length, 6)
})

t.test('where evidence is ruled out, other clients are not looked at', async t => {
  const fake = await fakeUpstream(t, socket => socket.write(http(503, '{}')))
  const upstreams = upstreamsOf(t, { source: { baseUrl: fake.url } })
  const stop = watchClients()
  t.teardown(stop)
  const tool = (evidence?: 'none') => defineCapability({ name: 'tool', description: 'x', effect: 'read', evidence, upstreams: ['source'], input: Type.Object({}), output: Type.Null(), handler: async () => { await (await fetch(fake.url)).text(); return null } })
  t.match(await answer(tool(), {}, { upstreams }), { body: { success: false } })
  t.match(await answer(tool('none'), {}, { upstreams }), { body: { success: true } })
})

t.test('the guarantee of a write reaches a refused success: what was sent, and what it may have done', async t => {
  const fake = await fakeUpstream(t, (socket, hit) => hit === 1 ? socket.write(http(201, '{}')) : socket.destroy())
  const upstreams = upstreamsOf(t, { source: { baseUrl: fake.url } })
  const tool = (output: TSchema, handler: (call: any) => unknown) => defineCapability({ name: 'tool', description: 'x', effect: 'write', upstreams: ['source'], input: Type.Object({}), output, handler: (async (_: unknown, call: unknown) => await handler(call)) as never })
  t.match(await answer(tool(Type.String(), async call => { await call.upstream('source').post('/a'); return 5 }), {}, { upstreams }), { status: 500, body: { error: { code: 'OUTPUT_INVALID', retryable: false, details: { outcome: 'applied' } } } })
  t.match(await answer(tool(Type.Null(), async call => { await call.upstream('source').post('/a').catch(() => {}); return null }), {}, { upstreams }), { status: 500, body: { error: { code: 'UPSTREAM_CONNECTION_LOST', retryable: false, details: { outcome: 'unknown', rejected: 'masked_failure', next_action: 'escalate' } } } })
})

t.test('once a call is answered nothing more is sent for it: what was said of it holds', async t => {
  const requests: string[] = []
  const fake = await fakeUpstream(t, (socket, _, text) => {
    requests.push(text.split(' ', 2).join(' '))
    if (text.includes('/bad')) socket.write(http(503, '{}'))
    else setTimeout(() => socket.write(http(200, '{}')), 60)
  })
  const upstreams = upstreamsOf(t, { source: { baseUrl: fake.url } })
  let late: unknown
  const tool = defineCapability({
    name: 'tool',
    description: 'x',
    effect: 'write',
    upstreams: ['source'],
    input: Type.Object({}),
    output: Type.Null(),
    async handler (_, call) {
      const source = call.upstream('source')
      const slow = source.get('/slow').then(async () => await source.post('/orders')).catch(error => { late = error })
      await Promise.all([slow, source.get('/bad')])
      return null
    }
  })
  t.match(await answer(tool, {}, { upstreams }), { body: { error: { code: 'UPSTREAM_UNAVAILABLE', details: { outcome: 'not_applied' } } } })
  await wait(150)
  t.strictSame(requests.sort(), ['GET /bad', 'GET /slow'])
  t.match(late, { code: 'CALLER_GONE' })
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

t.test('a write handler that says it is done, and is refused, may have written what nobody saw', async t => {
  const fake = await fakeUpstream(t, socket => socket.write(http(503, '{}')))
  const upstreams = upstreamsOf(t, { source: { baseUrl: fake.url } })
  const tool = defineCapability({ name: 'tool', description: 'x', effect: 'write', upstreams: ['source'], input: Type.Object({}), output: Type.Null(), handler: async (_, call) => { await call.upstream('source').get('/x').catch(() => {}); return null } })
  t.match(await answer(tool, {}, { upstreams }), { status: 500, body: { error: { code: 'UPSTREAM_UNAVAILABLE', retryable: false, details: { rejected: 'masked_failure', outcome: 'unknown' } } } })
})

t.test('progress reaches the door while the call runs, and never after it', async t => {
  const told: number[] = []
  let report: (done: number) => void = () => {}
  const tool = defineCapability({
    name: 'tool',
    description: 'x',
    effect: 'read',
    evidence: 'none',
    timeoutMs: 100,
    input: Type.Object({ hang: Type.Optional(Type.Boolean()) }),
    output: Type.Null(),
    async handler ({ hang = false }, call) {
      report = done => call.progress({ done })
      report(1)
      if (hang) await new Promise(() => {})
      return null
    }
  })
  const progress = ({ done }: { done: number }) => { told.push(done) }
  t.equal((await answer(tool, {}, { progress })).status, 200)
  report(2)
  t.equal((await answer(tool, { hang: true }, { progress })).status, 504)
  report(3)
  t.strictSame(told, [1, 1])
  t.equal((await answer(tool, {})).status, 200, 'a door that cannot tell loses nothing')
})

/** A capability that runs one call at a time, as many waiting as are said, and ends each when it is told. */
function oneAtATime (effect: 'read' | 'write', maxQueued: number, timeoutMs = 60_000) {
  const running: Array<() => void> = []
  const capability = defineCapability({
    name: 'press', description: 'Prints.', effect, evidence: 'none', maxConcurrent: 1, maxQueued, timeoutMs, input: Type.Object({ page: Type.Integer() }), output: Type.Integer(), handler: async ({ page }) => await new Promise<number>(resolve => { running.push(() => resolve(page)) })
  })
  const prepared = prepare(capability)
  const reports: CallReport[] = []
  const service = serviceOf(new Map(), report => reports.push(report))
  const call = async (page: unknown, more: Partial<Door> = {}) => {
    const { door, lines } = doorOf(more)
    const result = await invoke(prepared, service, { page }, door)
    return { status: result?.status, headers: result?.headers, body: result && JSON.parse(result.body), lines }
  }
  return { running, reports, call }
}

const nextTurn = async (): Promise<void> => { await new Promise(resolve => setImmediate(resolve)) }

t.test('a call waits for its turn; one for which there is no room is told when to come back', async t => {
  for (const effect of ['read', 'write'] as const) {
    const { running, reports, call } = oneAtATime(effect, 1)
    const [first, second] = [call(1), call(2)]
    const full = await Promise.all([call(3), call(4), call('x')])
    t.match(full[0], { status: 503, headers: { 'retry-after': '1', 'x-should-retry': 'true' }, body: { error: { code: 'OVERLOADED', retryable: true, details: { retry_after: '1s', next_action: 'wait_and_retry' } } }, lines: [{ level: 'warn', fields: { code: 'OVERLOADED' } }] })
    t.equal(full[0].body.error.details.outcome, effect === 'write' ? 'not_applied' : undefined)
    t.equal(full[1].headers?.['retry-after'], '2', 'not all at once')
    t.equal(full[2].status, 400, 'what is wrong is said first')
    t.equal(running.length, 1)
    running[0]!()
    t.match(await first, { body: { data: 1 } })
    await nextTurn()
    running[1]!()
    t.match(await second, { body: { data: 2 } })
    t.strictSame(reports.map(({ code }) => code), ['OVERLOADED', 'OVERLOADED', 'INVALID_INPUT', undefined, undefined])
  }
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

t.test('a handler that runs on after its deadline still takes up its place', async t => {
  const { running, call } = oneAtATime('read', 1, 20)
  t.match(await call(1), { status: 504, body: { error: { message: 'press was not done within its 20 ms.' } } })
  t.match(await call(2), { status: 504, body: { error: { message: 'It was not the turn of this call of press within its 20 ms.' } } })
  running[0]!()
  await nextTurn()
  const third = call(3)
  await nextTurn()
  running[1]!()
  t.match(await third, { body: { data: 3 } })
})

t.test('callers of a limited upstream are told one second after the other', async t => {
  const up = await fakeUpstream(t, socket => socket.end(http(429, '{}', 'retry-after: 60\r\nconnection: close\r\n')))
  const upstreams = upstreamsOf(t, { up: { baseUrl: up.url } })
  const capability = defineCapability({ name: 'ask', description: 'Asks.', effect: 'read', upstreams: ['up'], input: Type.Object({}), output: Type.Unknown(), handler: async (_, call) => (await call.upstream('up').get('/')).data })
  const service = serviceOf(upstreams)
  const answers = await Promise.all([1, 2, 3].map(async () => await invoke(prepare(capability), service, {}, doorOf().door)))
  t.strictSame(answers.map(answer => Number(answer?.headers['retry-after'])).sort(), [60, 61, 62])
  for (const answer of answers) t.equal(JSON.parse(answer!.body).error.details.retry_after, `${answer!.headers['retry-after']}s`)
})

t.test('sensitive input is in no failure, no reason of a missing part and no progress; data is left alone', async t => {
  const told: unknown[] = []
  const upstreams = upstreamsOf(t, { rates: { baseUrl: 'http://127.0.0.1:1' } })
  const pay = defineCapability({
    name: 'pay',
    description: 'Pays.',
    effect: 'read',
    evidence: 'none',
    upstreams: ['rates'],
    input: Type.Object({ pin: Type.String({ minLength: 4, 'x-candor-sensitive': true }), way: Type.String() }),
    output: Type.Object({ pin: Type.String() }),
    errors: { WRONG_PIN: { category: 'INPUT_ERROR', description: 'Wrong.' } },
    check: ({ pin }) => pin === 'pin-00000' ? [{ field: 'pin', rule: 'zero', expected: `another than ${pin}` }] : [],
    handler: async ({ pin, way }, call) => {
      call.progress({ done: 1, message: `trying ${pin}` })
      const error = call.error('WRONG_PIN', { message: `No ${pin}.`, details: { tried: pin } })
      if (way === 'fail') throw error
      call.partial({ source: 'rates', error })
      return { pin }
    }
  })
  const progress = (one: unknown): void => { told.push(one) }
  t.match((await answer(pay, { pin: 'pin-98765', way: 'fail' }, { upstreams, progress })).body.error, { message: 'No [redacted].', details: { tried: '[redacted]' } })
  t.match((await answer(pay, { pin: 'pin-98765', way: 'part' }, { upstreams, progress })).body, { data: { pin: 'pin-98765' }, meta: { partial: [{ source: 'rates', message: 'No [redacted].' }] } })
  t.match(told, [{ message: 'trying [redacted]' }, { message: 'trying [redacted]' }])
  t.match((await answer(pay, { pin: 'pin-00000', way: 'x' }, { upstreams })).body.error.details, { field: 'pin', expected: 'another than [redacted]' })
})
