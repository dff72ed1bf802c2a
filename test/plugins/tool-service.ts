import { Writable } from 'node:stream'
import Fastify from 'fastify'
import fp from 'fastify-plugin'
import { Type } from '@sinclair/typebox'
import t from 'tap'
import { createToolService, defineCapability, hashApiKey, loggerOptions, serverOptions, toolService, type Capability } from 'candor'
import { servicesAt } from '../../src/call/service.js'
import { build } from '../fixtures/build.js'
import { echo, note, reading } from '../fixtures/capabilities.js'
import { fakeUpstream, rawAnswer } from '../fixtures/fake-upstream.js'
import { holdClose } from '../fixtures/hold-close.js'
import { collector } from '../fixtures/log.js'
import { listen, request, sendRaw } from '../fixtures/raw.js'
import { until } from '../fixtures/until.js'

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

t.test('a page shows the document, unless nobody wants it', async t => {
  const { app } = await build(t, { ...service('weather-tool'), servers: [{ url: 'https://tools.example.com/weather' }] })
  t.match((await app.inject('/openapi.json')).json(), { servers: [{ url: 'https://tools.example.com/weather' }] })
  const { headers, body } = await app.inject('/docs')
  t.match(body, '<title>weather-tool</title>')
  t.match(headers, { 'content-security-policy': /connect-src 'self' https:\/\/tools\.example\.com;/, 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer', 'cross-origin-resource-policy': 'same-origin', 'x-request-id': String })
  t.equal((await app.inject('/docs/start.js')).headers['content-security-policy'], "default-src 'none'; frame-ancestors 'none'")
  const silent = await build(t, { ...service('x'), docs: false })
  t.equal((await silent.app.inject('/docs')).statusCode, 404)
})

t.test('what your own routes say of themselves is in the document', async t => {
  const { app } = await build(t, service('x'))
  app.get('/bare', async () => ({}))
  app.get('/mine/:id', { schema: { summary: 'Mine.', params: Type.Object({ id: Type.Integer() }) } }, async ({ params }) => ({ id: params.id }))
  t.match((await app.inject('/openapi.json')).json().paths, { '/mine/{id}': { get: { summary: 'Mine.', parameters: [{ name: 'id', schema: { type: 'integer' } }] } }, '/bare': undefined, '/health': undefined, '/docs': undefined })
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
  await app.register(toolService, { prefix: '/a', ...service('a-tool') })
  const stop = holdClose(t, app)
  const port = await listen(app)
  t.match((await sendRaw(port, request('GET', '/%zz'))).body, /FST_ERR_BAD_URL/)
  t.match((await sendRaw(port, 'garbage\r\n\r\n')).body, /Client Error/)
  t.match((await sendRaw(port, 'GET /a/health HTTP/1.1\r\nconnection: close\r\n\r\n')), { status: 400, headers: { 'x-request-id': undefined } }, 'no host')
  t.match((await sendRaw(port, request('GET', '/nowhere'))).body, /Route GET:\/nowhere not found/, "outside the service's prefix")
  t.equal((await sendRaw(port, request('GET', '/a/nowhere', { 'x-request-id': 'mine' }))).headers['x-request-id']?.startsWith('req-'), true)
  t.equal((await sendRaw(port, request('GET', '/a/health', { expect: 'weird' }))).status, 417)
  const finish = await stop()
  t.match((await sendRaw(port, request('GET', '/a/ready'))).body, /Service Unavailable/)
  await finish()
})

t.test('registered at the root of an app by `fp`, the whole app is the service', async t => {
  const app = Fastify({ ...serverOptions, logger: { stream: collector().stream } })
  t.teardown(() => app.close())
  await app.register(fp(async root => await toolService(root, service('root-tool'))))
  const stop = holdClose(t, app)
  app.get('/own', async () => { throw new Error('x') })
  const port = await listen(app)
  t.match(JSON.parse((await sendRaw(port, request('GET', '/own'))).body), { error: { code: 'INTERNAL_ERROR' } })
  const finish = await stop()
  t.equal((await sendRaw(port, request('GET', '/ready'))).status, 503)
  await finish()
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

t.test('what is not good about a declaration is said once, at start, in the log', async t => {
  const bare = defineCapability({ name: 'bare', description: 'Has an undescribed field.', effect: 'read', input: Type.Object({ x: Type.Optional(Type.String()) }), output: Type.Null(), handler: () => null })
  const { app, lines, warnings } = await build(t, { capabilities: [bare] })
  t.match(warnings, [{ level: 40, msg: /bare.*`?x`?/ }])
  await app.inject({ method: 'POST', url: '/api/capabilities/bare', payload: {} })
  t.strictSame(lines, [])
})

t.test('a known secret is in no answer, header or log line, whoever put it there', async t => {
  const fake = await fakeUpstream(t, socket => socket.end(rawAnswer(400, { 'content-type': 'application/json' }, '{"message":"bad request for /?key=planted-1 with planted-2"}')))
  const leaky = defineCapability({
    name: 'leaky',
    description: 'Gives everything away.',
    effect: 'read',
    upstreams: ['source'],
    input: Type.Object({ how: Type.String({ description: 'In which way' }) }),
    output: Type.Object({ text: Type.String() }),
    async handler ({ how }, call) {
      call.log.info({ config: { headers: { 'x-api-key': 'planted-2' } } }, 'asking with planted-1')
      if (how === 'upstream') await call.upstream('source').get('/')
      if (how === 'bug') throw new Error('at http://user:planted-3@host/', { cause: new Error('planted-1') })
      return { text: `planted-${how}` }
    }
  })
  const options = { capabilities: [leaky], upstreams: { source: { baseUrl: `${fake.url}/?key=planted-1`, headers: { 'x-api-key': 'planted-2' }, secrets: ['planted-3'] } } }
  const raw: string[] = []
  const stream = new Writable({ write (chunk, _, done) { raw.push(String(chunk)); done() } })
  const { app } = await build(t, { ...options, logger: { level: 'debug', stream } })
  const own = Fastify({ ...serverOptions, logger: { ...loggerOptions, level: 'debug', stream } })
  t.teardown(() => own.close())
  own.register(toolService, { name: 'own', version: '1', ...options })
  for (const service of [app, own]) {
    for (const how of ['upstream', 'bug', '3']) {
      const { body, headers } = await service.inject({ method: 'POST', url: '/api/capabilities/leaky', payload: { how } })
      t.notMatch(body + JSON.stringify(headers), /planted-\d/, how)
    }
  }
  t.ok(raw.length > 8)
  t.notMatch(raw.join(''), /planted-\d/)
  for (const line of raw) t.ok(JSON.parse(line))
})

t.test('a logger with a hook of its own keeps it', async t => {
  const { lines, stream } = collector()
  await build(t, { capabilities: [], upstreams: { source: { baseUrl: 'http://127.0.0.1:1', secrets: ['planted-4'] } }, logger: { stream, hooks: { streamWrite: line => line.replace('hello', 'planted-4') } } }).then(({ app }) => app.log.info('hello'))
  t.match(lines, [{ msg: '[redacted]' }])
})

t.test('a logger that is an instance, and none at all, are left as they are', async t => {
  const { app } = await build(t, { capabilities: [], logger: false })
  t.equal((await app.inject('/health')).statusCode, 200)
  const loud = await build(t, { capabilities: [], logger: true })
  loud.app.log.level = 'silent'
  t.equal((await loud.app.inject('/health')).statusCode, 200)
})

const plain = { ...echo, upstreams: [] }

t.test('calls are counted for Prometheus, unless nobody wants to know', async t => {
  const { app } = await build(t, { capabilities: [plain] })
  await app.inject({ method: 'POST', url: '/api/capabilities/echo', payload: { text: 'x' } })
  await app.inject({ method: 'POST', url: '/api/capabilities/echo', payload: { text: 5 } })
  const { body } = await app.inject('/metrics')
  t.match(body, 'candor_calls_total{capability="echo",outcome="success",code=""} 1')
  t.match(body, 'candor_calls_total{capability="echo",outcome="failure",code="INVALID_INPUT"} 1')
  const silent = await build(t, { capabilities: [plain], metrics: false })
  t.equal((await silent.app.inject('/metrics')).statusCode, 404)
})

t.test('its capabilities are tools of MCP, unless nobody wants that', async t => {
  const ask = (app: Awaited<ReturnType<typeof build>>['app']) => app.inject({ method: 'POST', url: '/mcp', headers: { accept: 'application/json, text/event-stream' }, payload: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'echo', arguments: { text: 'hi' } } } })
  const { app } = await build(t, { capabilities: [plain] })
  t.match((await ask(app)).body, '"structuredContent":{"success":true,"data":{"text":"hi"}}')
  const silent = await build(t, { capabilities: [plain], mcp: false })
  t.match((await ask(silent.app)).json(), { error: { code: 'ROUTE_NOT_FOUND' } })
})

t.test('rules that are relaxed show in the health of the service', async t => {
  const { app } = await build(t, { capabilities: [plain, { ...plain, name: 'strict', honesty: { 'no-result': 'refuse' } }], honesty: { 'no-result': 'warn' } })
  t.match((await app.inject('/health')).json(), { honesty: { echo: { 'no-result': 'warn' }, strict: undefined }, honesty_unnamed: undefined })
})

t.test('they show without names that not everybody may know', async t => {
  const honesty = { evidence: 'off' } as const
  const { app } = await build(t, { capabilities: [plain, { ...plain, name: 'secret', hidden: true }], honesty })
  t.match((await app.inject('/health')).json(), { honesty: { echo: honesty }, honesty_unnamed: { evidence: { off: 1 } } })
  t.notMatch((await app.inject('/health')).body, /secret/)
  const asking = await build(t, { capabilities: [plain, { ...plain, name: 'secret', scopes: ['books'] }], honesty, auth: { apiKeys: [{ id: 'a', sha256: hashApiKey('key-a') }] } })
  const { body } = await asking.app.inject('/health')
  t.notMatch(body, /secret|echo/)
  t.match(JSON.parse(body), { honesty: undefined, honesty_unnamed: { evidence: { off: 2 } } })
})

t.test('a slash at the end of the prefix makes no difference', async t => {
  const app = Fastify(serverOptions)
  t.teardown(() => app.close())
  const auth = { jwt: { issuer: 'https://login.example.com', audience: 'x', jwks: 'https://login.example.com/jwks' }, public: ['/api/*', '/openapi.json', '/docs/*', '/mcp'] }
  await app.register(toolService, { prefix: '/svc/', ...service('svc-tool'), auth, limits: { overload: { maxRssBytes: 1e15 } } })
  t.equal((await app.inject('/svc/api/capabilities')).json()[0].endpoint, '/svc/api/capabilities/echo')
  t.equal((await app.inject('/svc/api/capabilities/echo')).json().schema_endpoint, '/svc/api/capabilities/echo/schema')
  t.match(Object.keys((await app.inject('/svc/openapi.json')).json().paths), ['/svc/api/capabilities/echo'])
  t.match((await app.inject('/svc/docs/start.js')).body, '"/svc/docs".length')
  t.notMatch((await app.inject('/svc/docs/start.js')).body, '/svc//')
  t.match((await app.inject('/svc/api/nowhere')).headers['www-authenticate'], 'resource_metadata="http://localhost/svc/.well-known/oauth-protected-resource/mcp"')
  t.match((await app.inject('/svc/.well-known/oauth-protected-resource/mcp')).json(), { resource: 'http://localhost/svc/mcp' })
  const open = Fastify(serverOptions)
  t.teardown(() => open.close())
  await open.register(toolService, { prefix: '/svc/', ...service('svc-tool') })
  t.match((await open.inject('/svc/nowhere')).json(), { error: { details: { hint: 'GET /svc/api/capabilities lists what can be called.' } } })
})

t.test('without options there is no service, and it is said what is missing', async t => {
  for (const [options, got] of [[undefined, 'undefined'], [null, 'null'], ['SECRET', 'a string']]) await t.rejects(createToolService(options as never), { name: 'TypeError', message: `Expected the options of a service, got ${got}.` })
  await t.rejects(createToolService({ name: 'x', version: '1', capabilities: [], prefix: '/x' } as never), { name: 'TypeError', message: /no `prefix`, .*register `toolService` with it/ })
})

t.test('a handler that does not end with its call is told of in the log, once', async t => {
  let finish: () => void = () => {}
  const endless: Capability = { ...plain, name: 'endless', timeoutMs: 20, maxConcurrent: 2, handler: async () => { await new Promise<void>(resolve => { finish = resolve }); return { text: 'late' } } }
  const { app, lines } = await build(t, { capabilities: [endless] })
  t.equal((await app.inject({ method: 'POST', url: '/api/capabilities/endless' })).statusCode, 504)
  const told = () => lines.filter(({ msg }) => msg.startsWith('A handler still runs'))
  await until(() => told().length > 0)
  finish()
  t.match(told(), [{ level: 40, capability: 'endless', maxConcurrent: 2 }])
})

t.test('a test finds the service behind its server', async t => {
  const { app } = await build(t, { capabilities: [plain] })
  t.strictSame([...servicesAt(app.server)[0]!.capabilities.keys()], ['echo'])
})

t.test('calls are counted where a limit is set, and a service past its bounds is not ready', async t => {
  const limited: Capability = { ...echo, rateLimit: { max: 1, windowMs: 60_000 } }
  for (const options of [{ limits: { rate: { max: 1, windowMs: 60_000 } } }, { capabilities: [limited] }, { capabilities: [limited], limits: { overload: { maxRssBytes: 1e15 } } }]) {
    const { app } = await build(t, { ...service('weather-tool'), ...options })
    const call = async () => (await app.inject({ method: 'POST', url: '/api/capabilities/echo' })).statusCode
    t.strictSame([await call(), await call()], [200, 429])
    const [running] = servicesAt(app.server)
    running!.isOverloaded = () => true
    t.match((await app.inject('/ready')).json(), { error: { code: 'SERVICE_UNAVAILABLE', details: { not_ready: 'overloaded' } } })
  }
})

t.test('a route that asks for scopes needs somebody to ask', async t => {
  const { app } = await build(t, service('weather-tool'))
  t.throws(() => app.get('/admin', { config: { scopes: ['admin'] } }, async () => ''), { name: 'TypeError', message: 'Route /admin: expected `config.scopes` only in a service with `auth`, or nobody would be asked for them.' })
})
