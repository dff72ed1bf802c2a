import t from 'tap'
import { setTimeout as wait } from 'node:timers/promises'
import { Type } from '@sinclair/typebox'
import type { Door } from '../../../src/call/door.js'
import { invoke } from '../../../src/call/invoke.js'
import { prepare } from '../../../src/call/prepared.js'
import { redactLine } from '../../../src/call/secrets.js'
import type { CallReport } from '../../../src/call/service.js'
import { defineCapability, type Capability } from '../../../src/capability/define.js'
import type { HonestyOptions } from '../../../src/capability/honesty-rules.js'
import { watchClients } from '../../../src/upstream/observe.js'
import { fakeUpstream } from '../../fixtures/fake-upstream.js'
import { echo, nextTurn, oneAtATime, pay, rate, slow, talkative } from '../../fixtures/invoked.js'
import { answer, brokenLog, doorOf, http, oneUpstream, upstreamsOf } from '../../fixtures/invoking.js'
import { serviceOf } from '../../fixtures/service.js'
import { until } from '../../fixtures/until.js'

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

t.test('a failed upstream is classified without a try in the handler', async t => {
  const { fake, upstreams } = await oneUpstream(t, 'rates', http(429, '{}', 'retry-after: 7\r\n'))
  t.match(await answer(rate, {}, { upstreams }), { status: 429, headers: { 'retry-after': '7', 'x-should-retry': 'true' }, body: { error: { code: 'UPSTREAM_RATE_LIMITED', details: { retry_after: '7s', upstream: 'rates', next_action: 'wait_and_retry' } } } })
  t.equal(fake.hits(), 1)
})

t.test('a status can mean a declared error, which keeps its own hint', async t => {
  const { upstreams } = await oneUpstream(t, 'rates', http(404, '{}'))
  t.match(await answer(rate, {}, { upstreams }), { status: 404, body: { error: { code: 'NO_RATE', retryable: false, details: { hint: 'Another pair.', upstream_status: '404' } } } })
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
      await wait(300)
      const tried = await call.try(() => call.upstream('rates').get('/'))
      error = 'error' in tried && tried.error
      return null
    }
  })
  t.match(await answer(late, {}, { upstreams: upstreamsOf(t, { rates: { baseUrl: fake.url } }) }), { status: 504 })
  await until(() => error !== undefined)
  t.match(error, { code: 'UPSTREAM_TIMEOUT' })
  t.equal(fake.hits(), 0)
})

t.test('a caller in a hurry gets its answer in time, but cuts off no write that has begun', async t => {
  const patient = defineCapability({ name: 'patient', description: 'Waits.', effect: 'read', input: Type.Object({}), output: Type.Null(), async handler () { await wait(400); return null } })
  t.match(await answer(patient, {}, { timeoutMs: 100 }), { status: 504, body: { error: { message: 'patient was not done within its 100 ms.' } } })
  const writing = await answer(pay(), {}, { timeoutMs: 100, upstreams: (await oneUpstream(t, 'bank', undefined)).upstreams })
  t.match(writing, { status: 500, body: { error: { message: 'pay was not done within its 300 ms.', details: { outcome: 'unknown' } } } })
})

t.test('the trace of a call goes on to its upstreams', async t => {
  const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'
  let request = ''
  const fake = await fakeUpstream(t, (socket, _, text) => { request = text; socket.write(http(200, '{"rate":2}')) })
  await answer(rate, {}, { traceparent, upstreams: upstreamsOf(t, { rates: { baseUrl: fake.url } }) })
  t.match(request.toLowerCase(), `traceparent: ${traceparent}`)
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

t.test('sensitive input is in no failure and no progress', async t => {
  const told: unknown[] = []
  const progress = (one: unknown): void => { told.push(one) }
  t.match((await answer(talkative, { pin: 'pin-98765', way: 'fail' }, { progress })).body.error, { message: 'No [redacted].', details: { tried: '[redacted]' } })
  t.match((await answer(talkative, { pin: 'pin-98765', way: 'part' }, { progress })).body.data, { pin: 'pin-98765' })
  t.match(told, [{ message: 'trying [redacted]' }, { message: 'trying [redacted]' }])
})

t.test('a log that cannot be written loses no answer', async t => {
  const log = brokenLog
  for (const text of ['bug', 'LOUD', 'nothing']) t.match(await answer(echo, { text }, { log }), { body: { success: false, error: { code: /INTERNAL_ERROR|TOO_LOUD|EMPTY_HANDLER_RESULT/ } } }, text)
  const lenient = { ...echo, honesty: { 'no-result': 'warn' }, output: Type.String(), handler: () => undefined as never } as const
  t.match(await answer(lenient, { text: 'x' }, { log }), { status: 200, body: { success: true, meta: { warnings: [{ rule: 'no-result' }] } } })
  let hangUp = (): void => {}
  const gone = answer({ ...slow('read'), timeoutMs: 1000 }, {}, { log, onGone: listener => { hangUp = listener; return () => {} } })
  hangUp()
  t.ok((await gone).gone)
  // Nobody waits for this one any more: what it throws would end the process.
  let done = false
  t.match(await answer(slow('read', async () => { await wait(600); done = true }), {}, { log }), { status: 504 })
  await until(() => done)
  await nextTurn()
})

t.test('what a handler says beside its data, and is no JSON, is a failed call', async t => {
  const reports: CallReport[] = []
  const count = { ...echo, effect: 'write', handler: (_: unknown, call: any) => { call.empty({ searched: 'all', candidates: 10n }); return { text: 'x', times: 1 } } } as const
  const { door, lines } = doorOf()
  const result = await invoke(prepare(count), serviceOf(new Map(), report => reports.push(report)), { text: 'x' }, door)
  t.match(JSON.parse(result!.body), { success: false, error: { code: 'INTERNAL_ERROR', retryable: false, details: { outcome: 'unknown' } } })
  t.notMatch(result!.body, /BigInt/)
  t.match(lines, [{ level: 'error', fields: { code: 'INTERNAL_ERROR', err: { message: /BigInt/ } } }])
  t.match(reports, [{ outcome: 'failure', code: 'INTERNAL_ERROR' }])
})

t.test('data that throws when it is looked at again is a failed call, and what it throws is in the log alone', async t => {
  const seen = new Set<string>()
  for (const thrown of [new Error('secret detail'), Object.create(null), null, Symbol('secret')]) {
    for (let last = 0; last < 6; last++) {
      let looks = 0
      const data = { get text () { if (looks++ >= last) throw thrown; return 'x' }, times: 1 }
      const { status, body, lines } = await answer({ ...echo, handler: () => data }, { text: 'x' })
      if (status === 200) continue
      seen.add(body.error.code)
      t.match(body, { success: false, error: { code: /^(OUTPUT_INVALID|INTERNAL_ERROR)$/, category: 'SERVICE_ERROR', retryable: false } })
      t.notMatch(JSON.stringify(body), /secret|convert/)
      t.match(lines, [{ level: 'error', fields: { capability: 'echo', err: { message: /\w/ } } }])
    }
  }
  t.strictSame([...seen].sort(), ['INTERNAL_ERROR', 'OUTPUT_INVALID'])
})

t.test('a handler that is not async is one all the same, and so is one with promises of its own making', async t => {
  const run = async (handler: () => unknown) => await answer({ ...echo, handler: handler as never }, { text: 'x' })
  const data = { text: 'x', times: 1 }
  const boom = new Error('secret detail')
  const thenable = (then: unknown): object => Object.defineProperty({}, 'then', { value: then })
  for (const handler of [() => data, async () => data, () => thenable((resolve: (value: unknown) => void) => resolve(data)), () => thenable((resolve: (value: unknown) => void) => setTimeout(resolve, 1, Promise.resolve(data)))]) {
    t.match(await run(handler), { status: 200, body: { success: true, data }, lines: [] })
  }
  const hostile = Object.defineProperty({}, 'then', { get () { throw boom } })
  for (const handler of [() => { throw boom }, async () => { throw boom }, () => thenable((_: unknown, reject: (reason: unknown) => void) => reject(boom)), () => thenable(() => { throw boom }), () => hostile]) {
    t.match(await run(handler), { status: 500, body: { error: { code: 'INTERNAL_ERROR', retryable: false } }, lines: [{ level: 'error', fields: { code: 'INTERNAL_ERROR', err: boom } }] })
  }
  const twice = () => thenable((resolve: (value: unknown) => void, reject: (reason: unknown) => void) => { resolve(data); reject(boom); resolve({}) })
  t.match(await run(twice), { status: 200, body: { data }, lines: [] }, 'the first word counts')
})

t.test('a handler that throws at once gives its turn to the next, as does one that answers at once', async t => {
  let runs = 0
  const prepared = prepare({ ...echo, maxConcurrent: 1, handler: () => { if (runs++ === 0) throw new Error('boom'); return { text: 'x', times: 1 } } })
  const service = serviceOf()
  const call = async () => await invoke(prepared, service, { text: 'x' }, doorOf().door)
  t.strictSame([(await call())?.status, (await call())?.status, (await call())?.status], [500, 200, 200])
})

t.test('a call that never has its turn keeps nothing of its sensitive input back from the log of others', async t => {
  const input = { pin: 'pin-98765', way: 'part' }
  const line = (): string => redactLine('{"text":"is pin-98765"}\n')
  const ends: Array<() => void> = []
  const prepared = prepare({ ...talkative, maxConcurrent: 1, timeoutMs: 30, handler: async () => await new Promise<never>((_resolve, reject) => { ends.push(() => reject(new Error('boom'))) }) })
  const call = async () => await invoke(prepared, serviceOf(), input, doorOf().door)
  const answers = await Promise.all([call(), call()])
  t.strictSame(answers.map(answer => answer?.status), [504, 504])
  t.notMatch(line(), /98765/, 'the handler of the first is still at work')
  ends[0]!()
  await nextTurn()
  await nextTurn()
  t.match(line(), /98765/)
  t.equal(ends.length, 1)
})
