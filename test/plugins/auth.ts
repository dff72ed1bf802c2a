import Fastify from 'fastify'
import t, { type Test } from 'tap'
import { createToolError, createToolService, hashApiKey, toolService, type AuthOptions } from 'candor'
import { build, call } from '../fixtures/build.js'
import { note, reading } from '../fixtures/capabilities.js'
import { createKey, ISSUER, jwtOptions, serveKeys, sign, withKeys } from '../fixtures/issuer.js'
import { legacyHeaders, messagesIn, rpc } from '../fixtures/mcp.js'
import { listen, request, sendRaw } from '../fixtures/raw.js'

process.on('warning', warning => t.fail(warning.message))

const key = await createKey()
const upstreams = { up: { baseUrl: 'http://127.0.0.1:1' } }
const apiKeys = [{ id: 'agent', sha256: hashApiKey('good-key'), scopes: ['read'] }]
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
const who = reading('who', async (_, { principal }) => ({ text: JSON.stringify(principal) }))
const serve = async (t: Test, auth: AuthOptions) => await build(t, { upstreams, capabilities: [who, note, { ...note, name: 'pay', scopes: ['pay'] }], auth })

t.test('a handler is told who calls, by a key or by a token', async t => {
  const { app } = await serve(t, { apiKeys, jwt: jwtOptions(key) })
  const told = async (token: string) => JSON.parse((await call(app, 'who', {}, bearer(token))).body.data.text)
  t.strictSame(await told('good-key'), { id: 'key:agent', scopes: ['read'], claims: {} })
  t.match(await told(await sign(key, { scope: 'read pay' })), { id: 'jwt:ann', scopes: ['read', 'pay'], claims: { iss: ISSUER, sub: 'ann' } })
  const [{ result }] = messagesIn((await app.inject({ method: 'POST', url: '/mcp', headers: { ...legacyHeaders(), ...bearer('good-key') }, payload: rpc('tools/call', { name: 'who' }) })).body) as any
  t.match(JSON.parse(result.structuredContent.data.text), { id: 'key:agent' })
})

t.test('nobody is told what there is: every address answers the same', async t => {
  const { app } = await serve(t, { apiKeys })
  const bodies = new Set<string>()
  const requests = [['GET', '/'], ['GET', '/nowhere'], ['GET', '/api/capabilities'], ['POST', '/api/capabilities/who'], ['POST', '/api/capabilities/nothing'], ['GET', '/api/capabilities/pay'], ['GET', '/openapi.json'], ['GET', '/docs'], ['GET', '/metrics'], ['DELETE', '/health'], ['OPTIONS', '/api/capabilities'], ['PUT', '/api/capabilities/who'], ['GET', '/.well-known/oauth-protected-resource']] as const
  for (const [method, url] of requests) {
    const response = await app.inject({ method, url, headers: { 'x-request-id': 'r' } })
    t.match([response.statusCode, response.headers], [401, { 'www-authenticate': 'Bearer realm="test-tool"', vary: 'Authorization', 'x-should-retry': 'false' }], url)
    bodies.add(response.body)
  }
  t.strictSame([...bodies].map(body => JSON.parse(body)), [{ success: false, error: { code: 'API_KEY_MISSING', message: 'The request carries no credentials.', category: 'AUTH_ERROR', retryable: false, details: { expected: 'one header Authorization: Bearer <API key>', credentials: 'caller', next_action: 'fix_credentials', request_id: 'r' } } }])
  for (const url of ['/health', '/ready']) t.match(await app.inject(url), { statusCode: 200, headers: { vary: undefined } })
})

t.test('a wrong key is told so, before its body is read', async t => {
  const { app, lines } = await serve(t, { apiKeys })
  const response = await app.inject({ method: 'POST', url: '/api/capabilities/who', headers: { ...bearer('my-wrong-key'), 'content-type': 'text/plain' }, payload: 'x' })
  t.match([response.statusCode, response.json().error.code, response.headers['www-authenticate']], [401, 'API_KEY_INVALID', 'Bearer realm="test-tool", error="invalid_token"'])
  t.notMatch(JSON.stringify(lines), /my-wrong-key/)
  t.match(lines.filter(({ code }) => code !== undefined), [{ code: 'API_KEY_INVALID' }])
})

t.test('over MCP it is an error of JSON-RPC under 401; what a known caller may not, is a result', async t => {
  const { app } = await serve(t, { apiKeys })
  const post = async (headers: Record<string, string>, payload: object) => await app.inject({ method: 'POST', url: '/mcp', headers: { ...legacyHeaders(), ...headers }, payload })
  const nobody = await post({}, rpc('tools/list'))
  t.match([nobody.statusCode, nobody.headers['www-authenticate'], nobody.json()], [401, 'Bearer realm="test-tool"', { jsonrpc: '2.0', id: null, error: { code: -32000 } }])
  const forbidden = await post(bearer('good-key'), rpc('tools/call', { name: 'pay' }))
  t.equal(forbidden.statusCode, 200)
  t.equal(forbidden.headers['www-authenticate'], undefined)
  t.match(messagesIn(forbidden.body), [{ result: { isError: true, structuredContent: { error: { code: 'FORBIDDEN' } } } }])
  t.strictSame(messagesIn((await post(bearer('good-key'), rpc('tools/list'))).body)[0]!.result.tools.map(({ name }: { name: string }) => name), ['note', 'who'])
})

t.test('your own routes ask too, for scopes where they say so, unless they are public', async t => {
  const { app } = await serve(t, { apiKeys, public: ['/open/*'] })
  app.get('/mine', async request => ({ id: request.principal?.id }))
  app.get('/admin', { config: { scopes: ['read', 'admin'] } }, async () => 'x')
  app.get('/reading', { config: { scopes: ['read'] } }, async () => 'x')
  app.get('/said', { config: { public: true } }, async request => ({ id: request.principal?.id ?? 'nobody' }))
  app.get('/open/:page', async () => 'x')
  const get = async (url: string, headers = {}) => await app.inject({ url, headers })
  t.strictSame((await get('/mine', bearer('good-key'))).json(), { id: 'key:agent' })
  t.equal((await get('/mine')).statusCode, 401)
  t.match(await get('/admin', bearer('good-key')), { statusCode: 403, headers: { 'www-authenticate': 'Bearer error="insufficient_scope", scope="read admin"', vary: 'Authorization' } })
  t.equal((await get('/reading', bearer('good-key'))).statusCode, 200)
  t.strictSame((await get('/said', bearer('good-key'))).json(), { id: 'nobody' }, 'credentials are not looked at')
  t.match(await get('/said'), { headers: { vary: undefined } })
  t.match(await get('/open/1'), { statusCode: 200, headers: { vary: 'Authorization' } })
  t.equal((await get('/open')).statusCode, 401, 'there is no such route')
})

const discovery = ['/api/*', '/openapi.json', '/mcp', '/docs/*']
const payKey = { id: 'payer', sha256: hashApiKey('pay-key'), scopes: ['pay'] }

t.test('where discovery is public, nobody hears of more than it may call', async t => {
  const { app } = await serve(t, { apiKeys: [...apiKeys, payKey], public: discovery })
  const list = async (headers = {}) => JSON.stringify(messagesIn((await app.inject({ method: 'POST', url: '/mcp', headers: { ...legacyHeaders(), ...headers }, payload: rpc('tools/list') })).body))
  const texts = async (headers = {}) => [
    ...await Promise.all(['/api/capabilities', '/api/capabilities?format=openai', '/api/capabilities?format=mcp', '/openapi.json', '/api/capabilities/pey', '/nowhere'].map(async url => (await app.inject({ url, headers })).body)),
    await list(headers)
  ]
  for (const headers of [{}, bearer('good-key')]) for (const text of await texts(headers)) t.notMatch(text, /"pay"|capabilities\/pay/)
  for (const text of (await texts(bearer('pay-key'))).slice(0, 5).concat(await list(bearer('pay-key')))) t.match(text, /pay/)
  t.equal((await app.inject('/api/capabilities/pay')).statusCode, 404)
  t.match((await app.inject('/api/capabilities')).headers, { 'cache-control': 'no-cache', vary: 'Authorization' })
  t.match((await app.inject({ url: '/api/capabilities', headers: bearer('good-key') })).headers, { 'cache-control': 'private, no-cache', vary: 'Authorization' })
})

t.test('on a public route credentials count where they are sent, and wrong ones are told so', async t => {
  const { app } = await serve(t, { apiKeys: [...apiKeys, payKey], jwt: jwtOptions(key), public: [...discovery, '/open/*'] })
  app.get('/open/mine', async request => ({ id: request.principal?.id ?? 'nobody' }))
  app.get('/open/books', { config: { scopes: ['pay'] } }, async () => 'x')
  const get = async (url: string, headers = {}) => await app.inject({ url, headers })
  t.strictSame([(await get('/open/mine')).json(), (await get('/open/mine', bearer('good-key'))).json()], [{ id: 'nobody' }, { id: 'key:agent' }])
  t.equal((await call(app, 'pay', {}, bearer('pay-key'))).status, 200)
  t.equal((await call(app, 'note', {})).status, 200)
  t.match(await call(app, 'pay', {}), { status: 401, headers: { 'www-authenticate': /^Bearer realm="test-tool", resource/, vary: 'Authorization' } })
  t.match(await call(app, 'pay', {}, bearer('good-key')), { status: 403 })
  for (const headers of [bearer('bad-key'), { authorization: 'Basic x' }, bearer(await sign(key, { exp: 5 }))]) t.match(await call(app, 'note', {}, headers), { status: 401, body: { error: { category: 'AUTH_ERROR' } } }, headers.authorization)
  t.strictSame(await Promise.all([{}, bearer('good-key'), bearer('pay-key')].map(async headers => (await get('/open/books', headers)).statusCode)), [401, 403, 200], 'a route of your own that asks for scopes still does')
  for (const url of ['/health', '/ready', '/.well-known/oauth-protected-resource']) t.match(await get(url, bearer('bad-key')), { statusCode: 200, headers: { vary: undefined } }, url)
})

t.test('what a public route says of itself stands, and what varies already still does', async t => {
  const { app } = await serve(t, { apiKeys })
  app.get('/own', { config: { public: true } }, async (_, reply) => reply.code(401).header('www-authenticate', 'Basic realm="x"').send(''))
  app.get('/list', async (_, reply) => reply.header('vary', ['Accept', 'Origin']).send(''))
  app.get('/all', async (_, reply) => reply.header('vary', '*').send(''))
  app.get('/same', async (_, reply) => reply.header('vary', 'authorization').send(''))
  const own = await app.inject('/own')
  t.match(own.headers, { 'www-authenticate': 'Basic realm="x"', vary: 'Authorization' })
  const vary = async (url: string) => (await app.inject({ url, headers: bearer('good-key') })).headers.vary
  t.strictSame([await vary('/list'), await vary('/all'), await vary('/same')], ['Accept, Origin, Authorization', '*', 'authorization'])
})

t.test('a route or an entry that cannot be meant stops the start', async t => {
  const { app } = await serve(t, { apiKeys })
  t.throws(() => app.get('/a', { config: { scopes: 'admin' as never } }, async () => ''), /`config.scopes`/)
  const other = await serve(t, { apiKeys, public: ['/metrics', '/docs/*', '/metriks'] })
  await t.rejects(async () => await other.app.ready(), new TypeError("test-tool cannot start.\n- Expected `auth.public` to name routes that there are, got '/metriks'."))
  await t.rejects(createToolService({ name: 'x', version: '1', capabilities: [{ ...note, scopes: ['a'] }], logger: false }), /without it nobody is asked/)
})

t.test('where nobody can say who calls, it is 503 and not 401', async t => {
  const server = await serveKeys(t)
  server.answer = (_, response) => { response.writeHead(500).end() }
  const { app, lines } = await serve(t, { jwt: jwtOptions(server.url) })
  const token = await sign(key)
  const down = await call(app, 'note', {}, bearer(token))
  t.match(down, { status: 503, headers: { 'www-authenticate': undefined }, body: { error: { code: 'AUTH_PROVIDER_UNAVAILABLE', retryable: true, details: { outcome: 'not_applied', next_action: 'retry' } } } })
  t.match(lines.filter(({ code }) => code !== undefined), [{ code: 'AUTH_PROVIDER_UNAVAILABLE', err: { message: /could not be fetched/ } }])
  server.answer = withKeys(key.jwk)
  await new Promise(resolve => setTimeout(resolve, 1_050))
  t.equal((await call(app, 'note', {}, bearer(token))).status, 200)
  server.answer = (_, response) => { response.destroy() }
  t.equal((await call(app, 'note', {}, bearer(token))).status, 200, 'a key that is known serves on')
})

t.test('what the team’s own function throws is answered, and no log has the token', async t => {
  const { app, lines } = await serve(t, {
    authenticate ({ token, headers }) {
      if (headers['x-user'] !== undefined) return { id: 'user:ann', scopes: ['pay'], claims: {} }
      if (token === 'my-secret-token') throw new Error(`No answer about ${token}.`)
      if (token === 'my-locked-token') throw createToolError({ code: 'ACCOUNT_LOCKED', category: 'AUTH_ERROR', status: 403, message: `${token} is locked.` })
      return token === undefined ? undefined : null as never
    }
  })
  const ask = async (headers: Record<string, string>) => await call(app, 'pay', {}, headers)
  t.equal((await ask({ 'x-user': 'ann' })).status, 200)
  t.match(await ask({}), { status: 401, body: { error: { code: 'UNAUTHORIZED' } } })
  t.match(await ask(bearer('my-secret-token')), { status: 503, body: { error: { code: 'AUTH_PROVIDER_UNAVAILABLE' } } })
  t.match(await ask(bearer('my-locked-token')), { status: 403, body: { error: { code: 'ACCOUNT_LOCKED', message: '[redacted] is locked.', retryable: false } } })
  t.match(await ask(bearer('my-odd-token')), { status: 500, body: { error: { code: 'INTERNAL_ERROR' } } })
  t.match(lines.find(({ code }) => code === 'AUTH_PROVIDER_UNAVAILABLE'), { err: { message: 'No answer about [redacted].' } })
  t.notMatch(JSON.stringify(lines), /my-(secret|locked|odd)-token/)
})

t.test('a function that never answers holds nobody for ever', async t => {
  const { app } = await serve(t, { authenticate: () => new Promise(() => {}) })
  const { setTimeout } = globalThis
  t.intercept(globalThis, 'setTimeout', { value: Object.assign((run: (...all: unknown[]) => void, ms?: number, ...rest: unknown[]) => setTimeout(run, ms === 10_000 ? 5 : ms, ...rest), setTimeout) })
  t.match(await call(app, 'note', {}, bearer('x')), { status: 503, body: { error: { code: 'AUTH_PROVIDER_UNAVAILABLE', retryable: true, details: { outcome: 'not_applied', next_action: 'retry' } } } })
  t.notMatch((await app.inject('/api/capabilities')).json().error.details, { outcome: /./ })
})

t.test('a token that reads like a word of ours takes nothing out of the answer or the log', async t => {
  const { app, lines } = await serve(t, {
    authenticate ({ token }) {
      if (token === 'ACCOUNT_LOCKED') throw createToolError({ code: 'ACCOUNT_LOCKED', category: 'AUTH_ERROR', status: 403, message: 'Locked.' })
      throw new Error(`No answer about ${token}.`)
    }
  })
  for (const token of ['false', 'error', 'true', 'null', 'success', 'message', 'requestId', 'retryable', 'SERVICE_ERROR', 'next_action', 'request_id', 'not_applied', 'AUTH_PROVIDER_UNAVAILABLE', 'capability', 'test-tool']) {
    lines.splice(0)
    const answer = await call(app, 'note', {}, { ...bearer(token), 'x-request-id': 'r-1' })
    t.strictSame([answer.status, answer.body], [503, { success: false, error: { code: 'AUTH_PROVIDER_UNAVAILABLE', message: 'Credentials cannot be checked at the moment.', category: 'SERVICE_ERROR', retryable: true, details: { outcome: 'not_applied', next_action: 'retry', request_id: 'r-1' } } }], token)
    const [line] = lines.filter(({ code }) => code !== undefined)
    t.match(line, { level: 40, requestId: 'r-1', code: 'AUTH_PROVIDER_UNAVAILABLE', status: 503, outcome: 'not_applied', msg: 'Credentials cannot be checked at the moment.', err: { type: 'Error', stack: /No answer about/ } }, token)
    t.equal(line!.err!.message, `No answer about ${token.length < 8 ? token : '[redacted]'}.`)
  }
  t.match(await call(app, 'note', {}, bearer('ACCOUNT_LOCKED')), { status: 403, body: { error: { code: 'ACCOUNT_LOCKED' } } })
})

t.test('what the team’s own function throws or returns is told as what it is', async t => {
  const { app } = await serve(t, {
    authenticate ({ token }) {
      if (token === 'ended') throw createToolError({ code: 'SESSION_ENDED', category: 'AUTH_ERROR', message: 'The session has ended.' })
      if (token === 'busy') throw createToolError({ code: 'DIRECTORY_BUSY', category: 'SERVICE_ERROR', message: 'Busy.', details: { outcome: 'applied' } })
      return { get id (): string { throw Object.assign(new Error('no such user'), { statusCode: 404 }) }, scopes: [], claims: {} }
    }
  })
  const ask = async (token: string) => await call(app, 'note', {}, bearer(token))
  t.match(await ask('ended'), { status: 401, headers: { 'www-authenticate': 'Bearer realm="test-tool", error="invalid_token"' }, body: { error: { code: 'SESSION_ENDED', retryable: false, details: { credentials: 'caller', next_action: 'fix_credentials' } } } })
  t.match(await ask('busy'), { status: 503, body: { error: { code: 'DIRECTORY_BUSY', retryable: true, details: { outcome: 'not_applied', next_action: 'retry' } } } })
  t.match(await ask('odd'), { status: 500, body: { error: { code: 'INTERNAL_ERROR' } } })
})

t.test('a key set that goes on for ever is none', async t => {
  const server = await serveKeys(t)
  server.answer = (_, response) => {
    const write = (): void => { while (!response.destroyed && response.write(' '.repeat(65_536))); }
    response.on('drain', write)
    write()
  }
  const { app } = await serve(t, { jwt: jwtOptions(server.url) })
  t.match(await call(app, 'note', {}, bearer(await sign(key))), { status: 503, body: { error: { code: 'AUTH_PROVIDER_UNAVAILABLE', details: { outcome: 'not_applied' } } } })
})

t.test('no secret that slipped into the name of an option is told at start', async t => {
  const secret = 'sk-live-0123456789abcdef'
  for (const auth of [{ apiKeys: [{ [secret]: 'billing' }] }, { [secret]: [] }, { jwt: { [secret]: 1 } }]) {
    const error = await createToolService({ name: 'x', version: '1', capabilities: [], auth: auth as AuthOptions, logger: false }).catch(error => error)
    t.match(error.message, /got an unknown option/)
    t.notMatch(error.message, /sk-live/)
  }
})

t.test('a client is led to the authorization server', async t => {
  const { app } = await build(t, { capabilities: [{ ...note, scopes: ['write'] }], auth: { jwt: jwtOptions(key) } })
  const at = 'http://tools.example/.well-known/oauth-protected-resource/mcp'
  for (const path of ['', '/mcp']) {
    t.strictSame((await app.inject({ url: `/.well-known/oauth-protected-resource${path}`, headers: { host: 'tools.example' } })).json(), { resource: 'http://tools.example/mcp', authorization_servers: [ISSUER], scopes_supported: ['write'], bearer_methods_supported: ['header'], resource_name: 'test-tool' })
  }
  const ask = async (headers: Record<string, string>) => (await app.inject({ url: '/mcp', headers: { host: 'tools.example', ...headers } })).headers['www-authenticate']
  t.equal(await ask({}), `Bearer realm="test-tool", resource_metadata="${at}"`)
  t.equal(await ask(bearer('a.b.c')), `Bearer realm="test-tool", error="invalid_token", resource_metadata="${at}"`)
  t.equal(await ask({ 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' }), `Bearer realm="test-tool", resource_metadata="${at}"`)
  for (const host of ['a",error="insufficient_scope', 'me@tools.example', 'tools.example/x']) t.equal(await ask({ host }), 'Bearer realm="test-tool"', host)
  const port = await listen(app)
  t.equal((await sendRaw(port, request('GET', '/nowhere', { host: 'localhost' }))).headers['www-authenticate'], 'Bearer realm="test-tool", resource_metadata="http://localhost/.well-known/oauth-protected-resource/mcp"')
  const nameless = await sendRaw(port, 'GET /.well-known/oauth-protected-resource HTTP/1.0\r\n\r\n')
  t.match([nameless.status, JSON.parse(nameless.body)], [400, { error: { code: 'MALFORMED_REQUEST' } }])
  t.equal((await sendRaw(port, 'GET /nowhere HTTP/1.0\r\n\r\n')).headers['www-authenticate'], 'Bearer realm="test-tool"')
})

t.test('behind a proxy it is the address that is configured, or that the proxy names', async t => {
  const options = { capabilities: [note], upstreams, auth: { jwt: jwtOptions(key) } }
  const trusting = await build(t, { ...options, server: { trustProxy: true } })
  const forwarded = { 'x-forwarded-host': 'tools.example', 'x-forwarded-proto': 'https' }
  t.equal((await trusting.app.inject({ url: '/.well-known/oauth-protected-resource', headers: forwarded })).json().resource, 'https://tools.example/mcp')
  const named = await build(t, { ...options, auth: { ...options.auth, resource: 'https://a.example/tools/mcp' } })
  t.equal((await named.app.inject('/.well-known/oauth-protected-resource')).json().resource, 'https://a.example/tools/mcp')
  t.match((await named.app.inject('/')).headers['www-authenticate'], /resource_metadata="https:\/\/a.example\/tools\/.well-known\/oauth-protected-resource\/mcp"$/)
})

t.test('under a prefix it asks for its own routes alone', async t => {
  const app = Fastify()
  t.teardown(() => app.close())
  app.get('/other', async () => 'x')
  await app.register(toolService, { prefix: '/tools', name: 'x', version: '1', capabilities: [note], auth: { apiKeys, jwt: jwtOptions(key), public: ['/docs/*'] } })
  for (const url of ['/tools/health', '/tools/docs', '/tools/docs/start.js', '/other']) t.equal((await app.inject(url)).statusCode, 200, url)
  for (const url of ['/tools/api/capabilities', '/tools/nowhere', '/tools/mcp', '/tools/openapi.json']) t.equal((await app.inject(url)).statusCode, 401, url)
  t.equal((await app.inject('/nowhere')).statusCode, 404)
  t.equal((await app.inject('/tools/.well-known/oauth-protected-resource')).json().resource, 'http://localhost/tools/mcp')
})
