import { once } from 'node:events'
import net from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Fastify from 'fastify'
import t, { type Test } from 'tap'
import { serverOptions, toolService } from 'candor'
import { build } from '../fixtures/build.js'
import { echo, note } from '../fixtures/capabilities.js'
import { legacyHeaders, rpc } from '../fixtures/mcp.js'
import { listen, parseRaw, request, sendRaw, type RawAnswer } from '../fixtures/raw.js'

process.on('warning', warning => t.fail(warning.message))

const upstreams = { up: { baseUrl: 'http://127.0.0.1:1' } }
const PAGE = 'https://app.example.com'
const ROUTES = ['GET /api/capabilities', 'GET /api/capabilities/note', 'GET /api/capabilities/note/schema', 'POST /api/capabilities/note', 'POST /api/capabilities/nowhere', 'GET /openapi.json', 'GET /docs', 'GET /metrics', 'GET /health', 'GET /ready', 'GET /nowhere', 'POST /own', 'GET /own', 'OPTIONS /own', 'OPTIONS /nowhere']
const RPC_ROUTES = ['POST /mcp', 'GET /mcp', 'DELETE /mcp', 'OPTIONS /mcp', 'POST /mcp/x']

/** A service with a plain route of its own; how often that one ran. */
async function service (t: Test, more: Partial<Parameters<typeof build>[1]> = {}) {
  const built = await build(t, { upstreams, capabilities: [echo, note], ...more })
  const ran: string[] = []
  built.app.post('/own', async ({ body }) => { ran.push(String(body)); return { ok: true } })
  return { ...built, ran }
}

function bodyOf (route: string): string {
  return route.startsWith('POST') ? '{"wrong' : ''
}

async function ask (port: number, route: string, headers: Record<string, string>): Promise<RawAnswer> {
  const [method, path] = route.split(' ') as [string, string]
  return await sendRaw(port, request(method, path, headers, bodyOf(route)))
}

function codeOf ({ body }: RawAnswer): string | undefined {
  return JSON.parse(body || '{}').error?.code
}

t.test('a page of another site is refused on every route, before anything is read', async t => {
  const { app, ran, lines } = await service(t)
  const port = await listen(app)
  for (const headers of [{ origin: 'http://evil.example' }, { origin: 'null' }, { 'sec-fetch-site': 'cross-site' }] as Array<Record<string, string>>) {
    for (const route of ROUTES) {
      const answer = await ask(port, route, headers)
      t.match([answer.status, JSON.parse(answer.body)], [403, { success: false, error: { code: 'ORIGIN_NOT_ALLOWED', category: 'AUTH_ERROR', retryable: false, details: { next_action: 'stop' } } }], route)
      t.match(answer.headers, { 'x-should-retry': 'false', 'x-content-type-options': 'nosniff', vary: undefined, 'access-control-allow-origin': undefined }, route)
    }
    for (const route of RPC_ROUTES) {
      const answer = await ask(port, route, headers)
      t.match([answer.status, JSON.parse(answer.body)], [403, { jsonrpc: '2.0', id: null, error: { code: -32000, message: /web page/ } }], route)
    }
  }
  t.strictSame(ran, [])
  t.match(lines.find(({ code }) => code === 'ORIGIN_NOT_ALLOWED'), { err: { message: /origin http:\/\/evil\.example/ } }, 'the log says who it was')
})

t.test('a page of the service itself, and a caller that is no page, are served', async t => {
  const { app } = await service(t)
  const port = await listen(app)
  for (const headers of [{}, { host: `localhost:${port}`, origin: `http://localhost:${port}`, 'sec-fetch-site': 'same-origin' }, { host: `127.0.0.1:${port}`, origin: `http://127.0.0.1:${port}` }] as Array<Record<string, string>>) {
    t.equal((await ask(port, 'GET /api/capabilities', headers)).status, 200)
    t.equal(codeOf(await ask(port, 'POST /api/capabilities/note', headers)), 'INVALID_JSON')
    t.match(await ask(port, 'OPTIONS /own', headers), { status: 204, headers: { allow: 'POST' } })
  }
})

t.test('a name that was made to point here is refused on a loopback bind, and anywhere where names were given', async t => {
  const { app } = await service(t)
  const port = await listen(app)
  const named = await service(t, { allowedHosts: ['tools.example.com'] })
  await named.app.listen({ port: 0, host: '0.0.0.0' })
  const namedPort = (named.app.server.address() as net.AddressInfo).port
  for (const at of [port, namedPort]) {
    for (const route of ROUTES) t.match(await ask(at, route, { host: `evil.example:${at}` }), { status: 403, body: /for a host/ }, route)
    for (const route of RPC_ROUTES) t.match(await ask(at, route, { host: 'evil.example' }), { status: 403, body: /jsonrpc.*for a host/ }, route)
    t.equal((await ask(at, 'GET /health', { host: `127.0.0.1:${at}` })).status, 200)
  }
  for (const host of ['tools.example.com', 'Tools.Example.com.:8080']) t.equal((await ask(namedPort, 'GET /health', { host })).status, 200, host)
  t.equal((await ask(namedPort, 'GET /health', { host: 'tools.example.com', origin: 'https://tools.example.com' })).status, 200)
  t.match(await ask(port, 'GET /health', { host: 'tools.example.com' }), { status: 403 })
})

t.test('bound to every address, a service is known by any name, but its pages are not', async t => {
  const { app } = await service(t)
  await app.listen({ port: 0, host: '0.0.0.0' })
  const { port } = app.server.address() as net.AddressInfo
  t.equal((await ask(port, 'GET /health', { host: 'weather:3000' })).status, 200)
  t.equal((await ask(port, 'GET /health', { host: 'evil.example', origin: 'http://evil.example' })).status, 403)
})

t.test('whoever is on a socket of the file system has passed its permissions', async t => {
  const { app } = await service(t)
  const path = join(tmpdir(), `candor-guard-${process.pid}.sock`)
  await app.listen({ path })
  for (const [headers, status] of [[{ host: 'anything' }, 200], [{ host: 'anything', origin: 'http://anything' }, 403]] as const) {
    const socket = net.connect(path)
    let text = ''
    socket.on('data', data => { text += String(data) })
    socket.write(request('GET', '/health', headers))
    await once(socket, 'close')
    t.equal(parseRaw(text).status, status)
  }
})

t.test('a request that names two hosts is refused', async t => {
  const { app } = await service(t)
  const port = await listen(app)
  const raw = async (target: string, ...hosts: string[]) => await sendRaw(port, `GET ${target} HTTP/1.1\r\n${hosts.map(host => `host: ${host}\r\n`).join('')}connection: close\r\n\r\n`)
  for (const answer of [await raw('/health', 'localhost', 'evil.example'), await raw('http://evil.example/health', 'localhost'), await raw('/health', 'localhost', 'localhost')]) {
    t.match([answer.status, codeOf(answer)], [400, 'MALFORMED_REQUEST'])
  }
  t.equal((await raw(`http://localhost:${port}/health`, `localhost:${port}`)).status, 200)
  t.equal((await raw(`http://evil.example:${port}/health`, `evil.example:${port}`)).status, 403)
})

t.test('behind a proxy that is trusted, what it says of host and scheme counts; nobody else can say it', async t => {
  const proxied = { host: 'backend', 'x-forwarded-host': 'tools.example.com', 'x-forwarded-proto': 'https' }
  const status = async (options: object, headers: Record<string, string>): Promise<number> => {
    const { app } = await build(t, { capabilities: [], allowedHosts: ['tools.example.com', 'backend'], server: options })
    return (await app.inject({ url: '/health', headers })).statusCode
  }
  t.equal(await status({ trustProxy: '127.0.0.1' }, proxied), 200)
  t.equal(await status({ trustProxy: '127.0.0.1' }, { ...proxied, origin: 'https://tools.example.com' }), 200)
  t.equal(await status({ trustProxy: '127.0.0.1' }, { ...proxied, origin: 'http://tools.example.com' }), 403, 'a page that was loaded in the clear')
  t.equal(await status({ trustProxy: '127.0.0.1' }, { ...proxied, origin: 'https://backend' }), 403)
  for (const server of [{ trustProxy: '10.0.0.1' }, {}]) t.equal(await status(server, { ...proxied, origin: 'https://tools.example.com' }), 403)
  t.equal(await status({ trustProxy: '127.0.0.1' }, { ...proxied, 'x-forwarded-host': 'evil.example' }), 403)
  for (const host of ['evil.example', 'gateway']) t.equal(await status({ trustProxy: '127.0.0.1' }, { ...proxied, host }), 403, 'the name that the proxy itself asks for has to be an own one too')
})

t.test('bound to this machine, a page that speaks for a proxy gains nothing', async t => {
  const { app } = await build(t, { capabilities: [], server: { trustProxy: true } })
  const port = await listen(app)
  t.equal((await ask(port, 'GET /health', { host: 'evil.example', 'x-forwarded-host': 'localhost' })).status, 403)
  t.equal((await ask(port, 'GET /health', { host: 'localhost', 'x-forwarded-host': `127.0.0.1:${port}` })).status, 200)
})

t.test("under a prefix, the app's other routes are its own", async t => {
  const app = Fastify({ ...serverOptions, logger: false })
  t.teardown(() => app.close())
  app.addHook('onRequest', async (_, reply) => { reply.header('vary', 'Accept-Language') })
  app.get('/own', async () => ({ ok: true }))
  await app.register(toolService, { prefix: '/tools', name: 'x', version: '1', capabilities: [note], cors: { origins: [PAGE] } })
  const headers = { origin: 'http://evil.example' }
  for (const url of ['/tools/health', '/tools/nowhere', '/tools/mcp']) t.equal((await app.inject({ url, headers })).statusCode, 403, url)
  t.match(await app.inject({ url: '/own', headers }), { statusCode: 200, headers: { vary: 'Accept-Language' } })
  t.match(await app.inject({ url: '/tools/health' }), { statusCode: 200, headers: { vary: 'Accept-Language, Origin' } })
  t.match(await app.inject({ method: 'OPTIONS', url: '/tools/api/capabilities/note', headers: { origin: PAGE, 'access-control-request-method': 'POST' } }), { statusCode: 204, headers: { 'access-control-allow-origin': PAGE } })
})

t.test('a configured page asks, is allowed, and reads success and failure alike', async t => {
  const { app, ran } = await service(t, { cors: { origins: [PAGE] } })
  const headers = { origin: PAGE, 'sec-fetch-site': 'cross-site' }
  const readable = { 'access-control-allow-origin': PAGE, 'access-control-expose-headers': /x-request-id, x-should-retry, retry-after/, 'access-control-allow-credentials': undefined, vary: 'Origin', 'cross-origin-resource-policy': 'same-origin' }
  for (const [method, url, payload, status] of [
    ['POST', '/api/capabilities/note', {}, 200], ['POST', '/api/capabilities/note', { x: 1 }, 400], ['POST', '/api/capabilities/nowhere', {}, 404],
    ['GET', '/api/capabilities', undefined, 200], ['GET', '/docs', undefined, 200], ['GET', '/nowhere', undefined, 404], ['POST', '/own', { a: 1 }, 200], ['GET', '/own', undefined, 405]
  ] as const) {
    const response = await app.inject({ method, url, headers, payload })
    t.equal(response.statusCode, status, url)
    t.match(response.headers, readable, url)
  }
  t.equal(ran.length, 1)
  const overMcp = await app.inject({ method: 'POST', url: '/mcp', headers: { ...legacyHeaders(), ...headers }, payload: rpc('ping') })
  t.equal(overMcp.statusCode, 200)
  t.match(overMcp.headers, readable)
  t.match(await app.inject({ method: 'GET', url: '/mcp', headers }), { statusCode: 405, headers: readable })
})

t.test('a preflight of a configured page is answered on every path; of any other it is refused', async t => {
  const { app } = await service(t, { cors: { origins: [PAGE], credentials: true, allowedHeaders: ['x-api-key'], maxAgeSeconds: 60 } })
  app.addHook('onRequest', async (_, reply) => reply.code(401).send())
  const preflight = async (url: string, origin: string) => await app.inject({ method: 'OPTIONS', url, headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'content-type' } })
  for (const url of ['/api/capabilities/note', '/own', '/mcp', '/nowhere']) {
    const { statusCode, headers, body } = await preflight(url, PAGE)
    t.strictSame([statusCode, body], [204, ''], url)
    t.match(headers, { 'access-control-allow-origin': PAGE, 'access-control-allow-credentials': 'true', 'access-control-allow-methods': /POST/, 'access-control-allow-headers': /authorization, content-type, .*x-api-key/, 'access-control-max-age': '60', vary: 'Origin', 'x-request-id': String }, url)
    t.match(await preflight(url, 'https://evil.example'), { statusCode: 403, headers: { vary: 'Origin', 'access-control-allow-origin': undefined, 'access-control-allow-methods': undefined } }, url)
  }
})

t.test('an OPTIONS that is no preflight is answered as without CORS', async t => {
  const { app } = await service(t, { cors: { origins: [PAGE] } })
  for (const headers of [{}, { origin: PAGE }, { 'access-control-request-method': 'POST' }]) {
    t.match(await app.inject({ method: 'OPTIONS', url: '/own', headers }), { statusCode: 204, headers: { allow: 'POST', vary: 'Origin', 'access-control-allow-methods': undefined } })
    t.match(await app.inject({ method: 'OPTIONS', url: '/mcp', headers }), { statusCode: 204, headers: { allow: 'POST' } })
    t.match((await app.inject({ method: 'OPTIONS', url: '/nowhere', headers })).json(), { error: { code: 'ROUTE_NOT_FOUND' } })
  }
})

t.test('every answer says that it depends on the origin, also where a route says what else it depends on', async t => {
  const { app } = await service(t, { cors: { origins: [PAGE] } })
  app.get('/varied', async (_, reply) => { reply.header('vary', 'Accept'); return { ok: true } })
  t.equal((await app.inject('/varied')).headers.vary, 'Accept, Origin')
  for (const url of ['/health', '/nowhere', '/docs']) t.equal((await app.inject(url)).headers.vary, 'Origin', url)
  t.equal((await app.inject({ url: '/health', headers: { origin: 'http://evil.example' } })).headers.vary, 'Origin')
})

t.test('a failure that is sent without hooks can be read by the page too', async t => {
  const { app } = await service(t, { cors: { origins: [PAGE] } })
  app.get('/bad', { onSend: async (_, reply) => { reply.header('x-bad', 'a\nb'); throw new Error('secret') } }, async () => ({ ok: true }))
  const port = await listen(app)
  const answer = await ask(port, 'GET /bad', { origin: PAGE })
  t.match([answer.status, codeOf(answer)], [500, 'INTERNAL_ERROR'])
  t.match(answer.headers, { 'access-control-allow-origin': PAGE, vary: 'Origin', 'x-bad': undefined })
})

t.test('where every page may call, all do, without credentials; for a foreign host they may not', async t => {
  const { app } = await service(t, { cors: { origins: ['*'] } })
  const port = await listen(app)
  for (const origin of ['http://evil.example', 'null']) {
    t.match(await ask(port, 'GET /health', { origin, 'sec-fetch-site': 'cross-site' }), { status: 200, headers: { 'access-control-allow-origin': '*', vary: 'Origin', 'access-control-allow-credentials': undefined } })
  }
  t.equal((await ask(port, 'GET /health', { 'sec-fetch-site': 'cross-site' })).status, 200)
  t.equal((await ask(port, 'GET /health', { host: 'evil.example', origin: 'http://evil.example' })).status, 403)
})

t.test('what is wrong with the options stops the start', async t => {
  await t.rejects(build(t, { capabilities: [], cors: { origins: ['*', 'https://app.example.com/x'] } }), { message: /got both\.[^]*no path/ })
})

t.test('whoever says the same as the one before is served as he was, and whoever says anything else is judged anew', async t => {
  const options = { allowedHosts: ['tools.example.com', 'backend'], server: { trustProxy: '127.0.0.1' } }
  const { app } = await build(t, { capabilities: [], ...options })
  const good = { host: 'backend', 'x-forwarded-host': 'tools.example.com', 'x-forwarded-proto': 'http', origin: 'http://tools.example.com', 'sec-fetch-site': 'same-origin' }
  const status = async (headers: Record<string, string | undefined>): Promise<number> => (await app.inject({ url: '/health', headers })).statusCode
  for (const [what, bad] of Object.entries({
    host: { 'x-forwarded-host': 'evil.example' },
    hostHeader: { host: 'evil.example' },
    origin: { origin: 'http://evil.example' },
    fetchSite: { 'sec-fetch-site': 'cross-site' },
    scheme: { 'x-forwarded-proto': 'https' }
  })) {
    t.strictSame([await status(good), await status(good), await status({ ...good, ...bad }), await status({ ...good, ...bad }), await status(good)], [200, 200, 403, 403, 200], what)
  }
})
