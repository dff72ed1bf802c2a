import net from 'node:net'
import { gzipSync } from 'node:zlib'
import { Type } from '@sinclair/typebox'
import Fastify from 'fastify'
import t from 'tap'
import { defineCapability, hashApiKey } from 'candor'
import { capabilities } from '../../plugins/capabilities.js'
import { decorateReplies } from '../../plugins/tool-replies.js'
import { build, call } from '../fixtures/build.js'
import { echo, note, reading } from '../fixtures/capabilities.js'
import { fakeUpstream } from '../fixtures/fake-upstream.js'
import { holdClose } from '../fixtures/hold-close.js'
import { collector } from '../fixtures/log.js'
import { listen, request, sendRaw } from '../fixtures/raw.js'
import { until } from '../fixtures/until.js'
import { withInput } from '../fixtures/tool-of.js'

process.on('warning', warning => t.fail(warning.message))

const upstreams = { up: { baseUrl: 'http://127.0.0.1:1' } }
const post = (body: string | Buffer, headers: Record<string, string> = {}) => ({ method: 'POST' as const, url: '/api/capabilities/echo', headers, payload: body })

t.test('a capability is called by its name', async t => {
  const { app } = await build(t, { upstreams, capabilities: [echo] })
  t.match(await call(app, 'echo', { text: 'hi' }), { status: 200, body: { success: true, data: { text: 'hi' } } })
})

t.test('capabilities are listed and described; a hidden one is called all the same', async t => {
  const hidden = reading('hidden', async () => ({}), true)
  const { app } = await build(t, { upstreams, capabilities: [note, echo, hidden] })
  t.strictSame((await app.inject('/api/capabilities')).json().map(({ name }: { name: string }) => name), ['echo', 'note'])
  t.match((await app.inject('/api/capabilities/echo')).json(), { name: 'echo', effect: 'read' })
  t.match((await app.inject('/api/capabilities/echo/schema')).json(), { type: 'object', properties: { text: {} } })
  t.equal((await app.inject('/api/capabilities/hidden')).statusCode, 404)
  t.equal((await call(app, 'hidden', {})).status, 200)
})

const discoveryRoutes = ['', '?format=openai', '?format=anthropic', '?format=gemini', '?format=mcp', '/echo', '/echo/schema'].map(path => `/api/capabilities${path}`)

t.test('every discovery answer is kept: who has it already is told so without a body', async t => {
  const { app } = await build(t, { upstreams, capabilities: [echo, note] })
  const tags = new Set<unknown>()
  for (const url of discoveryRoutes) {
    const { statusCode, headers, rawPayload } = await app.inject(url)
    t.match({ statusCode, headers }, { statusCode: 200, headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-cache', etag: /^"[\w-]{22}"$/, 'x-content-type-options': 'nosniff' } }, url)
    tags.add(headers.etag)
    for (const tag of [headers.etag, `W/${headers.etag}`, `"other", ${headers.etag}`, '*']) {
      const again = await app.inject({ url, headers: { 'if-none-match': tag } })
      t.match(again, { statusCode: 304, body: '', headers: { etag: headers.etag, 'cache-control': 'no-cache', 'x-content-type-options': 'nosniff' } }, `${url} ${tag}`)
      t.notOk('content-type' in again.headers)
    }
    t.strictSame((await app.inject({ url, headers: { 'if-none-match': '"other"' } })).rawPayload, rawPayload, 'the same bytes')
  }
  t.equal(tags.size, discoveryRoutes.length)
})

t.test('HEAD says of each discovery answer what GET would, and of a wrong one too', async t => {
  const { app } = await build(t, { upstreams, capabilities: [echo] })
  for (const url of [...discoveryRoutes, '/api/capabilities?format=x', '/api/capabilities/x']) {
    const get = await app.inject(url)
    const head = await app.inject({ method: 'HEAD', url })
    t.equal(head.body, '', url)
    t.equal(head.statusCode, get.statusCode)
    for (const name of ['content-type', 'content-length', 'etag', 'cache-control']) t.equal(head.headers[name], get.headers[name], name)
  }
  t.equal((await app.inject({ method: 'HEAD', url: '/api/capabilities', headers: { 'if-none-match': '*' } })).statusCode, 304)
})

t.test('tool definitions are a bare list in the form that is asked for', async t => {
  const { app } = await build(t, { upstreams, capabilities: [note, echo, reading('hidden', async () => ({}), true)] })
  const names = async (format: string, read: (tool: any) => string): Promise<string[]> => (await app.inject(`/api/capabilities?format=${format}`)).json().map(read)
  t.strictSame(await names('openai', tool => tool.function.name), ['echo', 'note'])
  for (const format of ['anthropic', 'gemini', 'mcp']) t.strictSame(await names(format, tool => tool.name), ['echo', 'note'], format)
})

t.test('a form that there is not is told those that there are, and the nearest', async t => {
  const { app } = await build(t, { upstreams, capabilities: [echo] })
  const response = await app.inject('/api/capabilities?format=opanai')
  t.equal(response.statusCode, 400)
  t.match(response.json(), { success: false, error: { code: 'INVALID_INPUT', category: 'INPUT_ERROR', retryable: true, details: { field: 'format', expected: 'one of "openai", "anthropic", "gemini", "mcp"', did_you_mean: 'openai', next_action: 'fix_input' } } })
  for (const query of ['format=', 'format=constructor', 'format=openai&format=mcp']) t.equal((await app.inject(`/api/capabilities?${query}`)).statusCode, 400, query)
})

t.test('a name is found however it is encoded; a name that every object has is none', async t => {
  const { app } = await build(t, { upstreams, capabilities: [echo, note] })
  for (const url of ['/api/capabilities/%65cho', '/api/capabilities/e%63ho/schema']) t.equal((await app.inject(url)).statusCode, 200, url)
  t.equal((await app.inject({ method: 'POST', url: '/api/capabilities/ech%6F' })).statusCode, 200)
  for (const name of ['constructor', '__proto__', 'toString', '%5F_proto__', 'echo%2Fschema']) {
    for (const path of ['', '/schema']) t.match((await app.inject(`/api/capabilities/${name}${path}`)).json(), { error: { code: 'CAPABILITY_NOT_FOUND' } }, name + path)
    t.match((await app.inject({ method: 'POST', url: `/api/capabilities/${name}` })).json(), { error: { code: 'CAPABILITY_NOT_FOUND' } }, name)
  }
})

t.test('an input that no tool definition can show is logged, and hides no other tool', async t => {
  let deep: object = { type: 'string' }
  for (let level = 0; level < 20_000; level++) deep = { type: 'array', items: deep }
  const all = [withInput({ type: 'object', properties: { a: deep } }, { name: 'bad' }), withInput(Type.Object({}), { name: 'good' })]
  const { lines, stream } = collector()
  const app = Fastify({ logger: { level: 'warn', stream } })
  t.teardown(() => app.close())
  decorateReplies(app)
  await app.register(capabilities, { service: { capabilities: new Map(all.map(capability => [capability.name, { capability }])) } as never, base: '', isStopping: () => false })
  t.strictSame((await app.inject('/api/capabilities?format=mcp')).json().map(({ name }: { name: string }) => name), ['bad', 'good'])
  t.match(lines, [{ level: 40, capability: 'bad', msg: /cannot be shown/ }])
})

t.test('an unknown capability is told near ones, or those there are', async t => {
  const { app } = await build(t, { upstreams, capabilities: [note, echo] })
  for (const url of ['/api/capabilities/ecko', '/api/capabilities/ecko/schema']) {
    t.match((await app.inject(url)).json(), { error: { code: 'CAPABILITY_NOT_FOUND', details: { did_you_mean: 'echo', candidates: 'echo', hint: 'GET /api/capabilities lists what can be called.' } } })
  }
  t.match(await call(app, 'something_else', {}), { status: 404, body: { error: { code: 'CAPABILITY_NOT_FOUND', details: { candidates: 'echo; note' } } } })
})

t.test('JSON is read under any of its names, and nothing counts as {}', async t => {
  const { app } = await build(t, { upstreams, capabilities: [echo] })
  for (const type of ['application/json', 'application/json; charset=utf-8', 'application/vnd.api+json']) {
    t.match((await app.inject(post('{"text":"é"}', { 'content-type': type }))).json(), { data: { text: 'é' } }, type)
  }
  t.strictSame((await app.inject(post('', { 'content-type': 'application/json' }))).json(), { success: true, data: {} })
  t.strictSame((await app.inject({ method: 'POST', url: '/api/capabilities/echo' })).json(), { success: true, data: {} })
  const port = await listen(app)
  t.match((await sendRaw(port, request('POST', '/api/capabilities/echo', { 'content-length': '12' }) + '{"text":"a"}')).body, /"text":"a"/, 'no content type')
})

t.test('a body that cannot be read is told why', async t => {
  const { app, lines } = await build(t, { upstreams, capabilities: [echo] })
  const bodies: Array<[payload: string | Buffer, type: string, status: number, code: string]> = [
    ['{"text":"secret', 'application/json', 400, 'INVALID_JSON'],
    ['{"__proto__":{}}', 'application/json', 400, 'POISONED_KEY'],
    ['{"constructor":{"prototype":{}}}', 'application/json', 400, 'POISONED_KEY'],
    [Buffer.from('{"text":"é"}', 'latin1'), 'application/json', 400, 'INVALID_JSON'],
    ['{}', 'application/json; charset=latin1', 415, 'UNSUPPORTED_MEDIA_TYPE'],
    ['a', 'text/plain', 415, 'UNSUPPORTED_MEDIA_TYPE'],
    ['a', 'multipart/form-data; boundary=x', 415, 'UNSUPPORTED_MEDIA_TYPE'],
    ['{}', ';;', 415, 'UNSUPPORTED_MEDIA_TYPE']
  ]
  for (const [payload, type, status, code] of bodies) {
    const response = await app.inject(post(payload, { 'content-type': type }))
    t.equal(response.statusCode, status, `${type} ${code}`)
    t.match(response.json(), { success: false, error: { code, category: 'INPUT_ERROR', retryable: false } })
    t.notMatch(response.body, /secret/)
  }
  t.match((await app.inject(post('{"text":', { 'content-type': 'application/json' }))).json().error.message, /position 8/)
  const packed = await app.inject(post(gzipSync('{"text":"a"}'), { 'content-type': 'application/json', 'content-encoding': 'gzip' }))
  t.match([packed.statusCode, packed.json()], [415, { error: { code: 'UNSUPPORTED_MEDIA_TYPE', message: 'The body has a content encoding, and is not unpacked here.' } }])
  t.equal(lines.filter(({ code }) => code === 'POISONED_KEY').length, 2, 'each is logged once')
})

t.test('a body over the limit is told the limit, with and without its length', async t => {
  const { app } = await build(t, { upstreams, capabilities: [echo], server: { bodyLimit: 100 } })
  const port = await listen(app)
  const long = `{"text":"${'x'.repeat(200)}"}`
  const chunked = request('POST', '/api/capabilities/echo', { 'content-type': 'application/json', 'transfer-encoding': 'chunked' }) + `${long.length.toString(16)}\r\n${long}\r\n0\r\n\r\n`
  for (const text of [request('POST', '/api/capabilities/echo', {}, long), chunked]) {
    const { status, body } = await sendRaw(port, text)
    t.equal(status, 413)
    t.match(JSON.parse(body), { error: { code: 'INPUT_TOO_LARGE', retryable: false, message: 'The body is larger than the 100 bytes this route takes.', details: { expected: 'at most 100 bytes' } } })
  }
})

t.test('a caller who goes away ends the call: its signal fires, one line is logged, nothing else', async t => {
  let aborted: (reason: unknown) => void = () => {}
  const seen = new Promise(resolve => { aborted = resolve })
  let begun = false
  const slow = reading('slow', async (_, call) => {
    const over = new Promise(resolve => call.signal.addEventListener('abort', resolve))
    begun = true
    await over
    aborted(call.signal.reason)
    return {}
  })
  const { app, lines } = await build(t, { upstreams, capabilities: [slow] })
  const port = await listen(app)
  const socket = net.connect(port, '127.0.0.1')
  socket.write(request('POST', '/api/capabilities/slow', {}, '{}'))
  await until(() => begun)
  socket.destroy()
  t.match(await seen, { name: 'AbortError' })
  await until(() => lines.some(({ code }) => code !== undefined))
  await app.close()
  t.strictSame(lines.filter(({ code, level }) => code !== undefined || level > 30).map(({ code, level }) => [code, level]), [['CALLER_GONE', 30]])
})

t.test('a caller who was gone before the call began is not worked for', async t => {
  let ran = 0
  const counted = reading('counted', async () => { ran++; return {} })
  const { app, lines } = await build(t, { upstreams, capabilities: [counted] })
  let here = false
  app.addHook('preHandler', async (_, reply) => {
    const gone = new Promise(resolve => reply.raw.once('close', resolve))
    here = true
    await gone
  })
  const port = await listen(app)
  const socket = net.connect(port, '127.0.0.1')
  socket.write(request('POST', '/api/capabilities/counted', {}, '{}'))
  await until(() => here)
  socket.destroy()
  await until(() => lines.some(({ code }) => code !== undefined))
  t.equal(ran, 0)
  t.strictSame(lines.filter(({ code }) => code !== undefined).map(({ code }) => code), ['CALLER_GONE'])
})

t.test('a stopping service takes no new calls, and says that nothing was written', async t => {
  const { app } = await build(t, { upstreams, capabilities: [echo, note] })
  const stop = holdClose(t, app)
  const port = await listen(app)
  const finish = await stop()
  for (const [name, outcome] of [['echo', undefined], ['note', 'not_applied']] as const) {
    const { status, headers, body } = await sendRaw(port, request('POST', `/api/capabilities/${name}`, { connection: 'keep-alive' }, '{}'))
    t.equal(status, 503)
    t.equal(headers.connection, 'close')
    t.match(JSON.parse(body), { error: { code: 'SERVICE_STOPPING', retryable: true, details: { next_action: 'retry' } } })
    t.equal(JSON.parse(body).error.details.outcome, outcome)
  }
  await finish()
})

t.test('a caller says how long it waits, and which trace its call belongs to', async t => {
  const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'
  let asked = ''
  const fake = await fakeUpstream(t, (_, __, text) => { asked = text })
  const silent = defineCapability({
    name: 'silent', description: 'Asks somebody who does not answer.', effect: 'read', upstreams: ['up'], input: Type.Object({}), output: Type.Null(), async handler (_, call) { await call.upstream('up').get('/'); return null }
  })
  const { app } = await build(t, { capabilities: [silent], upstreams: { up: { baseUrl: fake.url } } })
  t.match(await call(app, 'silent', {}, { 'x-request-timeout-ms': '1000', traceparent }), { status: 504, body: { error: { code: 'REQUEST_TIMEOUT', message: 'silent was not done within its 1000 ms.' } } })
  t.match(asked.toLowerCase(), `traceparent: ${traceparent}`)
})

t.test('the key that a caller sent is there to be handed on', async t => {
  const pay = defineCapability({ name: 'pay', description: 'Pays.', effect: 'write', input: Type.Object({}), output: Type.Object({ key: Type.String() }), handler: (_, { idempotencyKey = 'none' }) => ({ key: idempotencyKey }) })
  const { app } = await build(t, { capabilities: [pay] })
  t.match((await call(app, 'pay', {}, { 'idempotency-key': 'k-1' })).body, { data: { key: 'k-1' } })
  t.match((await call(app, 'pay', {})).body, { data: { key: 'none' } })
})

t.test('with keys, a caller finds what it may call, in every form, and no trace of the rest', async t => {
  const secret = { ...note, name: 'ledger', scopes: ['books'] }
  const auth = { apiKeys: [{ id: 'a', sha256: hashApiKey('plain') }, { id: 'b', sha256: hashApiKey('clerk'), scopes: ['books'] }] }
  const { app } = await build(t, { upstreams, capabilities: [echo, secret], auth })
  const by = async (key: string, url: string) => await app.inject({ url, headers: { authorization: `Bearer ${key}` } })
  for (const path of ['', '?format=openai', '?format=anthropic', '?format=gemini', '?format=mcp']) {
    const [plain, clerk] = [await by('plain', `/api/capabilities${path}`), await by('clerk', `/api/capabilities${path}`)]
    t.notMatch(plain.body, /ledger/, path)
    t.match(clerk.body, /ledger/, path)
    for (const { headers } of [plain, clerk]) t.match(headers, { 'cache-control': 'private, no-cache', vary: 'Authorization' })
    t.not(plain.headers.etag, clerk.headers.etag)
  }
  for (const path of ['', '/schema']) {
    const [hidden, unknown] = [await by('plain', `/api/capabilities/ledger${path}`), await by('plain', `/api/capabilities/lodger${path}`)]
    t.equal(hidden.statusCode, 404)
    t.equal(hidden.body.replaceAll('ledger', 'lodger').replace(/"request_id":"[^"]+"/, ''), unknown.body.replace(/"request_id":"[^"]+"/, ''))
    t.equal((await by('clerk', `/api/capabilities/ledger${path}`)).statusCode, 200)
    t.match((await by('clerk', `/api/capabilities/lodger${path}`)).json(), { error: { details: { did_you_mean: 'ledger' } } })
  }
  const refused = await call(app, 'ledger', {}, { authorization: 'Bearer plain' })
  t.match(refused, { status: 403, headers: { 'www-authenticate': 'Bearer error="insufficient_scope", scope="books"' }, body: { error: { code: 'FORBIDDEN' } } })
  t.equal((await call(app, 'ledger', {}, { authorization: 'Bearer clerk' })).status, 200)
})

t.test('a call that is not taken is refused before its body is read', async t => {
  const { app } = await build(t, { upstreams, capabilities: [echo], limits: { rate: { max: 1, windowMs: 60_000 } } })
  const port = await listen(app)
  // The body that is announced never comes.
  const announced = (name: string): string => request('POST', `/api/capabilities/${name}`, { 'content-type': 'application/json', 'content-length': '1000', connection: 'keep-alive' })
  t.match(await sendRaw(port, request('POST', '/api/capabilities/echo', {}, '{}')), { status: 200, headers: { ratelimit: '"default";r=0;t=60' } })
  const [limited, unknown] = await Promise.all(['echo', 'nothing'].map(async name => await sendRaw(port, announced(name), 500)))
  t.match(limited, { status: 429, headers: { ratelimit: /^"default";r=0;t=\d+$/ }, body: /RATE_LIMIT_EXCEEDED/ })
  t.match(unknown, { status: 404, body: /CAPABILITY_NOT_FOUND/ })
})
