import net from 'node:net'
import { Type } from '@sinclair/typebox'
import t from 'tap'
import { defineCapability } from 'candor'
import { build, call } from '../fixtures/build.js'
import { echo, note, reading } from '../fixtures/capabilities.js'
import { fakeUpstream } from '../fixtures/fake-upstream.js'
import { listen, request, sendRaw } from '../fixtures/raw.js'

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
  const slow = reading('slow', async (_, call) => {
    await new Promise(resolve => call.signal.addEventListener('abort', resolve))
    aborted(call.signal.reason)
    return {}
  })
  const { app, lines } = await build(t, { upstreams, capabilities: [slow] })
  const port = await listen(app)
  const socket = net.connect(port, '127.0.0.1')
  socket.write(request('POST', '/api/capabilities/slow', {}, '{}'))
  setTimeout(() => socket.destroy(), 100)
  t.match(await seen, { name: 'AbortError' })
  await new Promise(resolve => setTimeout(resolve, 50))
  t.strictSame(lines.filter(({ code, level }) => code !== undefined || level > 30).map(({ code, level }) => [code, level]), [['CALLER_GONE', 30]])
})

t.test('a caller who was gone before the call began is not worked for', async t => {
  let ran = 0
  const counted = reading('counted', async () => { ran++; return {} })
  const { app, lines } = await build(t, { upstreams, capabilities: [counted] })
  app.addHook('preHandler', async (_, reply) => { await new Promise(resolve => reply.raw.once('close', resolve)) })
  const port = await listen(app)
  const socket = net.connect(port, '127.0.0.1')
  socket.write(request('POST', '/api/capabilities/counted', {}, '{}'))
  setTimeout(() => socket.destroy(), 100)
  await new Promise(resolve => setTimeout(resolve, 300))
  t.equal(ran, 0)
  t.strictSame(lines.filter(({ code }) => code !== undefined).map(({ code }) => code), ['CALLER_GONE'])
})

t.test('a stopping service takes no new calls, and says that nothing was written', async t => {
  const { app } = await build(t, { upstreams, capabilities: [echo, note], stopDelayMs: 400 })
  const port = await listen(app)
  const closing = app.close()
  await new Promise(resolve => setTimeout(resolve, 50))
  for (const [name, outcome] of [['echo', undefined], ['note', 'not_applied']] as const) {
    const { status, headers, body } = await sendRaw(port, request('POST', `/api/capabilities/${name}`, { connection: 'keep-alive' }, '{}'))
    t.equal(status, 503)
    t.equal(headers.connection, 'close')
    t.match(JSON.parse(body), { error: { code: 'SERVICE_STOPPING', retryable: true, details: { next_action: 'retry' } } })
    t.equal(JSON.parse(body).error.details.outcome, outcome)
  }
  await closing
})

t.test('a caller says how long it waits, and which trace its call belongs to', async t => {
  const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'
  let asked = ''
  const fake = await fakeUpstream(t, (_, __, text) => { asked = text })
  const silent = defineCapability({
    name: 'silent', description: 'Asks somebody who does not answer.', effect: 'read', upstreams: ['up'], input: Type.Object({}), output: Type.Null(), async handler (_, call) { await call.upstream('up').get('/'); return null }
  })
  const { app } = await build(t, { capabilities: [silent], upstreams: { up: { baseUrl: fake.url } } })
  t.match(await call(app, 'silent', {}, { 'x-request-timeout-ms': '100', traceparent }), { status: 504, body: { error: { code: 'REQUEST_TIMEOUT', message: 'silent was not done within its 100 ms.' } } })
  t.match(asked.toLowerCase(), `traceparent: ${traceparent}`)
})
