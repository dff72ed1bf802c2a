import Fastify from 'fastify'
import fp from 'fastify-plugin'
import { Type } from '@sinclair/typebox'
import t from 'tap'
import { createToolService, serverOptions, toolService, type Capability } from 'candor'
import { build } from '../fixtures/build.js'
import { echo, note, reading } from '../fixtures/capabilities.js'
import { fakeUpstream, rawAnswer } from '../fixtures/fake-upstream.js'
import { collector } from '../fixtures/log.js'
import { listen, request, sendRaw } from '../fixtures/raw.js'

process.on('warning', warning => t.fail(warning.message))

const upstreams = { up: { baseUrl: 'http://127.0.0.1:1' } }
const service = (name: string, capabilities: readonly Capability[] = [echo]) => ({ name, version: '1.0.0', capabilities, upstreams })

t.test('a service is a Fastify app: routes, health, document, and your own', async t => {
  const { app } = await build(t, { ...service('weather-tool'), description: 'About weather.' })
  app.get('/mine', { schema: { querystring: Type.Object({ n: Type.Integer() }) } }, async ({ query }) => ({ n: query.n + 1 }))
  t.match((await app.inject('/health')).json(), { name: 'weather-tool', version: '1.0.0' })
  t.match((await app.inject('/ready')).json(), { status: 'ready' })
  t.match((await app.inject('/openapi.json')).json(), { info: { title: 'weather-tool', description: 'About weather.' } })
  t.strictSame((await app.inject('/mine?n=1')).json(), { n: 2 })
  t.match((await app.inject('/nowhere')).json(), { error: { code: 'ROUTE_NOT_FOUND' } })
})

t.test('a mistake in a declaration stops the start, all mistakes at once', async t => {
  await t.rejects(createToolService({ ...service('x', [echo, echo]), upstreams: {}, logger: false }), { name: 'TypeError', message: /^x cannot start\.\n- .*\n- / })
})

t.test('upstreams are called, and their pools closed with the service', async t => {
  const upstream = await fakeUpstream(t, socket => { socket.write(rawAnswer(200, { 'content-type': 'application/json' }, '{"text":"hi"}')) })
  const asks = reading('asks', async (_, call) => (await call.upstream('up').get('/')).data as object)
  const { app } = await build(t, { capabilities: [asks], upstreams: { up: { baseUrl: upstream.url } } })
  t.match((await app.inject({ method: 'POST', url: '/api/capabilities/asks' })).json(), { data: { text: 'hi' } })
})

t.test("under a prefix, beside the app's own routes and its own error handler", async t => {
  for (const options of [{}, serverOptions]) {
    const app = Fastify({ ...options, logger: { stream: collector().stream } })
    t.teardown(() => app.close())
    app.setErrorHandler((_, __, reply) => reply.code(418).send({ mine: true }))
    app.setNotFoundHandler((_, reply) => reply.code(404).send({ mine: true }))
    await app.register(toolService, { prefix: '/weather', ...service('weather-tool') })
    app.get('/own', async () => { throw new Error('x') })
    const call = async (payload: string) => (await app.inject({ method: 'POST', url: '/weather/api/capabilities/echo', headers: { 'content-type': 'application/json' }, payload })).json()

    t.match(await call('{"text":"hi"}'), { success: true, data: { text: 'hi' } })
    t.match(await call('{"text":'), { error: { code: 'INVALID_JSON' } })
    t.match(await call('{"text":1}'), { error: { code: 'INVALID_INPUT' } })
    t.match((await app.inject('/weather/nowhere')).json(), { error: { code: 'ROUTE_NOT_FOUND', details: { hint: /\/weather\/api\/capabilities/ } } })
    t.equal((await app.inject({ method: 'DELETE', url: '/weather/health' })).json().error.code, 'METHOD_NOT_ALLOWED')
    t.equal((await app.inject('/weather/api/capabilities')).json()[0].endpoint, '/weather/api/capabilities/echo')
    t.strictSame((await app.inject('/own')).json(), { mine: true })
    t.strictSame((await app.inject('/nowhere')).json(), { mine: true })
    t.equal((await app.inject('/own')).headers['content-security-policy'], undefined, "the app's own answers are its own")
  }
})

t.test('two services under two prefixes in one app', async t => {
  const app = Fastify({ ...serverOptions, logger: { stream: collector().stream } })
  t.teardown(() => app.close())
  await app.register(toolService, { prefix: '/a', ...service('a-tool') })
  await app.register(toolService, { prefix: '/b', ...service('b-tool', [note]) })
  const port = await listen(app)
  const bodyOf = async (method: string, path: string) => JSON.parse((await sendRaw(port, request(method, path))).body)
  t.match(await bodyOf('GET', '/a/health'), { name: 'a-tool' })
  t.match(await bodyOf('GET', '/b/health'), { name: 'b-tool' })
  t.match(await bodyOf('POST', '/b/api/capabilities/note'), { data: { done: true } })
  t.match(await bodyOf('POST', '/a/api/capabilities/note'), { error: { code: 'CAPABILITY_NOT_FOUND' } })
  t.match(JSON.parse((await sendRaw(port, request('GET', '/a/health', { expect: 'weird' }))).body), { error: { code: 'EXPECTATION_FAILED' } }, 'answered once')
})

t.test('without serverOptions, failures before a route is found keep the form of Fastify and Node', async t => {
  const app = Fastify({ logger: { stream: collector().stream } })
  t.teardown(() => app.close())
  await app.register(toolService, { prefix: '/a', ...service('a-tool'), stopDelayMs: 300 })
  const port = await listen(app)
  t.match((await sendRaw(port, request('GET', '/%zz'))).body, /FST_ERR_BAD_URL/)
  t.match((await sendRaw(port, 'garbage\r\n\r\n')).body, /Client Error/)
  t.match((await sendRaw(port, 'GET /a/health HTTP/1.1\r\nconnection: close\r\n\r\n')), { status: 400, headers: { 'x-request-id': undefined } }, 'no host')
  t.match((await sendRaw(port, request('GET', '/nowhere'))).body, /Route GET:\/nowhere not found/, "outside the service's prefix")
  t.equal((await sendRaw(port, request('GET', '/a/nowhere', { 'x-request-id': 'mine' }))).headers['x-request-id']?.startsWith('req-'), true)
  t.equal((await sendRaw(port, request('GET', '/a/health', { expect: 'weird' }))).status, 417)
  const closing = app.close()
  await new Promise(resolve => setTimeout(resolve, 50))
  t.match((await sendRaw(port, request('GET', '/a/ready'))).body, /Service Unavailable/)
  await closing
})

t.test('registered at the root of an app by `fp`, the whole app is the service', async t => {
  const app = Fastify({ ...serverOptions, logger: { stream: collector().stream } })
  t.teardown(() => app.close())
  await app.register(fp(async root => await toolService(root, { ...service('root-tool'), stopDelayMs: 200 })))
  app.get('/own', async () => { throw new Error('x') })
  const port = await listen(app)
  t.match(JSON.parse((await sendRaw(port, request('GET', '/own'))).body), { error: { code: 'INTERNAL_ERROR' } })
  const closing = app.close()
  await new Promise(resolve => setTimeout(resolve, 50))
  t.equal((await sendRaw(port, request('GET', '/ready'))).status, 503)
  await closing
})

t.test("Fastify's own options go on top of ours", async t => {
  const app = await createToolService({ ...service('x'), logger: false, server: { http: { maxHeaderSize: 1_000 }, bodyLimit: 10 } })
  t.teardown(() => app.close())
  const port = await listen(app)
  t.equal((await sendRaw(port, request('GET', '/health', { x: 'a'.repeat(2_000) }))).status, 431)
  t.match(JSON.parse((await sendRaw(port, 'GET /health HTTP/1.1\r\nconnection: close\r\n\r\n')).body), { error: { code: 'MALFORMED_REQUEST' } }, 'a part of `http` does not undo the rest')
  const logged = await createToolService({ name: 'y', version: '1.0.0', capabilities: [note] })
  t.teardown(() => logged.close())
  t.equal(logged.log.level, 'info')
})
