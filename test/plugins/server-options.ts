import Fastify, { type FastifyRequest } from 'fastify'
import net from 'node:net'
import { once } from 'node:events'
import t, { type Test } from 'tap'
import { Type } from '@sinclair/typebox'
import { serverOptions } from '../../plugins/server-options.js'
import { build } from '../fixtures/build.js'
import { note } from '../fixtures/capabilities.js'
import { collector } from '../fixtures/log.js'
import { listen, parseRaw, request, sendRaw, type RawAnswer } from '../fixtures/raw.js'

process.on('warning', warning => t.fail(warning.message))

function isFailure (t: Test, { status, headers, body }: RawAnswer, expected: number, code: string): void {
  const { success, error } = JSON.parse(body)
  t.strictSame([status, success, error.code, typeof error.retryable], [expected, false, code, 'boolean'])
  t.equal(error.details.request_id, headers['x-request-id'])
  t.match(headers, { 'x-content-type-options': 'nosniff', 'cache-control': 'no-store', 'x-should-retry': /true|false/, 'content-length': String(Buffer.byteLength(body)) })
}

t.test('bytes that are no request are answered in the envelope, and logged once', async t => {
  const { app, lines } = await build(t, { capabilities: [note] })
  const port = await listen(app)
  const cases: Array<[text: string, status: number, code: string]> = [
    ['garbage\r\n\r\n', 400, 'MALFORMED_REQUEST'],
    ['GET / HTTP/1.1\r\nhost\r\n\r\n', 400, 'MALFORMED_REQUEST'],
    [`GET / HTTP/1.1\r\nhost: localhost\r\nx: ${'a'.repeat(20_000)}\r\n\r\n`, 431, 'HEADERS_TOO_LARGE'],
    ['POST / HTTP/1.1\r\nhost: localhost\r\ncontent-length: -1\r\n\r\n', 400, 'MALFORMED_REQUEST'],
    ['POST /api/capabilities/note HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n', 400, 'MALFORMED_REQUEST']
  ]
  for (const [text, status, code] of cases) {
    const before = lines.length
    const answer = await sendRaw(port, text)
    isFailure(t, answer, status, code)
    t.equal(answer.headers.connection, 'close')
    const told = lines.slice(before).filter(line => line.code !== undefined)
    t.match(told, [{ code, requestId: answer.headers['x-request-id'], err: { message: /\w/ } }], 'with the real cause')
  }
})

t.test('an address that cannot be read is answered in the envelope', async t => {
  const { app, lines } = await build(t, { capabilities: [] })
  const port = await listen(app)
  isFailure(t, await sendRaw(port, request('GET', '/%zz')), 400, 'MALFORMED_REQUEST')
  isFailure(t, await sendRaw(port, request('POST', '/%zz', {}, '{}')), 400, 'MALFORMED_REQUEST')
  isFailure(t, await sendRaw(port, request('GET', `/api/capabilities/${'a'.repeat(101)}`)), 414, 'URI_TOO_LONG')
  t.strictSame(lines.flatMap(({ code }) => code ?? []), ['MALFORMED_REQUEST', 'MALFORMED_REQUEST', 'URI_TOO_LONG'])
})

t.test('a sender that is slow is told so, and others are not held', async t => {
  const { app, lines } = await build(t, { capabilities: [], server: { requestTimeout: 300, http: { headersTimeout: 200, connectionsCheckingInterval: 50 } } })
  app.post('/', async () => 1)
  const port = await listen(app)
  const slow = [sendRaw(port, 'GET / HT'), sendRaw(port, 'POST / HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 10\r\n\r\n{"a"')]
  t.equal((await sendRaw(port, request('GET', '/health'))).status, 200)
  for (const answer of await Promise.all(slow)) {
    isFailure(t, answer, 408, 'REQUEST_INCOMPLETE')
    t.match(JSON.parse(answer.body).error, { retryable: true, details: { next_action: 'retry', outcome: 'not_applied' } }, 'and that nothing was carried out')
  }
  t.strictSame(lines.flatMap(({ code }) => code ?? []), ['REQUEST_INCOMPLETE', 'REQUEST_INCOMPLETE'], 'once each')
})

t.test('what a request did that stalls in its body is said: nothing, unless its handler reads the body itself', async t => {
  const { app } = await build(t, { capabilities: [], server: { requestTimeout: 300, http: { headersTimeout: 200, connectionsCheckingInterval: 50 } } })
  app.register(async scope => {
    scope.addContentTypeParser('*', (_, __, done) => done(null))
    const read = async ({ raw }: FastifyRequest): Promise<void> => { await once(raw.resume(), 'end') }
    scope.route({ method: ['POST', 'OPTIONS'], url: '/own', handler: read })
  })
  const port = await listen(app)
  const stalled = async (method: string, path: string, before = '') => {
    const { text } = await sendRaw(port, `${before}${method} ${path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/octet-stream\r\ncontent-length: 10\r\n\r\nx`)
    const { error } = JSON.parse(parseRaw(text.slice(text.lastIndexOf('HTTP/1.1'))).body)
    return [error.code, error.retryable, error.details.outcome]
  }
  const all = [stalled('POST', '/api/capabilities/x'), stalled('POST', '/own'), stalled('OPTIONS', '/own'), stalled('POST', '/api/capabilities/x', request('GET', '/health', { connection: 'keep-alive' }))]
  t.strictSame(await Promise.all(all), [
    ['REQUEST_INCOMPLETE', true, 'not_applied'],
    ['REQUEST_INCOMPLETE', false, 'unknown'],
    ['REQUEST_INCOMPLETE', true, undefined],
    ['REQUEST_INCOMPLETE', true, 'not_applied']
  ])
})

t.test('headers, a whole request and an idle connection have their times, and a call that is silent has no end but its own', async t => {
  const { app } = await build(t, { capabilities: [] })
  t.match(app.server, { headersTimeout: 10_000, requestTimeout: 30_000, keepAliveTimeout: 72_000, timeout: 0 })
})

t.test('garbage behind a request waits for its answer', async t => {
  const { app } = await build(t, { capabilities: [] })
  app.get('/slow', async () => { await new Promise(resolve => setTimeout(resolve, 100)); return { ok: true } })
  const port = await listen(app)
  const { status, text } = await sendRaw(port, `${request('GET', '/slow', { connection: 'keep-alive' })}garbage\r\n\r\n`)
  t.equal(status, 200)
  isFailure(t, parseRaw(text.slice(text.lastIndexOf('HTTP/1.1'))), 400, 'MALFORMED_REQUEST')
})

t.test('a request that was answered before its body came is not answered again', async t => {
  const { app } = await build(t, { capabilities: [] })
  const port = await listen(app)
  const { status, text } = await sendRaw(port, 'POST /nowhere HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n')
  t.equal(status, 404)
  t.equal(text.match(/HTTP\/1\.1 /g)?.length, 1)
})

t.test('nothing is written into an answer that has begun', async t => {
  const { app } = await build(t, { capabilities: [] })
  app.post('/', { preParsing: async (_, reply) => { reply.hijack(); reply.raw.write('begun') } }, async () => 1)
  const port = await listen(app)
  const socket = net.connect(port, '127.0.0.1')
  let text = ''
  socket.on('data', data => {
    text += String(data)
    socket.write('zz\r\n')
  })
  socket.write('POST / HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n')
  await once(socket, 'close')
  t.match(text, /begun/)
  t.notMatch(text, /MALFORMED/)
})

t.test('a request that ends before it is whole is told so', async t => {
  const { app } = await build(t, { capabilities: [] })
  const port = await listen(app)
  const socket = net.connect(port, '127.0.0.1')
  socket.end('GET / HT')
  const [data] = await once(socket, 'data')
  isFailure(t, parseRaw(String(data)), 408, 'REQUEST_INCOMPLETE')
})

t.test('a caller that resets is nobody to answer', async t => {
  const { app, lines } = await build(t, { capabilities: [] })
  const port = await listen(app)
  const socket = net.connect(port, '127.0.0.1')
  await once(socket, 'connect')
  socket.write('GET / HT')
  await new Promise(resolve => setTimeout(resolve, 50))
  socket.resetAndDestroy()
  await new Promise(resolve => setTimeout(resolve, 50))
  t.strictSame(lines.filter(({ code }) => code !== undefined), [])
})

t.test('a socket is let go a moment after the last words, whatever the caller does', async t => {
  const { app } = await build(t, { capabilities: [] })
  const port = await listen(app)
  const socket = net.connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  socket.on('error', () => {})
  socket.resume()
  socket.write('garbage\r\n\r\n')
  await once(socket, 'end')
  const count = async () => await new Promise<number>((resolve, reject) => app.server.getConnections((error, n) => error === null ? resolve(n) : reject(error)))
  t.equal(await count(), 1)
  await new Promise(resolve => setTimeout(resolve, 1_200))
  t.equal(await count(), 0)
  socket.destroy()
})

t.test('an id that is fit to be repeated is kept, any other replaced, and the log has the one in the answer', async t => {
  const { app, lines } = await build(t, { capabilities: [] })
  const port = await listen(app)
  t.equal((await sendRaw(port, request('GET', '/nowhere', { 'x-request-id': 'my-id.1' }))).headers['x-request-id'], 'my-id.1')
  for (const id of ['a b', '<script>', 'é', 'x'.repeat(10_000), '']) {
    const answer = await sendRaw(port, request('GET', '/nowhere', { 'x-request-id': id }))
    t.equal(answer.status, 404)
    t.match(answer.headers['x-request-id'], /^[\w-]{36}$/)
    t.equal(lines.at(-1)!.requestId, answer.headers['x-request-id'])
  }
  const twice = await sendRaw(port, 'GET /nowhere HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\nx-request-id: a\r\nx-request-id: b\r\n\r\n')
  t.match(twice.headers['x-request-id'], /^[\w-]{36}$/)
})

t.test("on an app of one's own, JSON bodies are not coerced, and shared schemas are found", async t => {
  const app = Fastify({ ...serverOptions })
  t.teardown(() => app.close())
  app.addSchema({ $id: 'Place', type: 'object', properties: { city: { type: 'string' } } })
  app.post('/', { schema: { body: { type: 'object', properties: { from: { $ref: 'Place#' }, n: { type: 'integer' } } } } }, async request => request.body)
  app.get('/:id', { schema: { params: Type.Object({ id: Type.Integer() }) } }, async request => request.params)
  t.strictSame((await app.inject({ method: 'POST', url: '/', payload: { from: { city: 'Rome' }, n: 1 } })).json(), { from: { city: 'Rome' }, n: 1 })
  for (const payload of [{ n: '1' }, { from: { city: 1 } }, { n: null }]) {
    t.match((await app.inject({ method: 'POST', url: '/', payload })).json(), { statusCode: 400, code: 'INVALID_INPUT' })
  }
  t.strictSame((await app.inject('/7')).json(), { id: 7 })
})

t.test("an error that Fastify's own handler answers is in the log", async t => {
  const { lines, stream } = collector()
  const app = Fastify({ ...serverOptions, logger: { stream } })
  t.teardown(() => app.close())
  app.get('/500', async () => { throw new Error('real cause') })
  app.get('/404', async () => { throw Object.assign(new Error('gone'), { statusCode: 404 }) })
  await app.inject('/500')
  await app.inject('/404')
  t.match(lines, [{ level: 50, err: { message: 'real cause' } }, { level: 30, err: { message: 'gone' } }])
})
