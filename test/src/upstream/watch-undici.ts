import { channel } from 'node:diagnostics_channel'
import http from 'node:http'
import t, { type Test } from 'tap'
import { Agent, interceptors, Pool, ProxyAgent, request, upgrade } from 'undici'
import { noLongerRunning, nowRunning, recorded, unobserved } from '../../../src/upstream/observer.js'
import type { Behaviour, BehaviourName } from '../../../src/testing/rogue-behaviours.js'
import { answering } from '../../../src/testing/rogue-behaviours.js'
import { createRogueServer } from '../../../src/testing/rogue-server.js'
import { watchUndici } from '../../../src/upstream/watch-undici.js'
import { fakeCall, serve } from '../../fixtures/observing.js'

const stopFirst = watchUndici()

function agentOf (t: Test, options: Agent.Options = {}): Agent {
  const agent = new Agent(options)
  t.teardown(() => agent.destroy())
  return agent
}

async function rogue (t: Test, behaviour: BehaviourName | Behaviour): Promise<string> {
  const server = await createRogueServer(behaviour)
  t.teardown(() => server.close())
  return server.url
}

type Send = (url: string, options: { method: 'GET' | 'POST', signal?: AbortSignal }) => Promise<unknown>

// The fetch of Node itself sends with an undici of its own.
const clients = (t: Test): Record<string, Send> => {
  const dispatcher = agentOf(t)
  return {
    fetch: async (url, options) => await (await fetch(url, options)).text(),
    undici: async (url, options) => await (await request(url, { ...options, dispatcher })).body.text()
  }
}

t.test('a success is recorded, of a client that says what it is', async t => {
  const { url } = await serve(t, (_, response) => { response.setHeader('x-candor-simulated', 'true').end('{"ok":true}') })
  for (const send of Object.values(clients(t))) {
    const call = fakeCall({ [url]: { label: 'bank', declared: true, simulated: true } })
    t.match(await call.only(() => send(`${url}/pay?x=1`, { method: 'POST' })), {
      upstream: 'bank', declared: true, origin: url, method: 'POST', path: '/pay?x=1', effect: 'write', sent: true, status: 200, complete: true, success: true, simulated: true, foreign: true, ownerUncertain: undefined
    })
  }
})

t.test('a request of nobody is not recorded, however it ends', async t => {
  const { url } = await serve(t, (_, response) => { response.end('ok') })
  const call = fakeCall()
  for (const send of Object.values(clients(t))) {
    await send(url, { method: 'GET' })
    await call.settle(() => unobserved(() => send(url, { method: 'GET' })))
  }
  t.same(call.exchanges, [])
})

t.test('a request that is on record already is not recorded again', async t => {
  const { url } = await serve(t, (_, response) => { response.end('ok') })
  const call = fakeCall({ [url]: { label: 'bank', declared: true, simulated: false } })
  nowRunning(call)
  t.teardown(() => noLongerRunning(call))
  for (const send of Object.values(clients(t))) await call.settle(() => recorded(() => send(url, { method: 'POST' })))
  t.same(call.exchanges, [])
})

const failures: Record<string, [behaviour: BehaviourName | Behaviour, expected: object]> = {
  'refuses the connection': ['refused', { sent: false, failure: { code: 'UPSTREAM_UNREACHABLE' } }],
  'resets the connection after the request': ['reset_after_request', { sent: true, phase: 'headers', failure: { code: 'UPSTREAM_CONNECTION_LOST' } }],
  'closes the connection after the request': ['close_after_request', { sent: true, failure: { code: 'UPSTREAM_CONNECTION_LOST' } }],
  'cuts its body': ['cut_by_length', { sent: true, status: 200, complete: false, failure: { code: 'UPSTREAM_INVALID_RESPONSE' } }],
  'resets the connection in the body': ['reset_in_body', { status: 200, complete: false, failure: { code: 'UPSTREAM_INVALID_RESPONSE' } }],
  'speaks no HTTP': ['garbage', { sent: true, failure: { code: 'UPSTREAM_PROTOCOL_ERROR' } }],
  'answers 503': [answering(503), { status: 503, failure: { code: 'UPSTREAM_UNAVAILABLE' } }],
  'answers 404': [answering(404), { status: 404, failure: { code: 'UPSTREAM_NOT_FOUND' } }],
  'has a certificate that nobody signed': ['tls_self_signed', { sent: false, failure: { code: 'UPSTREAM_TLS_FAILED' } }]
}

for (const [does, [behaviour, expected]] of Object.entries(failures)) {
  t.test(`an upstream that ${does} has failed`, async t => {
    for (const send of Object.values(clients(t))) {
      const url = await rogue(t, behaviour)
      let thrown: unknown
      const exchange = await fakeCall().only(() => send(url, { method: 'GET' }).catch((error: unknown) => { thrown = error }))
      t.match(exchange, { upstream: 'unlabelled', declared: false, success: false, endedAt: Number, abandoned: undefined, ...expected })
      if (exchange.error !== undefined) t.ok([thrown, (thrown as Error).cause].includes(exchange.error))
    }
  })
}

t.test('an answer to a call is on record before its author goes on', async t => {
  const { url } = await serve(t, (_, response) => { response.statusCode = 500; response.write('x'.repeat(500_000)); setTimeout(() => response.end(), 500).unref() })
  const call = fakeCall()
  await call.run(async () => {
    const response = await fetch(url)
    t.match(call.exchanges, [{ status: 500, failure: { code: 'UPSTREAM_UNAVAILABLE' }, endedAt: Number }])
    await response.body?.cancel()
  })
  t.match(call.exchanges, [{ abandoned: undefined, failure: { code: 'UPSTREAM_UNAVAILABLE' } }])
})

t.test('a redirect that fetch follows is two exchanges', async t => {
  const url = await rogue(t, 'redirect_onward')
  t.match(await fakeCall().settle(() => fetch(`${url}/first`)), [{ path: '/first', status: 302, location: `${url}/onward` }, { path: '/onward', success: true }])
})

const aborts: Record<string, () => AbortSignal> = {
  'without a reason': () => { const control = new AbortController(); setTimeout(() => control.abort(), 60); return control.signal },
  'for a text': () => { const control = new AbortController(); setTimeout(() => control.abort('x'), 60); return control.signal },
  'for a reason of its own': () => { const control = new AbortController(); setTimeout(() => control.abort(new Error('Lost the race.')), 60); return control.signal }
}

for (const [how, signal] of Object.entries(aborts)) {
  t.test(`what its author aborts ${how} is given up`, async t => {
    for (const behaviour of ['silent_request', 'stalled_body'] as const) {
      for (const send of Object.values(clients(t))) {
        const url = await rogue(t, behaviour)
        t.match(await fakeCall().only(() => send(url, { method: 'GET', signal: signal() })), { abandoned: true, failure: undefined, success: false, sent: true, endedAt: Number })
      }
    }
  })
}

t.test('a time that ran out is a failure', async t => {
  for (const behaviour of ['silent_request', 'stalled_body'] as const) {
    for (const send of Object.values(clients(t))) {
      const url = await rogue(t, behaviour)
      t.match(await fakeCall().only(() => send(url, { method: 'GET', signal: AbortSignal.timeout(60) })), { failure: { code: 'UPSTREAM_TIMEOUT' }, abandoned: undefined, endedAt: Number })
    }
  }
})

t.test('a time limit of undici\'s own is a failure', async t => {
  const url = await rogue(t, 'silent_request')
  const dispatcher = agentOf(t)
  t.match(await fakeCall().only(() => request(url, { dispatcher, headersTimeout: 100 })), { failure: { code: 'UPSTREAM_TIMEOUT', details: { phase: 'headers' } }, sent: true })
})

t.test('a body that is not read to its end is given up', async t => {
  const dispatcher = agentOf(t)
  const ends: Record<string, (url: string) => Promise<unknown>> = {
    cancelled: async url => { await (await fetch(url)).body!.cancel() },
    destroyed: async url => { (await request(url, { dispatcher })).body.on('error', () => {}).destroy() },
    dumped: async url => { await (await request(url, { dispatcher })).body.dump({ limit: 10 }) }
  }
  for (const end of Object.values(ends)) {
    const url = await rogue(t, 'endless_body')
    t.match(await fakeCall().only(() => end(url)), { status: 200, abandoned: true, failure: undefined, success: false })
  }
})

t.test('a request that is aborted before it has a connection was not sent', async t => {
  const url = await rogue(t, 'tls_silent')
  const control = new AbortController()
  const dispatcher = agentOf(t, { connect: { timeout: 150 } })
  const sent = fakeCall().only(() => request(url, { dispatcher, signal: control.signal }))
  t.match(await sent, { sent: false, phase: 'connect', failure: { code: 'UPSTREAM_TIMEOUT' } })
  const { url: good } = await serve(t, (_, response) => { response.end('ok') })
  control.abort()
  t.match(await fakeCall().only(() => request(good, { dispatcher, signal: control.signal })), { sent: false, abandoned: true })
})

t.test('a tunnel is no exchange, and one that is refused fails what was to go through it', async t => {
  const { url, server } = await serve(t, (_, response) => { response.end('ok') })
  server.on('connect', (_, socket) => { socket.end('HTTP/1.1 502 Bad\r\ncontent-length: 0\r\n\r\n') })
  const dispatcher = new ProxyAgent({ uri: url, proxyTunnel: true })
  t.teardown(() => dispatcher.destroy())
  t.match(await fakeCall().only(() => request('http://bank.invalid/x', { dispatcher })), { origin: 'http://bank.invalid', path: '/x', sent: false, failure: { code: 'UPSTREAM_FAILED' }, abandoned: undefined })
})

t.test('a proxy is asked for what is behind it', async t => {
  const { url } = await serve(t, (request, response) => { response.end(request.url) })
  const dispatcher = new ProxyAgent({ uri: url, proxyTunnel: false })
  t.teardown(() => dispatcher.destroy())
  t.match(await fakeCall().only(async () => await (await request('http://bank.invalid/x?y', { dispatcher })).body.text()), { origin: 'http://bank.invalid', path: '/x?y', success: true })
})

t.test('what a full pool kept back has no certain owner', async t => {
  const { url } = await serve(t, (_, response) => { setTimeout(() => response.end('ok'), 5) })
  const pool = new Pool(url, { connections: 1 })
  t.teardown(() => pool.destroy())
  const { stackTraceLimit } = Error
  const calls = Array.from({ length: 4 }, () => fakeCall())
  await Promise.all(calls.map((call, index) => call.run(async () => { await (await pool.request({ path: `/${index}`, method: 'GET' })).body.text() })))
  const exchanges = calls.flatMap(call => call.exchanges)
  t.equal(exchanges.length, 4)
  t.equal(exchanges.find(({ path }) => path === '/0')?.ownerUncertain, undefined)
  for (const path of ['/1', '/2', '/3']) t.equal(exchanges.find(exchange => exchange.path === path)?.ownerUncertain, true)
  t.ok(exchanges.every(({ success }) => success))
  t.equal(Error.stackTraceLimit, stackTraceLimit)
})

t.test('each attempt of a retry is an exchange', async t => {
  let hits = 0
  const { url } = await serve(t, (_, response) => { response.statusCode = ++hits < 3 ? 503 : 200; response.end('ok') })
  const dispatcher = agentOf(t).compose(interceptors.retry({ minTimeout: 1, maxTimeout: 1 }))
  t.match((await fakeCall().settle(async () => await (await request(url, { dispatcher })).body.text())).map(({ status }) => status), [503, 503, 200])
})

t.test('an upgrade leaves its exchange open', async t => {
  const { url, server } = await serve(t, () => {})
  server.on('upgrade', (_, socket) => { socket.write('HTTP/1.1 101 Switching\r\nconnection: upgrade\r\nupgrade: other\r\n\r\n') })
  const dispatcher = agentOf(t)
  const call = fakeCall()
  await call.run(async () => {
    const { socket } = await upgrade(url, { dispatcher, protocol: 'other' })
    socket.destroy()
  })
  t.match(call.exchanges, [{ status: 101, endedAt: undefined }])
})

t.test('an undici that does not announce what it sends is told by what it says after that', async t => {
  const play = (error: unknown, wasSent: boolean) => fakeCall().only(() => {
    const request = { method: 'POST', path: '/', origin: 'http://bank' }
    channel('undici:request:create').publish({ request })
    if (wasSent) channel('undici:request:bodySent').publish({ request })
    channel('undici:request:error').publish({ request, error })
  })
  const lost = Object.assign(new Error('read'), { code: 'ECONNRESET', syscall: 'read' })
  t.match(await play(lost, true), { sent: true, failure: { code: 'UPSTREAM_CONNECTION_LOST' } })
  t.match(await play('x', true), { sent: true, abandoned: true })
  t.match(await play(lost, false), { sent: false, abandoned: true })
})

t.test('news that make no sense harm nobody', async t => {
  const call = fakeCall()
  const create = channel('undici:request:create')
  const none = await call.settle(() => {
    for (const message of [undefined, {}, { request: {} }, { request: { method: 'GET' } }, { request: { method: 'GET', path: '/' } }]) create.publish(message)
    channel('undici:client:connectError').publish({ error: 'text' })
    for (const message of [{}, undefined, { request: 'text' }]) channel('undici:request:headers').publish(message)
  })
  t.same(none, [])
})

t.test('several may watch, and once all have stopped nothing is recorded', async t => {
  const { url } = await serve(t, (_: http.IncomingMessage, response) => { response.end('ok') })
  const stop = watchUndici()
  t.equal((await fakeCall().settle(() => fetch(url))).length, 1)
  stop()
  stopFirst()
  t.same(await fakeCall().settle(() => fetch(url)), [])
})

t.test('a write that a full pool held back is told to every call that may have made it: none of them may say that it wrote nothing', async t => {
  t.teardown(watchUndici())
  const { url } = await serve(t, (_, response) => { setTimeout(() => response.end('ok'), 20) })
  const dispatcher = agentOf(t, { connections: 2 })
  const known = { [url]: { label: 'bank', declared: true, simulated: false } }
  const [reader, writer, stranger] = [fakeCall(known), fakeCall(known), fakeCall()]
  for (const call of [reader, writer, stranger]) {
    nowRunning(call)
    t.teardown(() => noLongerRunning(call))
  }
  const send = async (path: string, method: 'GET' | 'POST') => await (await request(`${url}${path}`, { method, dispatcher })).body.text()
  const reads = async (path: string) => await Promise.all([send(path, 'GET'), send(path, 'GET')])
  await Promise.all([reader.run(async () => await reads('/a')), writer.run(async () => await send('/b', 'POST'))])
  t.match(writer.exchanges.filter(({ effect }) => effect === 'write'), [{ path: '/b', ownerUncertain: true, upstream: 'bank' }])
  t.equal(stranger.exchanges.filter(({ effect }) => effect === 'write').length, 0, 'one that does not declare the upstream')
  // The same in nobody's context, whose connection was freed.
  await Promise.all([unobserved(async () => await reads('/c')), writer.run(async () => await send('/d', 'POST'))])
  t.match(writer.exchanges.at(-1), { path: '/d', ownerUncertain: true })
  const before = writer.exchanges.length
  await Promise.all([unobserved(async () => await reads('/e')), unobserved(async () => await send('/f', 'GET'))])
  t.equal(writer.exchanges.length, before, 'a read changes nothing')
})
