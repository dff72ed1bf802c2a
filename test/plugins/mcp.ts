import net from 'node:net'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Fastify from 'fastify'
import t from 'tap'
import { toolService } from 'candor'
import { build } from '../fixtures/build.js'
import { echo, note, reading } from '../fixtures/capabilities.js'
import { fakeUpstream, rawAnswer } from '../fixtures/fake-upstream.js'
import { holdClose } from '../fixtures/hold-close.js'
import { initialize, legacyHeaders, messagesIn, modernHeaders, modernRpc, rpc, type RpcMessage } from '../fixtures/mcp.js'
import { listen, parseRaw, request, sendRaw } from '../fixtures/raw.js'
import { until } from '../fixtures/until.js'

process.on('warning', warning => t.fail(warning.message))

const upstreams = { up: { baseUrl: 'http://127.0.0.1:1' } }
const post = (payload: unknown, headers: Record<string, string> = legacyHeaders(), url = '/mcp') => ({ method: 'POST' as const, url, headers, payload: payload as object })
const callOf = (name: string, input: object = {}): object => rpc('tools/call', { name, arguments: input })
const raw = (payload: object, headers: Record<string, string> = {}): string => request('POST', '/mcp', { ...legacyHeaders(), ...headers }, JSON.stringify(payload))

t.test('a tool is called over MCP, under the headers of every answer', async t => {
  const { app } = await build(t, { upstreams, capabilities: [echo] })
  const common = { 'x-request-id': 'r-7', 'cache-control': 'no-store', 'x-content-type-options': 'nosniff', 'content-security-policy': "default-src 'none'; frame-ancestors 'none'" }
  const old = await app.inject(post(callOf('echo', { text: 'hi' }), { ...legacyHeaders(), 'x-request-id': 'r-7' }))
  t.match(old.headers, { ...common, 'content-type': 'text/event-stream' })
  t.match(messagesIn(old.body), [{ id: 1, result: { structuredContent: { success: true, data: { text: 'hi' } } } }])
  const modern = await app.inject(post(modernRpc('tools/call', { name: 'echo', arguments: {} }), { ...modernHeaders('tools/call', 'echo'), 'x-request-id': 'r-7' }))
  t.match(modern.headers, { ...common, 'content-type': /^application\/json/, 'content-length': String(modern.body.length) })
  t.match(modern.json(), { id: 1, result: { structuredContent: { success: true } } })
  const notified = await app.inject(post({ jsonrpc: '2.0', method: 'notifications/initialized' }))
  t.match(notified, { statusCode: 202, body: '' })
})

t.test('a failed call is HTTP 200; its request id is that of the response, and one line of the log', async t => {
  const { app, lines } = await build(t, { upstreams, capabilities: [echo] })
  const { statusCode, headers, body } = await app.inject(post(callOf('echo', { text: 5 })))
  t.equal(statusCode, 200)
  t.match(messagesIn(body), [{ result: { isError: true, structuredContent: { error: { code: 'INVALID_INPUT', details: { request_id: headers['x-request-id'] } } } } }])
  t.match(lines.filter(({ code }) => code !== undefined), [{ code: 'INVALID_INPUT', capability: 'echo', requestId: headers['x-request-id'] }])
})

t.test('a call belongs to the trace of its request', async t => {
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
  const upstream = await fakeUpstream(t, (socket, _, text) => { socket.write(rawAnswer(200, { 'content-type': 'application/json' }, JSON.stringify({ text: /traceparent: (.*)/i.exec(text)?.[1] }))) })
  const asks = reading('asks', async (_, call) => (await call.upstream('up').get('/')).data as object)
  const { app } = await build(t, { upstreams: { up: { baseUrl: upstream.url } }, capabilities: [asks] })
  const [{ result }] = messagesIn((await app.inject(post(callOf('asks'), { ...legacyHeaders(), traceparent }))).body) as [RpcMessage]
  t.match(result.structuredContent, { data: { text: /^00-0af7651916cd43dd8448eb211c80319c-/ }, meta: { sources: ['up'] } })
})

t.test('a session is a name that is stored nowhere: two instances serve one client', async t => {
  const [one, other] = [await build(t, { upstreams, capabilities: [echo] }), await build(t, { upstreams, capabilities: [echo] })]
  const first = await one.app.inject(post(initialize))
  const session = String(first.headers['mcp-session-id'])
  t.match(session, /^[\da-f-]{36}$/)
  t.not((await one.app.inject(post(initialize))).headers['mcp-session-id'], session)
  const listed = await other.app.inject(post(rpc('tools/list'), legacyHeaders(session)))
  t.match(messagesIn(listed.body), [{ result: { tools: [{ name: 'echo' }] } }])
  t.equal(listed.headers['mcp-session-id'], undefined)
  t.match(messagesIn((await other.app.inject(post(callOf('echo'), legacyHeaders(session)))).body), [{ result: { structuredContent: { success: true } } }])
})

t.test('what is no MCP is an error of JSON-RPC, with the headers of every answer', async t => {
  const { app } = await build(t, { upstreams, capabilities: [echo], server: { bodyLimit: 400 } })
  const json = legacyHeaders()
  const cases: Array<[label: string, payload: string | Buffer, headers: Record<string, string>, status: number, code: number]> = [
    ['broken JSON', '{"jsonrpc":"2.0","id":1', json, 400, -32700],
    ['no UTF-8', Buffer.from('{"a":"é"}', 'latin1'), json, 400, -32700],
    ['a poisoned key', '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"__proto__":{}}}}', json, 400, -32600],
    ['no request', '{"id":1}', json, 400, -32600],
    ['nothing', '', json, 400, -32600],
    ['too large', JSON.stringify(callOf('echo', { text: 'x'.repeat(500) })), json, 413, -32000],
    ['plain text', 'a', { ...json, 'content-type': 'text/plain' }, 415, -32000],
    ['another charset', '{}', { ...json, 'content-type': 'application/json; charset=latin1' }, 415, -32000],
    ['something compressed', JSON.stringify(rpc('tools/list')), { ...json, 'content-encoding': 'gzip' }, 415, -32000],
    ['another JSON', '{}', { ...json, 'content-type': 'application/vnd.api+json' }, 415, -32000],
    ['no wish for events', JSON.stringify(rpc('tools/list')), { ...json, accept: 'application/json' }, 406, -32000],
    ['an unknown revision', JSON.stringify(rpc('tools/list')), { ...json, 'mcp-protocol-version': '1999-01-01' }, 400, -32000]
  ]
  for (const [label, payload, headers, status, code] of cases) {
    const response = await app.inject(post(payload, headers))
    t.equal(response.statusCode, status, label)
    t.match(response.json(), { jsonrpc: '2.0', id: null, error: { code } }, label)
    t.match(response.headers, { 'content-type': /^application\/json/, 'x-request-id': String, 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' }, label)
    t.notMatch(response.body, /success|stack|node_modules|\.ts:/, label)
  }
  const port = await listen(app)
  t.match(JSON.parse((await sendRaw(port, request('POST', '/mcp'))).body), { error: { code: -32000 } }, 'no body and no type')
  t.match(JSON.parse((await sendRaw(port, 'POST /mcp HTTP/1.1\r\nconnection: close\r\ncontent-length: 0\r\n\r\n')).body), { jsonrpc: '2.0', error: { message: 'The request names no host.' } })
})

t.test('only POST is spoken here', async t => {
  const { app } = await build(t, { upstreams, capabilities: [echo] })
  for (const method of ['GET', 'DELETE', 'PUT', 'PATCH'] as const) {
    const response = await app.inject({ method, url: '/mcp?x=1', headers: { accept: 'text/event-stream', 'content-type': 'text/plain' }, ...(method.startsWith('P') && { payload: 'x' }) })
    t.equal(response.statusCode, 405, method)
    t.equal(response.headers.allow, 'POST')
    t.match(response.json(), { jsonrpc: '2.0', id: null, error: { code: -32000 } })
  }
  t.match(await app.inject({ method: 'OPTIONS', url: '/mcp' }), { statusCode: 204, headers: { allow: 'POST' }, body: '' })
  t.match(await app.inject({ method: 'HEAD', url: '/mcp' }), { statusCode: 405, body: '' })
  const nowhere = await app.inject('/mcp/x')
  t.match([nowhere.statusCode, nowhere.json()], [404, { jsonrpc: '2.0', error: { code: -32000, message: /\/mcp\/x/ } }])
  t.match((await app.inject('/mcpp')).json(), { success: false, error: { code: 'ROUTE_NOT_FOUND', details: { did_you_mean: '/mcp' } } }, 'elsewhere all is as ever')
})

t.test('what plugins say before a call is JSON-RPC too, and keeps its headers', async t => {
  const app = Fastify()
  t.teardown(() => app.close())
  app.addHook('preHandler', async (request, reply) => {
    if (request.headers['x-do'] === 'throw') throw Object.assign(new Error('secret'), { statusCode: 429 })
    if (request.headers['x-do'] === 'break') throw new Error('secret')
    if (request.headers['x-do'] === 'answer') return reply.code(401).header('www-authenticate', 'Bearer').send({ error: 'secret' })
  })
  await app.register(toolService, { name: 'x', version: '1', capabilities: [note] })
  const ask = async (what: string) => await app.inject(post(rpc('ping', undefined, 'p-1'), { ...legacyHeaders(), 'x-do': what }))
  const limited = await ask('throw')
  t.match([limited.statusCode, limited.headers['retry-after'], limited.json()], [429, '30', { id: 'p-1', error: { code: -32000, message: 'There were too many requests in too short a time.' } }])
  const refused = await ask('answer')
  t.match([refused.statusCode, refused.headers['www-authenticate'], refused.json()], [401, 'Bearer', { id: 'p-1', error: { code: -32000 } }])
  const broken = await ask('break')
  t.match([broken.statusCode, broken.json()], [500, { id: 'p-1', error: { code: -32603 } }])
  for (const { body } of [limited, refused, broken]) t.notMatch(body, /secret|success/)
})

t.test('under a prefix it moves with the service', async t => {
  const app = Fastify()
  t.teardown(() => app.close())
  await app.register(toolService, { prefix: '/tools', name: 'x', version: '1', capabilities: [note] })
  t.match(messagesIn((await app.inject(post(callOf('note'), legacyHeaders(), '/tools/mcp'))).body), [{ result: { structuredContent: { success: true, data: { done: true } } } }])
  t.equal((await app.inject('/tools/mcp')).statusCode, 405)
  t.equal((await app.inject(post(callOf('note')))).statusCode, 404)
})

t.test('a page of another site, and a name that was made to point here, are refused before anything is read', async t => {
  const { app } = await build(t, { upstreams, capabilities: [echo] })
  const foreign = await app.inject(post('{', { ...legacyHeaders(), origin: 'http://evil.example' }))
  t.match([foreign.statusCode, foreign.json()], [403, { jsonrpc: '2.0', error: { code: -32000 } }])
  const port = await listen(app)
  t.equal((await sendRaw(port, raw(rpc('ping'), { host: 'evil.example' }))).status, 403)
  t.equal((await sendRaw(port, raw(rpc('ping'), { host: `localhost:${port}`, origin: `http://localhost:${port}` }))).status, 200)
})

t.test('names that a service is reached by are its own, and no others', async t => {
  const { app } = await build(t, { upstreams, capabilities: [echo], allowedHosts: ['tools.example.com'] })
  const ask = async (headers: Record<string, string>) => (await app.inject(post(rpc('ping'), { ...legacyHeaders(), ...headers }))).statusCode
  t.equal(await ask({ host: 'tools.example.com', origin: 'https://tools.example.com' }), 200)
  t.equal(await ask({ host: 'evil.example' }), 403)
  t.equal(await ask({ host: 'tools.example.com', origin: 'https://evil.example' }), 403)
})

t.test('a caller may have less time than the tool takes, as over HTTP', async t => {
  const slow = reading('slow', async () => await new Promise(resolve => setTimeout(() => resolve({}), 400)))
  const { app } = await build(t, { upstreams, capabilities: [slow] })
  const { body } = await app.inject(post(callOf('slow'), { ...legacyHeaders(), 'x-request-timeout-ms': '100' }))
  t.match(messagesIn(body), [{ result: { isError: true, structuredContent: { error: { code: 'REQUEST_TIMEOUT' } } } }])
})

t.test('a refusal of the protocol is one line of the log, with the request id', async t => {
  const { app, lines } = await build(t, { upstreams, capabilities: [echo] })
  const { headers, statusCode } = await app.inject(post({ jsonrpc: '1.0', id: 1, method: 'ping' }))
  t.equal(statusCode, 400)
  t.ok(lines.some(({ msg, requestId }) => msg.startsWith('MCP:') && requestId === headers['x-request-id']))
})

t.test('on a socket of the file system there is no address, and no foreign name', async t => {
  const { app } = await build(t, { upstreams, capabilities: [echo] })
  const path = join(tmpdir(), `candor-mcp-${process.pid}.sock`)
  await app.listen({ path })
  const socket = net.connect(path)
  let text = ''
  socket.on('data', data => { text += String(data) })
  socket.write(raw(rpc('ping'), { host: 'anything' }))
  await once(socket, 'close')
  t.equal(parseRaw(text).status, 200)
})

t.test('a caller who hangs up ends the call, in both revisions and by the SDK too: one line is logged, nothing else', async t => {
  const modern = [modernRpc('tools/call', { name: 'slow' }), modernHeaders('tools/call', 'slow')] as const
  const bySdk = [modern[0], { ...modern[1], 'content-type': 'application/json; charset="utf-8"' }] as const
  for (const [payload, headers] of [[callOf('slow'), legacyHeaders()] as const, modern, bySdk]) {
    let aborted: (reason: unknown) => void = () => {}
    const seen = new Promise(resolve => { aborted = resolve })
    let begin: () => void = () => {}
    const begun = new Promise<void>(resolve => { begin = resolve })
    const slow = reading('slow', async (_, call) => {
      begin()
      await new Promise(resolve => call.signal.addEventListener('abort', resolve))
      aborted(call.signal.reason)
      return {}
    })
    const { app, lines } = await build(t, { upstreams, capabilities: [slow] })
    const socket = net.connect(await listen(app), '127.0.0.1')
    socket.write(raw(payload, headers))
    await begun
    socket.destroy()
    t.match(await seen, { name: 'AbortError' })
    await until(() => lines.some(({ code }) => code !== undefined))
    await app.close()
    t.strictSame(lines.filter(({ code, level }) => code !== undefined || level > 30).map(({ code, level }) => [code, level]), [['CALLER_GONE', 30]])
  }
})

t.test('a caller who was gone before the call began is not worked for', async t => {
  const never = reading('never', async () => { t.fail('called'); return {} })
  const app = Fastify()
  t.teardown(() => app.close())
  let gone: () => void = () => {}
  const over = new Promise<void>(resolve => { gone = resolve })
  app.addHook('preHandler', async request => { request.raw.socket.destroy(); await once(request.raw.socket, 'close'); setTimeout(gone, 50) })
  await app.register(toolService, { name: 'x', version: '1', capabilities: [never], upstreams })
  const socket = net.connect(await listen(app), '127.0.0.1')
  socket.on('error', () => {})
  socket.write(raw(callOf('never')))
  await over
})

t.test('a service that is stopping finishes what runs, and says so to new calls', async t => {
  let finish: (() => void) | undefined
  const slow = reading('slow', async () => { await new Promise<void>(resolve => { finish = resolve }); return { text: 'done' } })
  const { app } = await build(t, { upstreams, capabilities: [slow, note] })
  const stop = holdClose(t, app)
  const port = await listen(app)
  const running = sendRaw(port, raw(callOf('slow'), { connection: 'keep-alive' }))
  await until(() => finish !== undefined)
  const goOn = await stop()
  const late = await sendRaw(port, raw(callOf('note')))
  t.equal(late.status, 200)
  t.match(messagesIn(late.body), [{ result: { isError: true, structuredContent: { error: { code: 'SERVICE_STOPPING', details: { outcome: 'not_applied' } } } } }])
  finish?.()
  t.match(messagesIn((await running).body), [{ result: { structuredContent: { data: { text: 'done' } } } }])
  await goOn()
})
