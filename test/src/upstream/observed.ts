import { EventEmitter, once } from 'node:events'
import { PassThrough } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { Agent, getGlobalDispatcher, interceptors, Pool, request, RetryAgent, setGlobalDispatcher, type Dispatcher } from 'undici'
import { answering, type Behaviour, type BehaviourName } from '../../../src/testing/rogue-behaviours.js'
import { createRogueServer } from '../../../src/testing/rogue-server.js'
import { observed } from '../../../src/upstream/observed.js'
import { watchUndici } from '../../../src/upstream/watch-undici.js'
import { fakeCall, serve, type FakeCall } from '../../fixtures/observing.js'

// What an observed dispatcher records is not recorded by its announcement again.
t.teardown(watchUndici())

function closing<T extends Dispatcher> (t: Test, dispatcher: T): T {
  t.teardown(() => dispatcher.destroy())
  return dispatcher
}

async function rogue (t: Test, behaviour: BehaviourName | Behaviour): Promise<string> {
  const server = await createRogueServer(behaviour)
  t.teardown(() => server.close())
  return server.url
}

type Send = (url: string, options?: { method?: 'GET' | 'POST', signal?: AbortSignal, body?: string }) => Promise<unknown>

// The fetch of Node has handlers of the older generation before Node 24.
function clients (t: Test, dispatcher: Dispatcher = closing(t, new Agent())): Record<string, Send> {
  const one = observed(dispatcher)
  return {
    fetch: async (url, options) => await (await fetch(url, { ...options, dispatcher: one } as object)).text(),
    undici: async (url, options) => await (await request(url, { ...options, dispatcher: one })).body.text()
  }
}

t.test('a success is recorded once', async t => {
  const { url } = await serve(t, (_, response) => { response.end('ok') })
  for (const send of Object.values(clients(t))) {
    const call = fakeCall({ [url]: { label: 'bank', declared: true, simulated: false } })
    t.match(await call.only(() => send(`${url}/pay?x=1`, { method: 'POST', body: '{}' })), { upstream: 'bank', declared: true, origin: url, path: '/pay?x=1', effect: 'write', sent: true, status: 200, complete: true, success: true, ownerUncertain: undefined })
  }
})

t.test('a request of nobody passes as it is', async t => {
  const { url } = await serve(t, (_, response) => { response.end('ok') })
  for (const send of Object.values(clients(t))) t.equal(await send(url), 'ok')
})

t.test('as the global dispatcher it records every fetch, with all the cookies of its answer', async t => {
  const { url } = await serve(t, (_, response) => { response.setHeader('set-cookie', ['a=1', 'b=2']).end('ok') })
  const before = getGlobalDispatcher()
  t.teardown(() => setGlobalDispatcher(before))
  setGlobalDispatcher(observed(closing(t, new Agent())))
  let cookies: string[] = []
  t.match(await fakeCall().only(async () => { cookies = (await fetch(url)).headers.getSetCookie() }), { success: true })
  t.same(cookies, ['a=1', 'b=2'])
})

const failures: Record<string, [behaviour: BehaviourName | Behaviour, expected: object]> = {
  'refuses the connection': ['refused', { sent: false, failure: { code: 'UPSTREAM_UNREACHABLE' } }],
  'resets the connection after the request': ['reset_after_request', { sent: true, failure: { code: 'UPSTREAM_CONNECTION_LOST' } }],
  'cuts its body': ['cut_by_length', { status: 200, complete: false, failure: { code: 'UPSTREAM_INVALID_RESPONSE' } }],
  'answers 503': [answering(503), { status: 503, failure: { code: 'UPSTREAM_UNAVAILABLE' } }]
}

for (const [does, [behaviour, expected]] of Object.entries(failures)) {
  t.test(`an upstream that ${does} has failed`, async t => {
    for (const send of Object.values(clients(t))) {
      const url = await rogue(t, behaviour)
      let thrown: unknown
      const exchange = await fakeCall().only(() => send(url).catch((error: unknown) => { thrown = error }))
      t.match(exchange, { success: false, abandoned: undefined, endedAt: Number, ...expected })
      if (exchange.error !== undefined) t.ok([thrown, (thrown as Error).cause].includes(exchange.error))
    }
  })
}

t.test('an abort is given up, and a time that ran out is a failure', async t => {
  for (const behaviour of ['silent_request', 'stalled_body'] as const) {
    for (const send of Object.values(clients(t))) {
      const url = await rogue(t, behaviour)
      const control = new AbortController()
      setTimeout(() => control.abort('x'), 60)
      t.match(await fakeCall().only(() => send(url, { signal: control.signal })), { abandoned: true, failure: undefined, sent: true })
      t.match(await fakeCall().only(() => send(url, { signal: AbortSignal.timeout(60) })), { abandoned: undefined, failure: { code: 'UPSTREAM_TIMEOUT' } })
    }
  }
})

t.test('a request that was aborted before it is given up unsent', async t => {
  const { url } = await serve(t, (_, response) => { response.end('ok') })
  t.match(await fakeCall().only(() => clients(t).undici!(url, { signal: AbortSignal.abort() })), { abandoned: true, sent: false })
})

t.test('what a dispatcher follows by itself is one exchange', async t => {
  const { url } = await serve(t, (request, response) => {
    if (request.url === '/first') response.writeHead(302, { location: '/next' })
    response.end('ok')
  })
  const { undici } = clients(t, closing(t, new Agent()).compose(interceptors.redirect({ maxRedirections: 3 })))
  t.match(await fakeCall().only(() => undici!(`${url}/first`)), { path: '/first', status: 200, success: true })
})

t.test('what a dispatcher tries again is one exchange, with the status of the last', async t => {
  let hits = 0
  const { url } = await serve(t, (request, response) => { response.statusCode = request.url === '/' && ++hits > 2 ? 200 : 503; response.end('ok') })
  const { undici } = clients(t, closing(t, new Agent()).compose(interceptors.retry({ minTimeout: 1, maxTimeout: 1, maxRetries: 2 })))
  t.match(await fakeCall().only(() => undici!(url)), { status: 200, success: true })
  t.match(await fakeCall().only(() => undici!(`${url}/never`)), { status: 503, success: false, sent: true, failure: { code: 'UPSTREAM_UNAVAILABLE' } })
})

t.test('a pool has its own origin, and a query of its own', async t => {
  const { url } = await serve(t, (_, response) => { response.end('ok') })
  const pool = observed(closing(t, new Pool(url)))
  t.match(await fakeCall().only(() => pool.request({ path: '/x', method: 'GET', query: { a: 'b c' } })), { origin: url, path: '/x?a=b%20c', success: true })
})

t.test('a tunnel is no exchange, nor is what cannot be sent', async t => {
  const { url, server } = await serve(t, () => {})
  server.on('connect', (_, socket) => { socket.end('HTTP/1.1 200 OK\r\n\r\n') })
  const agent = observed(closing(t, new Agent()))
  const call = fakeCall()
  await call.settle(() => agent.connect({ origin: url, path: 'bank:443' }).then(({ socket }) => socket.destroy()))
  await call.settle(() => agent.request({ path: '/', method: 'GET' } as never))
  await call.settle(() => agent.request({ origin: url, method: 'GET' } as never))
  call.run(() => t.throws(() => agent.dispatch({ origin: url, path: '/', method: 'GET' }, undefined as never)))
  t.same(call.exchanges, [])
})

t.test('a dispatcher that throws has failed', async t => {
  const mistake = Object.assign(new Error('No.'), { code: 'UND_ERR_INVALID_ARG' })
  const agent = closing(t, new Agent()).compose(() => () => { throw mistake })
  const exchange = await fakeCall().only(() => observed(agent).request({ origin: 'http://bank', path: '/', method: 'GET' }))
  t.match(exchange, { sent: false, failure: { code: 'INTERNAL_ERROR' } })
  t.equal(exchange.error, mistake)
})

t.test('a dispatcher with private fields is closed as it is', async t => {
  const agent = observed(new RetryAgent(new Agent()))
  await agent.close()
  const other = observed(new RetryAgent(new Agent()))
  await other.destroy()
  t.type(other.compose, 'function')
})

/** Many ways to ask again, from wherever an author's code may run. */
function asker (agent: Dispatcher, other: Dispatcher, url: string) {
  const ask = async (path: string, dispatcher = agent): Promise<string> => await (await request(`${url}${path}`, { dispatcher })).body.text()
  return async (call: number): Promise<void> => {
    await ask(`/${call}/plain`)
    await Promise.all([ask(`/${call}/both-1`), ask(`/${call}/both-2`), fetch(`${url}/${call}/fetch`, { dispatcher: agent } as object).then(async response => await response.text())])
    await new Promise((resolve, reject) => { setTimeout(() => { ask(`/${call}/timer`).then(resolve, reject) }, call % 3) })
    await new Promise((resolve, reject) => {
      request(`${url}/${call}/events`, { dispatcher: agent }).then(({ body }) => {
        body.on('data', () => {}).on('end', () => { ask(`/${call}/after-events`).then(resolve, reject) })
      }, reject)
    })
    const emitter = new EventEmitter()
    const heard = once(emitter, 'done')
    await agent.stream({ origin: url, path: `/${call}/stream`, method: 'GET', opaque: null }, () => new PassThrough().on('finish', () => { ask(`/${call}/after-stream`).then(() => emitter.emit('done'), () => {}) }).resume())
    await heard
    // Through connections of its own: uploads that wait for each other's would never end.
    async function * body (): AsyncGenerator<string> { yield await ask(`/${call}/in-body`, other) }
    await (await request(`${url}/${call}/upload`, { dispatcher: agent, method: 'POST', body: body() as never })).body.dump()
    const control = new AbortController()
    const lost = request(`${url}/${call}/lost`, { dispatcher: agent, signal: control.signal }).then(async ({ body }) => await body.text()).catch(() => {})
    await wait(call % 2)
    control.abort()
    await lost
    await ask(`/${call}/last`)
  }
}

t.test('of many calls that share few connections each has its own exchanges, and none twice', async t => {
  const { url } = await serve(t, (request, response) => { request.resume().on('end', () => setTimeout(() => response.end('x'.repeat(2_000)), 2)) })
  const run = asker(observed(closing(t, new Agent({ connections: 4 }))), observed(closing(t, new Agent({ connections: 2 }))), url)
  const calls: FakeCall[] = Array.from({ length: 40 }, () => fakeCall())
  await Promise.all(calls.map((call, index) => call.settle(() => run(index).catch(error => t.error(error)))))
  const names = ['plain', 'both-1', 'both-2', 'fetch', 'timer', 'events', 'after-events', 'stream', 'after-stream', 'in-body', 'upload', 'lost', 'last']
  for (const [index, { exchanges }] of calls.entries()) {
    t.same(exchanges.map(({ path }) => path).sort(), names.map(name => `/${index}/${name}`).sort())
    t.ok(exchanges.every(({ path, success, abandoned, ownerUncertain }) => ownerUncertain === undefined && (success || (path.endsWith('/lost') && abandoned === true))))
  }
})
