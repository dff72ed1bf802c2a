import bearerAuth from '@fastify/bearer-auth'
import multipart from '@fastify/multipart'
import rateLimit from '@fastify/rate-limit'
import sensible from '@fastify/sensible'
import { Type } from '@sinclair/typebox'
import Fastify, { type FastifyInstance } from 'fastify'
import { once } from 'node:events'
import net from 'node:net'
import { Readable } from 'node:stream'
import t, { type Test } from 'tap'
import { toolReplies } from 'candor'
import { errorPaths } from '../../plugins/error-paths.js'
import { serverOptions } from '../../plugins/server-options.js'
import { secure } from '../../src/call/secure-response.js'
import { securityHeaders } from '../../src/protocol/headers.js'
import { build } from '../fixtures/build.js'
import { note } from '../fixtures/capabilities.js'
import { collector } from '../fixtures/log.js'
import { listen, request, sendRaw } from '../fixtures/raw.js'

process.on('warning', warning => t.fail(warning.message))

const SECRET = 'sk-secret'
const secret = (more: object = {}) => Object.assign(new Error(SECRET), more)

/** Every failure is one envelope with the same id in header and body, and the security headers; nothing foreign is in it. */
async function failure (t: Test, app: Pick<FastifyInstance, 'inject'>, url: string, status: number, code: string, options: object = {}) {
  const response = await app.inject({ url, ...options })
  const { success, error } = response.json()
  t.strictSame([response.statusCode, success, error.code, error.details.request_id], [status, false, code, response.headers['x-request-id']], url)
  t.match(response.headers, { 'content-type': 'application/json; charset=utf-8', 'x-content-type-options': 'nosniff', 'content-security-policy': /none/, 'referrer-policy': 'no-referrer', 'cross-origin-resource-policy': 'same-origin', 'cache-control': 'no-store' })
  t.notMatch(response.body, SECRET)
  return { response, error }
}

t.test('thrown anything is our own error, and its status counts for nothing', async t => {
  const { app, lines } = await build(t, { capabilities: [] })
  const thrown = [null, undefined, 'boom', 42, { statusCode: 404, secret: SECRET }, secret({ statusCode: 401 }), secret({ status: 429 }), secret({ statusCode: 200 }), secret({ statusCode: '429' }), secret({ code: 'ERR_INVALID_CHAR' }), secret({ toJSON: () => ({ SECRET }) }), secret({ code: 'FST_ERR_VALIDATION', statusCode: 400 })]
  app.get<{ Params: { n: number } }>('/async/:n', async ({ params }) => { throw thrown[params.n] })
  app.get<{ Params: { n: number } }>('/sync/:n', ({ params }) => { throw thrown[params.n] })
  for (const n of thrown.keys()) {
    for (const kind of ['async', 'sync']) await failure(t, app, `/${kind}/${n}`, 500, 'INTERNAL_ERROR')
  }
  t.equal(lines.filter(({ code }) => code === 'INTERNAL_ERROR').length, thrown.length * 2, 'each is logged once')
  t.ok(lines.some(({ err }) => err?.message === SECRET), 'with the real cause')
})

t.test('an answer whose response writes the security headers has them once, and its request id', async t => {
  const { app } = await build(t, { capabilities: [] })
  app.get('/mine', (_, reply) => { secure(reply); return { a: 1 } })
  const { headers, text } = await sendRaw(await listen(app), request('GET', '/mine', { 'x-request-id': 'r-1' }))
  t.match(headers, { ...securityHeaders, 'x-request-id': 'r-1' })
  for (const name of Object.keys(securityHeaders)) t.equal(text.split(`${name}: `).length, 2, name)
})

t.test('a hook of any stage that throws is answered in the envelope', async t => {
  const { app } = await build(t, { capabilities: [] })
  const hooks = ['onRequest', 'preParsing', 'preValidation', 'preHandler', 'preSerialization', 'onSend']
  for (const hook of hooks) {
    app.get(`/${hook}/error`, { [hook]: async () => { throw secret() } }, async () => ({ a: 1 }))
    app.get(`/${hook}/null`, { [hook]: async () => { throw null } }, async () => ({ a: 1 })) // eslint-disable-line no-throw-literal
    app.get(`/${hook}/object`, { [hook]: async () => { throw { SECRET } } }, async () => ({ a: 1 })) // eslint-disable-line no-throw-literal
  }
  for (const path of hooks.flatMap(hook => [`/${hook}/error`, `/${hook}/null`, `/${hook}/object`])) await failure(t, app, path, 500, 'INTERNAL_ERROR')
})

t.test('a hook that throws while a failure is sent does not hide it', async t => {
  const { app, lines } = await build(t, { capabilities: [] })
  const onSend = {
    '/async': async () => { throw secret({ headers: { 'x-leak': SECRET } }) },
    '/object': async () => { throw { SECRET } }, // eslint-disable-line no-throw-literal
    '/callback': (_: unknown, __: unknown, ___: unknown, done: (error: Error) => void) => { done(secret()) },
    '/sync': () => { throw secret() }
  }
  for (const [path, hook] of Object.entries(onSend)) {
    app.get(path, { onSend: hook as never }, async (_, reply) => {
      reply.raw.setHeader('x-raw', SECRET)
      return reply.sendToolError({ code: 'NO_SUCH_PLACE', category: 'NOT_FOUND', message: 'No place.' })
    })
    app.get(`${path}/thrown`, { onSend: hook as never }, async () => { throw new Error('the first') })
  }
  for (const path of Object.keys(onSend)) {
    const { response } = await failure(t, app, path, 404, 'NO_SUCH_PLACE')
    t.match(response.headers, { 'x-leak': undefined, 'x-raw': undefined })
    await failure(t, app, `${path}/thrown`, 500, 'INTERNAL_ERROR')
  }
  t.ok(lines.some(({ err }) => err?.message === SECRET), "the hook's own error is in the log")
})

t.test("a hook of the app around the service, which runs before the service's own, cannot leak either", async t => {
  const app = Fastify()
  t.teardown(() => app.close())
  await app.register(toolReplies)
  app.addHook('onSend', async () => { throw secret() })
  app.register(async scope => {
    await scope.register(errorPaths)
    scope.get('/thrown', async () => { throw new Error('the first') })
    scope.get('/sent', async (_, reply) => reply.sendToolError({ code: 'NO_SUCH_PLACE', category: 'NOT_FOUND', message: 'No place.' }))
  })
  await failure(t, app, '/thrown', 500, 'INTERNAL_ERROR')
  await failure(t, app, '/sent', 404, 'NO_SUCH_PLACE')
})

t.test('a success that cannot be told is a failure, and a write says that it was carried out', async t => {
  const { app } = await build(t, { capabilities: [note] })
  app.addHook('onSend', async (_, reply) => { if (reply.statusCode === 200) throw secret() })
  app.post('/plain', async (_, reply) => reply.sendToolSuccess(1))
  app.get('/plain', async (_, reply) => reply.sendToolSuccess(1))
  t.match((await failure(t, app, '/api/capabilities/note', 500, 'INTERNAL_ERROR', { method: 'POST' })).error.details, { outcome: 'applied', next_action: 'escalate' })
  t.equal((await failure(t, app, '/plain', 500, 'INTERNAL_ERROR', { method: 'POST' })).error.details.outcome, 'applied')
  t.equal((await failure(t, app, '/plain', 500, 'INTERNAL_ERROR')).error.details.outcome, undefined)
})

t.test('what cannot be written down is an invalid output', async t => {
  const { app } = await build(t, { capabilities: [] })
  const cycle: Record<string, unknown> = { SECRET }
  cycle.self = cycle
  app.get('/bigint', async () => ({ id: 10n }))
  app.get('/cycle', async () => cycle)
  app.get('/schema', { schema: { response: { 200: Type.Object({ id: Type.String() }) } } }, async () => ({ SECRET }) as never)
  app.get('/payload', async (_, reply) => reply.type('text/plain').send({ SECRET }))
  for (const path of ['/bigint', '/cycle', '/schema', '/payload']) await failure(t, app, path, 500, 'OUTPUT_INVALID')
})

t.test("a failure is not cut to a route's response schema", async t => {
  const { app } = await build(t, { capabilities: [] })
  app.get('/', { schema: { response: { 500: { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] } } } }, async () => { throw secret() })
  await failure(t, app, '/', 500, 'INTERNAL_ERROR')
})

t.test('a header that HTTP cannot hold fails the answer, and goes', async t => {
  const { app } = await build(t, { capabilities: [] })
  const handler = async (_: unknown, reply: { header: (name: string, value: string) => unknown }) => { reply.header('x-a', 'a\nb'); return { a: 1 } }
  app.get('/', handler as never)
  app.get('/late', { onSend: async (_, __, payload) => payload }, handler as never)
  const port = await listen(app)
  for (const path of ['/', '/late']) {
    const { text, body } = await sendRaw(port, request('GET', path))
    t.match(text, /^HTTP\/1\.1 500 Internal Server Error\r\n/)
    t.match(JSON.parse(body), { error: { code: 'INTERNAL_ERROR' } })
  }
})

t.test('the first answer stands, whatever comes after it', async t => {
  const { app, lines } = await build(t, { capabilities: [] })
  const late = { onSend: async (_: unknown, __: unknown, payload: unknown) => payload }
  for (const [prefix, options] of [['/sync', {}], ['/async', late]] as const) {
    app.get(`${prefix}/twice`, options, async (_, reply) => { reply.sendToolSuccess(1); reply.sendToolSuccess(2) })
    app.get(`${prefix}/returned`, options, async (_, reply) => { reply.sendToolSuccess(1); return { two: 2 } })
    app.get(`${prefix}/failed`, options, async (_, reply) => { reply.sendToolSuccess(1); reply.sendToolError(secret()) })
    app.get(`${prefix}/kept`, options, async (_, reply) => reply.sendToolSuccess(1))
    app.get(`${prefix}/thrown`, options, async (_, reply) => { reply.sendToolSuccess(1); throw secret() })
  }
  app.get('/failed-and-returned', late, async (_, reply) => { reply.sendToolError({ code: 'NO_SUCH_PLACE', category: 'NOT_FOUND', message: 'x' }); return { two: 2 } })
  app.get('/failed-and-thrown', late, async (_, reply) => { reply.sendToolError({ code: 'NO_SUCH_PLACE', category: 'NOT_FOUND', message: 'x' }); throw secret() })
  app.get('/failed-and-sent', late, async (_, reply) => { reply.sendToolError({ code: 'NO_SUCH_PLACE', category: 'NOT_FOUND', message: 'x' }); reply.send({ two: 2 }) })
  app.get('/failed-twice', late, async (_, reply) => { reply.sendToolError({ code: 'NO_SUCH_PLACE', category: 'NOT_FOUND', message: 'x' }); reply.sendToolError(secret()) })
  for (const path of ['/sync/twice', '/sync/returned', '/sync/thrown', '/async/twice', '/async/returned', '/async/thrown', '/sync/failed', '/async/failed', '/sync/kept', '/async/kept']) {
    const response = await app.inject(path)
    t.strictSame([response.statusCode, response.json()], [200, { success: true, data: 1 }], path)
  }
  await failure(t, app, '/failed-and-sent', 404, 'NO_SUCH_PLACE')
  await failure(t, app, '/failed-twice', 404, 'NO_SUCH_PLACE')
  await failure(t, app, '/failed-and-returned', 404, 'NO_SUCH_PLACE')
  await failure(t, app, '/failed-and-thrown', 404, 'NO_SUCH_PLACE')
  t.ok(lines.filter(({ level }) => level >= 40).length >= 4, 'and is logged')
})

t.test('a handler that ends without an answer has failed', async t => {
  const { app } = await build(t, { capabilities: [] })
  app.get('/nothing', async () => {})
  app.get('/null', async () => null)
  app.get('/204', async (_, reply) => { reply.code(204) })
  app.get('/sent', async (_, reply) => { reply.send({ a: 1 }) })
  app.get('/callback', (_, reply) => { setImmediate(() => reply.send({ a: 1 })) })
  await failure(t, app, '/nothing', 500, 'EMPTY_HANDLER_RESULT')
  t.equal((await app.inject('/null')).body, 'null')
  t.equal((await app.inject('/204')).statusCode, 204)
  for (const path of ['/sent', '/callback']) t.strictSame((await app.inject(path)).json(), { a: 1 })
})

t.test('a handler that says there is nothing is believed: the method is not what is wrong', async t => {
  const { app } = await build(t, { capabilities: [note] })
  app.get('/files/:name', async (_, reply) => { reply.callNotFound() })
  const { response } = await failure(t, app, '/files/missing.png', 404, 'ROUTE_NOT_FOUND')
  t.equal(response.headers.allow, undefined)
  await failure(t, app, '/files/missing.png', 405, 'METHOD_NOT_ALLOWED', { method: 'POST' })
})

t.test('an unknown path is told near ones, a method that is not offered the ones that are', async t => {
  const { app } = await build(t, { capabilities: [note] })
  t.match((await failure(t, app, '/api/capability/note', 404, 'ROUTE_NOT_FOUND', { method: 'POST' })).error.details, { did_you_mean: '/api/capabilities/note' })
  await failure(t, app, '/helth/', 404, 'ROUTE_NOT_FOUND')
  await failure(t, app, '/nowhere', 404, 'ROUTE_NOT_FOUND', { method: 'POST', headers: { 'content-type': 'application/json' }, payload: '{"a":' })
  await failure(t, app, '/nowhere', 404, 'ROUTE_NOT_FOUND', { method: 'POST', headers: { 'content-type': 'text/xml' }, payload: '<a>' })
  for (const method of ['DELETE', 'PUT', 'PATCH']) {
    const { response } = await failure(t, app, '/api/capabilities/note', 405, 'METHOD_NOT_ALLOWED', { method })
    t.equal(response.headers.allow, 'GET, HEAD, POST')
  }
  await failure(t, app, '/nowhere', 404, 'ROUTE_NOT_FOUND', { method: 'OPTIONS' })
})

t.test('OPTIONS and HEAD are right, and without a body', async t => {
  const { app } = await build(t, { capabilities: [note] })
  const port = await listen(app)
  const options = await sendRaw(port, request('OPTIONS', '/api/capabilities/note'))
  t.strictSame([options.status, options.headers.allow, options.body], [204, 'GET, HEAD, POST', ''])
  t.match(options.headers, { 'x-request-id': /./, 'x-content-type-options': 'nosniff' })
  for (const [path, status] of [['/health', 200], ['/api/capabilities/nope', 404], ['/nowhere', 404]] as const) {
    const head = await sendRaw(port, request('HEAD', path))
    t.strictSame([head.status, head.body], [status, ''], path)
    t.ok(Number(head.headers['content-length']) > 0)
    t.match(head.headers, { 'x-request-id': /./ })
  }
})

t.test('a request without a host, and an expectation that cannot be met', async t => {
  const { app, lines } = await build(t, { capabilities: [] })
  const port = await listen(app)
  const cases: Array<[text: string, status: number, code: string | undefined]> = [
    ['GET /health HTTP/1.1\r\nconnection: close\r\n\r\n', 400, 'MALFORMED_REQUEST'],
    ['GET /nowhere HTTP/1.1\r\nconnection: close\r\n\r\n', 400, 'MALFORMED_REQUEST'],
    ['GET /health HTTP/1.0\r\n\r\n', 200, undefined],
    [request('GET', '/health', { expect: 'weird' }), 417, 'EXPECTATION_FAILED']
  ]
  for (const [text, status, code] of cases) {
    const answer = await sendRaw(port, text)
    t.equal(answer.status, status)
    t.equal(JSON.parse(answer.body).error?.code, code)
    t.match(answer.headers, { 'x-request-id': /./, 'x-content-type-options': 'nosniff' })
    if (code !== undefined) t.match(lines.at(-1), { code, requestId: answer.headers['x-request-id'] })
  }
})

t.test('a wrong query, path, header or body of a plain route is told in four parts', async t => {
  const { app } = await build(t, { capabilities: [] })
  app.get('/:id', { schema: { params: Type.Object({ id: Type.Integer() }), querystring: Type.Object({ units: Type.Optional(Type.Union([Type.Literal('metric'), Type.Literal('imperial')])) }) } }, async ({ params, query }) => ({ params, query }))
  app.post('/', { schema: { body: Type.Object({ n: Type.Integer() }) } }, async ({ body }) => body)
  t.strictSame((await app.inject('/7?units=metric')).json(), { params: { id: 7 }, query: { units: 'metric' } })
  t.match((await failure(t, app, '/x', 400, 'INVALID_INPUT')).error, { retryable: true, details: { field: 'params.id' } })
  t.match((await failure(t, app, '/7?units=metrics', 400, 'INVALID_INPUT')).error, { details: { field: 'querystring.units', did_you_mean: 'metric' } })
  t.match((await failure(t, app, '/', 400, 'INVALID_INPUT', { method: 'POST', payload: { n: '1' } })).error, { details: { field: 'n', outcome: 'not_applied' } })
  await failure(t, app, '/', 400, 'MISSING_REQUIRED_FIELD', { method: 'POST', payload: {} })
  await failure(t, app, '/', 400, 'INVALID_JSON', { method: 'POST', headers: { 'content-type': 'application/json' }, payload: '{"n":' })
  await failure(t, app, '/', 415, 'UNSUPPORTED_MEDIA_TYPE', { method: 'POST', headers: { 'content-type': 'text/xml' }, payload: '<n>' })
})

t.test("a plugin's 4xx, in a hook, chooses the row; in a handler it counts for nothing", async t => {
  const { app } = await build(t, { capabilities: [] })
  await app.register(sensible)
  app.get('/hook', { preHandler: async () => { throw app.httpErrors.forbidden(SECRET) } }, async () => 1)
  app.get('/handler', async () => { throw app.httpErrors.forbidden(SECRET) })
  app.get('/reply', async (_, reply) => reply.notFound(SECRET))
  await failure(t, app, '/hook', 403, 'FORBIDDEN')
  await failure(t, app, '/handler', 500, 'INTERNAL_ERROR')
  await failure(t, app, '/reply', 500, 'INTERNAL_ERROR')
})

t.test('a rate limiter is RATE_LIMIT, with its own wait in both spellings', async t => {
  const { app } = await build(t, { capabilities: [note] })
  await app.register(rateLimit, { max: 1, timeWindow: 60_000 })
  app.get('/limited', async () => ({ a: 1 }))
  app.post('/limited', async () => ({ a: 1 }))
  await app.inject('/limited')
  const { response, error } = await failure(t, app, '/limited', 429, 'RATE_LIMIT_EXCEEDED')
  t.equal(error.details.retry_after, `${response.headers['retry-after']}s`)
  t.match(error.details, { retry_after_source: undefined, next_action: 'wait_and_retry' })
  t.equal((await failure(t, app, '/limited', 429, 'RATE_LIMIT_EXCEEDED', { method: 'POST' })).error.details.outcome, 'not_applied')
})

t.test('a plugin that answers by itself is put into the envelope', async t => {
  const { app, lines } = await build(t, { capabilities: [] })
  app.register(async scope => {
    await scope.register(bearerAuth, { keys: ['right'], verifyErrorLogLevel: 'debug' })
    scope.get('/guarded', async () => ({ a: 1 }))
  })
  app.get('/busy', { onRequest: async (_, reply) => reply.code(503).header('content-encoding', 'gzip').send(Readable.from([SECRET])) }, async () => 1)
  app.get('/own', async (_, reply) => reply.code(418).send({ mine: true }))
  const { response, error } = await failure(t, app, '/guarded', 401, 'UNAUTHORIZED')
  t.match(response.headers['www-authenticate'], /^Bearer/)
  t.match(error.details, { credentials: 'caller', next_action: 'fix_credentials' })
  t.match(lines.at(-1), { code: 'UNAUTHORIZED', err: { message: /A hook answered 401/ } })
  t.equal((await app.inject({ url: '/guarded', headers: { authorization: 'Bearer right' } })).statusCode, 200)
  await failure(t, app, '/busy', 500, 'INTERNAL_ERROR')
  t.strictSame((await app.inject('/own')).json(), { mine: true }, "a handler's own answer is its own")
})

t.test("a multipart body that is wrong is the caller's, in a handler too", async t => {
  const { app } = await build(t, { capabilities: [] })
  await app.register(multipart, { limits: { fileSize: 10 } })
  app.post('/upload', async request => { const file = await request.file(); await file!.toBuffer(); return { a: 1 } })
  const body = (content: string) => `--b\r\ncontent-disposition: form-data; name="f"; filename="a.txt"\r\ncontent-type: text/plain\r\n\r\n${content}\r\n--b--\r\n`
  const upload = (payload: string, type = 'multipart/form-data; boundary=b') => ({ method: 'POST', headers: { 'content-type': type }, payload })
  t.equal((await app.inject({ url: '/upload', ...upload(body('short')) } as object)).statusCode, 200)
  await failure(t, app, '/upload', 413, 'INPUT_TOO_LARGE', upload(body('far too long for it')))
  await failure(t, app, '/upload', 400, 'INVALID_REQUEST', upload('{}', 'application/json'))
})

t.test('a caller who goes away before its body is read is one line in the log', async t => {
  const { app, lines } = await build(t, { capabilities: [] })
  app.post('/', async () => 1)
  const port = await listen(app)
  const socket = net.connect(port, '127.0.0.1')
  socket.write('POST / HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 10\r\n\r\n{"a"')
  setTimeout(() => socket.resetAndDestroy(), 50)
  await new Promise(resolve => setTimeout(resolve, 150))
  t.strictSame(lines.flatMap(({ code }) => code ?? []), ['CALLER_GONE'])
})

t.test('a sender that was told it is too slow is not told again', async t => {
  const { app, lines } = await build(t, { capabilities: [], server: { requestTimeout: 200, http: { headersTimeout: 200, connectionsCheckingInterval: 50 } } })
  app.post('/', async () => 1)
  const port = await listen(app)
  t.equal((await sendRaw(port, 'POST / HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 10\r\n\r\n{"a"')).status, 408)
  await new Promise(resolve => setTimeout(resolve, 50))
  t.strictSame(lines.flatMap(({ code }) => code ?? []), ['REQUEST_INCOMPLETE'])
})

t.test('whoever asks for a tunnel is told that there is none, unless somebody makes it', async t => {
  const { app, lines } = await build(t, { capabilities: [] })
  const port = await listen(app)
  const answer = await sendRaw(port, 'CONNECT example.com:443 HTTP/1.1\r\nhost: example.com:443\r\nx-request-id: mine\r\n\r\n')
  t.match(answer, { status: 405, headers: { allow: '', connection: 'close', 'x-request-id': 'mine', 'x-content-type-options': 'nosniff' } })
  t.match(JSON.parse(answer.body), { success: false, error: { code: 'METHOD_NOT_ALLOWED', retryable: false, details: { request_id: 'mine', next_action: 'stop' } } })
  t.strictSame(lines.filter(({ code }) => code !== undefined).map(({ code, requestId }) => [code, requestId]), [['METHOD_NOT_ALLOWED', 'mine']])
  const socket = net.connect(port, '127.0.0.1')
  socket.write('CONNECT example.com:443 HTTP/1.1\r\nhost: example.com:443\r\n\r\n', () => socket.resetAndDestroy())
  await once(socket, 'close')
  t.equal((await sendRaw(port, request('GET', '/health'))).status, 200, 'one who does not wait does no harm')

  app.server.on('connect', (_, own) => own.end('HTTP/1.1 200 OK\r\n\r\nmine'))
  t.equal((await sendRaw(port, 'CONNECT example.com:443 HTTP/1.1\r\nhost: example.com:443\r\n\r\n')).body, 'mine')
})

t.test('where the letter case of a path does not matter, its methods are told all the same', async t => {
  const { app } = await build(t, { capabilities: [note], server: { routerOptions: { caseSensitive: false, ignoreTrailingSlash: true } } })
  const { response } = await failure(t, app, '/API/Capabilities/', 405, 'METHOD_NOT_ALLOWED', { method: 'POST' })
  t.equal(response.headers.allow, 'GET, HEAD')
  const strict = await build(t, { capabilities: [note] })
  await failure(t, strict.app, '/API/Capabilities', 404, 'ROUTE_NOT_FOUND', { method: 'POST' })
})

t.test('a path that asks for scopes is suggested to nobody whom nobody asked who it is', async t => {
  const app = Fastify({ ...serverOptions })
  t.teardown(() => app.close())
  await app.register(toolReplies)
  await app.register(errorPaths)
  app.get('/ledger', { config: { scopes: ['books'] } }, async () => 1)
  app.get('/letter', async () => 1)
  const { error } = await failure(t, app, '/ledgr', 404, 'ROUTE_NOT_FOUND')
  t.notMatch(JSON.stringify(error), /ledger/)
})

t.test("an app's own error handler and not-found handler stay its own", async t => {
  const { app } = await build(t, { capabilities: [] })
  app.register(async scope => {
    scope.setErrorHandler((_, __, reply) => reply.code(418).send({ mine: true }))
    scope.setNotFoundHandler((_, reply) => reply.code(404).send({ mine: true }))
    scope.get('/', { onRequest: async () => { throw secret() } }, async () => 1)
  }, { prefix: '/mine' })
  t.strictSame((await app.inject('/mine')).json(), { mine: true })
  t.strictSame((await app.inject('/mine/nowhere')).json(), { mine: true })
  await failure(t, app, '/nowhere', 404, 'ROUTE_NOT_FOUND')

  const { stream } = collector()
  const own = Fastify({ ...serverOptions, logger: { stream } })
  t.teardown(() => own.close())
  own.setNotFoundHandler((_, reply) => reply.code(404).send({ mine: true }))
  await own.register(toolReplies)
  await own.register(async scope => { await scope.register(errorPaths) })
  t.strictSame((await own.inject('/nowhere')).json(), { mine: true })
})
