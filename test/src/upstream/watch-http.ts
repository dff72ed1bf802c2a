import { channel } from 'node:diagnostics_channel'
import { once } from 'node:events'
import http from 'node:http'
import https from 'node:https'
import net from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import axios from 'axios'
import t, { type Test } from 'tap'
import { answering, rawResponse, WELL, type Behaviour, type BehaviourName } from '../../../src/testing/rogue-behaviours.js'
import { testAuthority as ca } from '../../../src/testing/certificates.js'
import { createRogueServer } from '../../../src/testing/rogue-server.js'
import { unobserved } from '../../../src/upstream/observer.js'
import { watchHttp } from '../../../src/upstream/watch-http.js'
import { fakeCall, serve } from '../../fixtures/observing.js'

const stopFirst = watchHttp()

async function rogue (t: Test, behaviour: BehaviourName | Behaviour): Promise<string> {
  const server = await createRogueServer(behaviour)
  t.teardown(() => server.close())
  return server.url
}

/** Sends a request and reads its answer, as a careful author does. */
async function ask (url: string, options: https.RequestOptions = {}, change: (request: http.ClientRequest) => void = request => { request.end() }): Promise<string> {
  return await new Promise((resolve, reject) => {
    const request = (url.startsWith('https:') ? https : http).request(url, { ca, ...options }, response => {
      let text = ''
      response.setEncoding('utf8').on('data', chunk => { text += String(chunk) }).on('error', reject).on('end', () => resolve(text))
    })
    request.on('error', reject)
    change(request)
  })
}

const clients: Record<string, (url: string) => Promise<unknown>> = {
  http: async url => await ask(url),
  axios: async url => await axios.get(url, { proxy: false, httpsAgent: new https.Agent({ ca }) })
}

t.test('a success is recorded before its author has it', async t => {
  const { url } = await serve(t, (_, response) => { response.setHeader('x-candor-simulated', 'true').end('ok') })
  const call = fakeCall({ [url]: { label: 'bank', declared: true, simulated: true } })
  await call.run(async () => {
    await ask(`${url}/pay?x=1`, { method: 'POST' }, request => { request.end('{}') })
    t.match(call.exchanges, [{
      upstream: 'bank', declared: true, origin: url, method: 'POST', path: '/pay?x=1', effect: 'write', sent: true, status: 200, complete: true, success: true, simulated: true, foreign: true, endedAt: Number
    }])
  })
  t.equal(call.exchanges.length, 1)
})

t.test('a success over TLS is recorded', async t => {
  const url = await rogue(t, 'tls_trusted')
  for (const send of Object.values(clients)) t.match(await fakeCall().only(() => send(url)), { origin: url, success: true })
})

t.test('a request of nobody is not recorded', async t => {
  const { url } = await serve(t, (_, response) => { response.end('ok') })
  const call = fakeCall()
  await ask(url)
  t.same(await call.settle(() => unobserved(() => ask(url))), [])
})

const failures: Record<string, [behaviour: BehaviourName | Behaviour, expected: object]> = {
  'refuses the connection': ['refused', { sent: false, phase: 'connect', failure: { code: 'UPSTREAM_UNREACHABLE' } }],
  'resets the connection after the request': ['reset_after_request', { sent: true, phase: 'headers', failure: { code: 'UPSTREAM_CONNECTION_LOST' } }],
  'closes the connection after the request': ['close_after_request', { sent: true, failure: { code: 'UPSTREAM_CONNECTION_LOST' } }],
  'cuts its body': ['cut_by_length', { sent: true, status: 200, complete: false, failure: { code: 'UPSTREAM_INVALID_RESPONSE' } }],
  'resets the connection in the body': ['reset_in_body', { status: 200, complete: false, failure: { code: 'UPSTREAM_INVALID_RESPONSE' } }],
  'breaks its chunks': ['bad_chunk', { status: 200, complete: false, failure: { code: 'UPSTREAM_PROTOCOL_ERROR' } }],
  'speaks no HTTP': ['garbage', { sent: true, failure: { code: 'UPSTREAM_PROTOCOL_ERROR' } }],
  'answers 503': [answering(503), { status: 503, failure: { code: 'UPSTREAM_UNAVAILABLE' } }],
  'answers 404': [answering(404), { status: 404, failure: { code: 'UPSTREAM_NOT_FOUND' } }],
  'has a certificate that nobody signed': ['tls_self_signed', { sent: false, failure: { code: 'UPSTREAM_TLS_FAILED' } }],
  'resets the connection in the TLS handshake': ['tls_reset', { sent: false, failure: { code: 'UPSTREAM_UNREACHABLE' } }],
  'switches to a protocol that nobody asked for': ['switching_protocols', { status: 101, sent: true }]
}

for (const [does, [behaviour, expected]] of Object.entries(failures)) {
  t.test(`an upstream that ${does} has failed`, async t => {
    for (const [name, send] of Object.entries(clients)) {
      const url = await rogue(t, behaviour)
      let thrown: unknown
      // Where nobody listens for an upgrade Node closes the connection, and says nothing.
      const exchange = await fakeCall().only(() => Promise.race([send(url).catch((error: unknown) => { thrown = error }), wait(300)]))
      t.match(exchange, { upstream: 'unlabelled', declared: false, success: false, endedAt: Number, failure: { code: String }, abandoned: undefined, ...expected }, name)
      if (exchange.error !== undefined && exchange.phase !== 'body') t.ok([thrown, (thrown as Error).cause].includes(exchange.error), name)
    }
  })
}

t.test('a failure is on record with its headers, whether its body is read or not', async t => {
  const { url } = await serve(t, (_, response) => { response.statusCode = 500; response.write('x'.repeat(500_000)) })
  const call = fakeCall()
  await call.run(async () => {
    const [response] = await once(http.get(url), 'response')
    t.match(call.exchanges, [{ status: 500, failure: { code: 'UPSTREAM_UNAVAILABLE' }, endedAt: Number }])
    response.destroy()
    await once(response, 'close')
  })
  t.match(call.exchanges, [{ abandoned: undefined, failure: { code: 'UPSTREAM_UNAVAILABLE' } }])
})

t.test('an answer that nobody wants is read by Node itself', async t => {
  const { url } = await serve(t, (_, response) => { response.end('ok') })
  t.match(await fakeCall().only(() => once(http.get(url), 'close')), { success: true })
})

t.test('a body that was there when its reader left is a success', async t => {
  const { url } = await serve(t, (_, response) => { response.end('ok') })
  t.match(await fakeCall().only(async () => {
    const [response] = await once(http.get(url, { agent: false }), 'response')
    await wait(20)
    response.destroy()
  }), { status: 200 })
})

t.test('redirects that axios follows are exchanges of their own', async t => {
  const url = await rogue(t, 'redirect_onward')
  t.match(await fakeCall().settle(() => clients.axios!(`${url}/first`)), [{ path: '/first', status: 302, location: `${url}/onward` }, { path: '/onward', success: true }])
})

/** Before Node 22.12 nothing tells of a request that goes no further than this. */
const announce = (request: http.ClientRequest): void => channel('http.client.request.created').publish({ request })

const ends: Record<string, (request: http.ClientRequest) => void> = {
  destroyed: request => { request.destroy() },
  'destroyed for a reason of its own': request => { request.destroy(new Error('Lost the race.')) },
  'aborted the old way': request => { request.abort() }
}

for (const [how, end] of Object.entries(ends)) {
  t.test(`a request that is ${how} is given up`, async t => {
    const given = { abandoned: true, failure: undefined, success: false, endedAt: Number }
    for (const behaviour of ['silent_request', 'stalled_body'] as const) {
      const url = await rogue(t, behaviour)
      t.match(await fakeCall().only(() => Promise.race([wait(200), ask(url, {}, request => { request.end(); setTimeout(() => end(request), 60) })])), { ...given, sent: true })
    }
    const url = await rogue(t, 'silent_request')
    t.match(await fakeCall().only(() => Promise.race([wait(50), ask(url, {}, request => { announce(request); request.end(); end(request) })])), { ...given, sent: false })
  })
}

t.test('a request that is announced before it has a connection is recorded once', async t => {
  const { url } = await serve(t, (_, response) => { response.end('ok') })
  const early = (request: http.ClientRequest): void => { announce(request); request.end() }
  t.match(await fakeCall().only(() => ask(`${url}/early`, { agent: false }, early)), { path: '/early', sent: true, success: true })
})

t.test('a body that its reader stops is given up', async t => {
  for (const reason of [undefined, new Error('Enough.')]) {
    const url = await rogue(t, 'endless_body')
    t.match(await fakeCall().only(async () => {
      const request = http.get(url).on('error', () => {})
      const [response] = await once(request, 'response')
      response.on('error', () => {}).destroy(reason)
    }), { abandoned: true, failure: undefined, status: 200 })
  }
})

t.test('an abort is given up, and a time that ran out is a failure', async t => {
  for (const behaviour of ['silent_request', 'stalled_body'] as const) {
    const url = await rogue(t, behaviour)
    const control = new AbortController()
    setTimeout(() => control.abort('x'), 60)
    t.match(await fakeCall().only(() => ask(url, { signal: control.signal })), { abandoned: true, failure: undefined })
    t.match(await fakeCall().only(() => axios.get(url, { proxy: false, signal: control.signal }).catch(() => {})).catch(() => ({ abandoned: true })), { abandoned: true })
    for (const send of [
      () => ask(url, { signal: AbortSignal.timeout(60) }),
      () => ask(url, {}, request => { request.end().setTimeout(60, () => { request.destroy() }) }),
      () => ask(url, {}, request => { request.end(); setTimeout(() => request.destroy(Object.assign(new Error('Late.'), { code: 'ETIMEDOUT' })), 60) }),
      () => axios.get(url, { proxy: false, timeout: 60 })
    ]) t.match(await fakeCall().only(send), { failure: { code: 'UPSTREAM_TIMEOUT' }, abandoned: undefined, endedAt: Number })
  }
})

t.test('a request that its author does not end is recorded where it is refused, or answered', async t => {
  const refused = await rogue(t, 'refused')
  t.match(await fakeCall().only(() => ask(refused, { method: 'POST' }, request => { request.flushHeaders() })), { sent: false, failure: { code: 'UPSTREAM_UNREACHABLE' } })
  const early = await rogue(t, { does: 'answers before it was asked', acts: 'spoken_to', steps: [{ send: WELL }] })
  t.match(await fakeCall().only(() => ask(early, { method: 'POST' }, request => { request.flushHeaders() })), { sent: true, success: true })
})

t.test('requests that wait for a connection, or take one over, belong to who made them', async t => {
  const { url } = await serve(t, (_, response) => { setTimeout(() => response.end('ok'), 5) })
  const agent = new http.Agent({ keepAlive: true, maxSockets: 2 })
  t.teardown(() => agent.destroy())
  const calls = Array.from({ length: 12 }, () => fakeCall())
  await Promise.all(calls.map((call, index) => call.run(async () => { for (const nth of [1, 2]) await ask(`${url}/${index}/${nth}`, { agent }) })))
  for (const [index, { exchanges }] of calls.entries()) t.match(exchanges.map(({ path, success }) => `${path} ${success}`), [`/${index}/1 true`, `/${index}/2 true`])
})

t.test('an upgrade that was asked for leaves its exchange open', async t => {
  const url = await rogue(t, 'switching_protocols')
  const call = fakeCall()
  await call.run(() => new Promise<void>(resolve => {
    http.get(url, { headers: { connection: 'upgrade', upgrade: 'other' } }).on('upgrade', (_, socket) => { socket.destroy(); resolve() })
  }))
  t.match(call.exchanges, [{ status: 101, endedAt: undefined }])
})

t.test('a tunnel is no exchange', async t => {
  const { url, server } = await serve(t, () => {})
  server.on('connect', (_, socket) => { socket.end('HTTP/1.1 200 OK\r\n\r\n') })
  t.same(await fakeCall().settle(() => once(http.request(url, { method: 'CONNECT', path: 'bank:443' }).end(), 'connect')), [])
})

t.test('what is behind a name of another host is told once it is connected', async t => {
  const { url } = await serve(t, (_, response) => { response.end('ok') })
  const call = fakeCall({ [url]: { label: 'bank', declared: true, simulated: false } })
  t.match(await call.only(() => ask(url, { headers: { host: 'bank.invalid' } })), { upstream: 'bank', origin: url, success: true })
})

t.test('a connection that its author made is as good', async t => {
  const { port } = await serve(t, (_, response) => { response.end('ok') })
  const call = fakeCall()
  t.match(await call.only(() => ask('http://127.0.0.1:1/', { createConnection: () => net.connect(port, '127.0.0.1') })), { success: true })
})

t.test('an end of the connection that its reader sees first is a failure', async t => {
  const url = await rogue(t, { does: 'ends', steps: [{ send: rawResponse(200, { 'content-length': '99' }, '{}') }, { waitMs: 30 }, { end: 'close' }] })
  t.match(await fakeCall().only(async () => {
    const [response] = await once(http.get(url).on('error', () => {}), 'response')
    response.on('error', () => {}).resume()
    response.socket.once('end', () => response.destroy())
    await once(response, 'close')
  }), { failure: { code: 'UPSTREAM_INVALID_RESPONSE' }, abandoned: undefined })
})

t.test('news that make no sense harm nobody', async t => {
  const none = await fakeCall().settle(() => {
    for (const name of ['http.client.request.start', 'http.client.response.finish']) for (const message of [undefined, {}, { request: {} }]) channel(name).publish(message)
  })
  t.same(none, [])
})

t.test('several may watch, and once all have stopped nothing is recorded', async t => {
  const { url } = await serve(t, (_, response) => { response.end('ok') })
  const stop = watchHttp()
  t.equal((await fakeCall().settle(() => ask(url))).length, 1)
  stop()
  stopFirst()
  t.same(await fakeCall().settle(() => ask(url)), [])
})
