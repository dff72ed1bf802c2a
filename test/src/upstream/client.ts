import dns from 'node:dns'
import { gzipSync } from 'node:zlib'
import { Type } from '@sinclair/typebox'
import t, { type Test } from 'tap'
import { Agent, MockAgent } from 'undici'
import { createToolError, type ToolError } from '../../../src/protocol/tool-error.js'
import { Upstream } from '../../../src/upstream/client.js'
import type { Exchange } from '../../../src/upstream/exchange.js'
import type { UpstreamOptions } from '../../../src/upstream/options.js'
import type { RequestOptions } from '../../../src/upstream/request.js'
import { closedPort, fakeUpstream, rawAnswer, type Act } from '../../fixtures/fake-upstream.js'
import { callerGone, deadline, failureOf, fakeCall, upstreamOf, type FakeCall } from '../../fixtures/upstream-call.js'

const json = (body: unknown, status = 200, headers: Record<string, string> = {}): string => rawAnswer(status, { 'content-type': 'application/json', ...headers }, JSON.stringify(body))

/** A bank that does as told, and a client of it for one call. */
async function bank (t: Test, act: Act | string, options: Partial<UpstreamOptions> = {}, call: FakeCall = fakeCall()) {
  const requests: string[] = []
  const fake = await fakeUpstream(t, (socket, hit, text) => {
    requests.push(text)
    if (typeof act === 'string') socket.write(act)
    else act(socket, hit, text)
  })
  const upstream = upstreamOf(t, { baseUrl: fake.url, ...options } as UpstreamOptions)
  return { fake, requests, call, upstream, client: upstream.clientFor(call) }
}

type Bank = Awaited<ReturnType<typeof bank>>
const last = ({ call }: Bank) => call.exchanges.at(-1)!

/** The failure of one write and its record: every exchange ends, leaves nothing behind, and is one hit. */
async function payment (t: Test, act: Act | string, options: Partial<UpstreamOptions> = {}, request: RequestOptions = {}, hits = 1) {
  const one = await bank(t, act, options)
  const failure = await failureOf(one.client.post('/pay', { json: { amount: 5 }, ...request }))
  t.match(last(one), { endedAt: Number, success: false, failure, effect: 'write' })
  t.equal(one.call.listening(), 0)
  t.equal(one.fake.hits(), hits)
  return { ...one, failure, exchange: last(one) }
}

t.test('an answer is data, status and headers, and its exchange a success', async t => {
  const { client, call, requests } = await bank(t, json({ rate: 0 }, 200, { 'X-Page': '1' }))
  t.match(await client.get('/v1/{base}', { params: { base: 'EUR' }, query: { to: 'USD' }, schema: Type.Object({ rate: Type.Number() }) }), { status: 200, headers: { 'x-page': '1' }, data: { rate: 0 }, ok: true })
  t.match(requests[0], /^GET \/v1\/EUR\?to=USD HTTP/)
  t.match(call.exchanges, [{ upstream: 'bank', declared: true, method: 'GET', path: '/v1/EUR?to=USD', effect: 'read', sent: true, status: 200, phase: 'body', complete: true, success: true, endedAt: Number, failure: undefined }])
  t.equal(call.listening(), 0)
})

t.test('each method is itself, and all but GET are writes unless they are said to be safe', async t => {
  const { client, call, requests } = await bank(t, rawAnswer(204))
  await client.get('/')
  await client.post('/', { form: { a: 'b' } })
  await client.put('/', { body: new Uint8Array([65, 66]) })
  await client.patch('/', { json: [] })
  await client.delete('/')
  await client.post('/search', { safe: true })
  await client.get('/log-out', { safe: false })
  t.same(requests.map(text => text.split(' ')[0]), ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'POST', 'GET'])
  t.match(requests[1], /content-type: application\/x-www-form-urlencoded\r\n[^]*\r\n\r\na=b$/)
  t.match(requests[2], /\r\n\r\nAB$/)
  t.same(call.exchanges.map(({ effect }) => effect), ['read', 'write', 'write', 'write', 'write', 'read', 'write'])
})

t.test('204, an empty body and a byte order mark are no failures', async t => {
  const { client } = await bank(t, (socket, hit) => socket.write(hit === 1 ? rawAnswer(204) : hit === 2 ? rawAnswer(200) : rawAnswer(200, {}, '\uFEFF{"a":1}')))
  t.match(await client.delete('/a'), { status: 204, data: undefined })
  t.match(await client.get('/a'), { status: 200, data: undefined })
  t.match(await client.get('/a'), { status: 200, data: { a: 1 } })
})

t.test('a status of one\'s own choice is an answer, with its text where it is not JSON', async t => {
  const one = await bank(t, (socket, hit) => socket.write(hit === 1 ? json({ no: 1 }, 404) : rawAnswer(404, {}, 'Nothing here')))
  const options = { acceptStatus: [404], schema: Type.Object({ yes: Type.Number() }) }
  t.match(await one.client.get('/a', options), { status: 404, data: { no: 1 }, ok: false })
  t.match(await one.client.get('/a', options), { status: 404, data: 'Nothing here', ok: false })
  t.match(last(one), { success: true, complete: true })
})

// --- Failures before anything was sent ---

t.test('a refused connection was not sent', async t => {
  const call = fakeCall()
  const upstream = upstreamOf(t, { baseUrl: `http://127.0.0.1:${await closedPort()}` })
  const failure = await failureOf(upstream.clientFor(call).post('/pay', { json: 1 }))
  t.match(failure, { code: 'UPSTREAM_UNREACHABLE', status: 502, retryable: true, details: { upstream: 'bank', phase: 'connect' } })
  t.match(call.exchanges, [{ sent: false, phase: 'connect', status: undefined, endedAt: Number, failure }])
})

t.test('a connection that takes too long was not sent', async t => {
  const lookup = dns.lookup
  t.teardown(() => { dns.lookup = lookup })
  // A name that is never found is a connection that never comes about.
  dns.lookup = (() => {}) as never
  const call = fakeCall()
  const failure = await failureOf(upstreamOf(t, { baseUrl: 'http://bank.invalid', connectTimeoutMs: 30 }).clientFor(call).post('/pay', { json: 1 }))
  t.match(failure, { code: 'UPSTREAM_TIMEOUT', status: 504, retryable: true, message: /within 30 ms/, details: { phase: 'connect' } })
  t.match(call.exchanges, [{ sent: false, endedAt: Number }])
})

t.test('a dispatcher that never starts a request has not sent it', async t => {
  const call = fakeCall()
  const upstream = upstreamOf(t, { baseUrl: 'http://bank.invalid', timeoutMs: 30, dispatcher: { dispatch: () => true } as never })
  const failure = await failureOf(upstream.clientFor(call).post('/pay', { json: 1 }))
  t.match(failure, { code: 'UPSTREAM_TIMEOUT', status: 504, retryable: true, message: /within 30 ms/, details: { phase: 'connect' } })
  t.match(call.exchanges, [{ sent: false, endedAt: Number }])
})

t.test('a call that has ended sends nothing', async t => {
  const { client, call, fake } = await bank(t, rawAnswer(200))
  call.end(callerGone)
  t.match(await failureOf(client.post('/pay')), { code: 'CALLER_GONE' })
  t.match(call.exchanges, [{ sent: false, endedAt: Number }])
  t.equal(fake.hits(), 0)
})

t.test('a call that ends while its connection comes about sends nothing', async t => {
  const { client, call, fake } = await bank(t, rawAnswer(200))
  const failure = failureOf(client.post('/pay'))
  call.end(deadline)
  t.match(await failure, { code: 'UPSTREAM_TIMEOUT', message: /in time/ })
  await new Promise(resolve => setTimeout(resolve, 50))
  t.match(call.exchanges, [{ sent: false, endedAt: Number }])
  t.equal(fake.hits(), 0)
})

t.test('a value that changes the path, a path and a schema that are none, leave no exchange', async t => {
  const { client, call, fake } = await bank(t, rawAnswer(200))
  t.match(await failureOf(client.get('/{id}', { params: { id: '..' } })), { code: 'INVALID_INPUT', retryable: true })
  await t.rejects(client.get('id'), TypeError)
  await t.rejects(client.get('/', { schema: { type: 'nonsense' } as never }), TypeError)
  t.same(call.exchanges, [])
  t.equal(fake.hits(), 0)
})

t.test('a header that cannot be sent is a mistake of ours, and is not repeated', async t => {
  const { failure, exchange } = await payment(t, rawAnswer(200), {}, { headers: { authorization: 'Bearer sk-live-SECRET3\n' } }, 0)
  t.match(failure, { code: 'INTERNAL_ERROR', status: 500, retryable: false })
  t.notMatch(JSON.stringify([failure, failure.message, String(failure.cause)]), 'SECRET3')
  t.equal(exchange.sent, false)
})

// --- Failures after something may have been sent ---

t.test('a connection lost with the request on it may have been carried out', async t => {
  for (const lose of [(socket: { destroy (): void }) => socket.destroy(), (socket: { resetAndDestroy (): void }) => socket.resetAndDestroy()]) {
    const { failure, exchange } = await payment(t, lose)
    t.match(failure, { code: 'UPSTREAM_CONNECTION_LOST', status: 502, retryable: true, details: { phase: 'headers' } })
    t.match(exchange, { sent: true, status: undefined, complete: false })
  }
})

t.test('silence ends with the exchange\'s time', async t => {
  const { failure, exchange } = await payment(t, () => {}, { timeoutMs: 40 })
  t.match(failure, { code: 'UPSTREAM_TIMEOUT', status: 504, message: /within 40 ms/, details: { phase: 'headers' } })
  t.match(exchange, { sent: true, status: undefined })
})

t.test('headers may have a shorter time of their own', async t => {
  const { failure } = await payment(t, () => {}, { headersTimeoutMs: 30 })
  t.match(failure, { code: 'UPSTREAM_TIMEOUT', message: /within 30 ms/, details: { phase: 'headers' } })
})

t.test('an answer cut short is none, whatever its status promised', async t => {
  const { failure, exchange } = await payment(t, socket => socket.end('HTTP/1.1 200 Fake\r\ncontent-length: 100\r\n\r\n{"a":'))
  t.match(failure, { code: 'UPSTREAM_INVALID_RESPONSE', details: { phase: 'body' } })
  t.match(exchange, { sent: true, status: 200, complete: false })
  const stalled = await payment(t, socket => socket.write('HTTP/1.1 200 Fake\r\ncontent-length: 100\r\n\r\n{"a":'), { timeoutMs: 50 })
  t.match(stalled.failure, { code: 'UPSTREAM_TIMEOUT', details: { phase: 'body' } })
})

t.test('a failure cut short is told by its status', async t => {
  const { failure, exchange } = await payment(t, socket => socket.end('HTTP/1.1 429 Fake\r\nretry-after: 7\r\ncontent-length: 100\r\n\r\n{"a":'))
  t.match(failure, { code: 'UPSTREAM_RATE_LIMITED', retryAfterMs: 7_000, cause: Error })
  t.match(exchange, { status: 429, complete: false })
})

t.test('an answer over the limit is refused, as sent and as decompressed', async t => {
  const sent = await payment(t, rawAnswer(200, {}, 'x'.repeat(101)), { maxBytes: 100 })
  t.match(sent.failure, { code: 'UPSTREAM_PROTOCOL_ERROR', retryable: false })
  const packed = gzipSync(JSON.stringify('x'.repeat(1_000)))
  const bomb = await payment(t, socket => { socket.write(rawAnswer(200, { 'content-encoding': 'gzip', 'content-length': String(packed.length) })); socket.write(packed) }, { maxBytes: 100 })
  t.match(bomb.failure, { code: 'UPSTREAM_PROTOCOL_ERROR', retryable: false })
  t.match(bomb.exchange, { status: 200, complete: false })
})

t.test('what is not JSON is no answer, and is not quoted', async t => {
  for (const body of ['<!DOCTYPE html><p>Log in</p>', '{"a":', 'plain words']) {
    const { failure, exchange } = await payment(t, rawAnswer(200, { 'content-type': 'text/html' }, body))
    t.match(failure, { code: 'UPSTREAM_INVALID_RESPONSE', status: 502, retryable: true, details: { upstream_status: '200', api_error: undefined } })
    t.match(exchange, { complete: false, status: 200 })
  }
})

t.test('JSON of another shape is no answer, but what was asked for was carried out', async t => {
  const { failure, exchange } = await payment(t, json({ message: 'Paid.' }), {}, { schema: Type.Object({ id: Type.String() }) })
  t.match(failure, { code: 'UPSTREAM_INVALID_RESPONSE', details: { upstream_status: '200', api_error: undefined }, cause: { message: /^The answer breaks the declared shape/ } })
  t.match(exchange, { complete: true, status: 200 })
})

t.test('a closed upstream says that the service is stopping', async t => {
  const one = await bank(t, () => { one.upstream.close() })
  t.match(await failureOf(one.client.get('/')), { code: 'SERVICE_STOPPING' })
  t.match(await failureOf(one.client.get('/')), { code: 'SERVICE_STOPPING' })
  t.match(last(one), { sent: false })
})

// --- Answers that are failures ---

t.test('a failure is told by its status, with what the upstream said', async t => {
  const { failure, exchange } = await payment(t, json({ message: 'No such account SECRET1.' }, 404), { secrets: ['SECRET1'] })
  t.match(failure, { code: 'UPSTREAM_NOT_FOUND', status: 400, details: { upstream: 'bank', upstream_status: '404', api_error: '"No such account [redacted]."' } })
  t.match(exchange, { status: 404, complete: true })
  t.match((await payment(t, rawAnswer(502, { 'content-type': 'text/html' }, '<html>Bad gateway</html>'))).failure, { code: 'UPSTREAM_UNAVAILABLE', details: { api_error: undefined } })
})

t.test('a status can mean a declared error', async t => {
  const mapped = { errors: { 404: 'NO_ACCOUNT', 429: 'TOO_MANY', 409: 'UNDECLARED' } }
  const { failure } = await payment(t, json({ message: 'None.' }, 404), {}, mapped)
  t.match(failure, { code: 'NO_ACCOUNT', category: 'NOT_FOUND', details: { hint: 'As declared.', upstream: 'bank', upstream_status: '404', api_error: '"None."' } })
  t.equal((await payment(t, rawAnswer(429, { 'retry-after': '7' }), {}, mapped)).failure.retryAfterMs, 7_000)
  t.match((await payment(t, rawAnswer(409), {}, mapped)).failure, { code: 'INTERNAL_ERROR', cause: TypeError })
})

t.test('an adapter of the upstream\'s is asked first', async t => {
  const adapted = createToolError({ code: 'ODD', category: 'SERVICE_ERROR', message: 'Odd.' })
  t.equal((await payment(t, rawAnswer(418), { adapters: [failure => (failure as { status: number }).status === 418 ? adapted : undefined] })).failure, adapted)
})

t.test('a no inside a 200 is the no it says', async t => {
  const refusal: UpstreamOptions['refusal'] = ({ data }) => {
    const { status } = data as { status: string }
    if (status === 'THROW') throw new Error('Broken reader.')
    if (status === 'OVER_LIMIT') return { status: 429 }
    return status === 'UNKNOWN' ? { category: 'NOT_FOUND', code: 'NO_ACCOUNT', message: 'No account SECRET1.' } : undefined
  }
  const answer = async (status: string) => await payment(t, json({ status, message: 'Slow down.' }, 200, { 'retry-after': '9' }), { refusal, secrets: ['SECRET1'] })
  const limited = await answer('OVER_LIMIT')
  t.match(limited.failure, { code: 'UPSTREAM_RATE_LIMITED', retryAfterMs: 9_000, details: { upstream_status: '200', api_error: '"Slow down."' } })
  t.match(limited.exchange, { status: 200, refusedAs: 429, complete: true })
  const unknown = await answer('UNKNOWN')
  t.match(unknown.failure, { code: 'NO_ACCOUNT', category: 'NOT_FOUND', message: 'No account [redacted].', details: { upstream: 'bank', upstream_status: '200' } })
  t.match(unknown.exchange, { status: 200, refusedAs: 404 })
  const broken = await answer('THROW')
  t.match(broken.failure, { code: 'INTERNAL_ERROR', cause: { message: 'Broken reader.' } })
  t.match(broken.exchange, { status: 200, complete: false })
  const { client } = await bank(t, json({ status: 'OK' }), { refusal })
  t.match(await client.get('/'), { data: { status: 'OK' } })
})

// --- What an upstream is told ---

t.test('a stand-in is believed only where it is configured as one', async t => {
  const raw = rawAnswer(200, { 'x-candor-simulated': 'true' })
  const believed = await bank(t, raw, { simulated: true })
  await believed.client.get('/')
  t.equal(last(believed).simulated, true)
  const real = await bank(t, raw)
  await real.client.get('/')
  t.equal(last(real).simulated, undefined)
})

t.test('the trace goes along', async t => {
  const trace = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
  const { client, requests } = await bank(t, rawAnswer(200), {}, fakeCall(trace))
  await client.get('/')
  t.match(requests[0], `\r\ntraceparent: ${trace}\r\n`)
})

t.test('a token goes along, is replaced after a 401, and is in no text', async t => {
  let asked = 0
  const one = await bank(t, (socket, _, text) => socket.write(text.includes('TOKEN-2') ? json({ message: 'Bad TOKEN-2.' }, 400) : rawAnswer(401)), { auth: async () => `TOKEN-${++asked}` })
  t.match(await failureOf(one.client.post('/pay', { json: 1 })), { code: 'UPSTREAM_REJECTED_INPUT', details: { api_error: '"Bad [redacted]."' } })
  t.equal(one.requests.length, 2)
  t.equal(one.call.exchanges.length, 1)
  t.match(last(one), { sent: true, status: 400 })
  t.equal(one.upstream.redact('TOKEN-1 and TOKEN-2'), '[redacted] and [redacted]')
})

t.test('a redirected read is one exchange, a redirected write none', async t => {
  const one = await bank(t, (socket, _, text) => socket.write(text.includes('/old') ? rawAnswer(308, { location: '/new' }) : json([1])))
  t.match(await one.client.get('/old'), { data: [1] })
  t.match(one.call.exchanges, [{ path: '/old', status: 200, success: true }])
  t.match(await failureOf(one.client.post('/old')), { code: 'UPSTREAM_REDIRECTED', retryable: false })
  t.match(last(one), { status: 308 })
  t.equal(one.requests.length, 3)
})

t.test('no more than so many exchanges at a time', async t => {
  let open = 0
  let most = 0
  const { client } = await bank(t, socket => {
    most = Math.max(most, ++open)
    setTimeout(() => { open--; socket.write(rawAnswer(200)) }, 10)
  }, { maxConcurrent: 2 })
  await Promise.all(Array.from({ length: 6 }, () => client.get('/')))
  t.equal(most, 2)
})

t.test('a dispatcher of the author\'s sends the requests, and stays open', async t => {
  const agent = new MockAgent()
  t.teardown(() => agent.close())
  agent.disableNetConnect()
  agent.get('http://bank.invalid').intercept({ path: '/a' }).reply(200, { b: 1 }, { headers: { 'content-type': 'application/json' } }).times(2)
  const call = fakeCall()
  const upstream = upstreamOf(t, { baseUrl: 'http://bank.invalid', dispatcher: agent })
  t.match(await upstream.clientFor(call).get('/a'), { data: { b: 1 } })
  await upstream.close()
  t.match(await upstream.clientFor(call).get('/a'), { data: { b: 1 } })
  t.match(call.exchanges, [{ sent: true, success: true }, { sent: true, success: true }])
})

t.test('an address a caller chose is opened only where it is public', async t => {
  const fake = await fakeUpstream(t, (socket, _, text) => socket.write(text.includes('/away') ? rawAnswer(302, { location: 'http://169.254.169.254/' }) : json({ message: 'No.' }, text.includes('/ok') ? 200 : 404)))
  const call = fakeCall()
  const closed = upstreamOf(t, { allowTarget: true }).clientFor(call)
  const refused: Partial<ToolError> = { code: 'TARGET_NOT_ALLOWED', category: 'INPUT_ERROR', status: 400, retryable: false }
  t.match(await failureOf(closed.get(`${fake.url}/ok`)), refused)
  t.match(await failureOf(closed.get(`http://localhost:${fake.port}/ok`)), refused)
  t.match(call.exchanges, [{ sent: false, endedAt: Number }, { sent: false, endedAt: Number }])
  t.match(await failureOf(closed.get('file:///etc/passwd')), refused)
  t.equal(call.exchanges.length, 2)
  t.equal(fake.hits(), 0)
  const open = upstreamOf(t, { allowTarget: ['127.0.0.1/32'] }).clientFor(call)
  t.match(await open.get(`${fake.url}/ok`), { status: 200 })
  t.match(await failureOf(open.get(`${fake.url}/missing`)), { code: 'UPSTREAM_NOT_FOUND', details: { api_error: undefined } })
  t.match(await failureOf(open.get(`${fake.url}/away`)), { code: 'UPSTREAM_REDIRECTED' })
})

t.test('a forgotten await does not end the process: the failure is recorded, and nobody has to catch it', async t => {
  const fake = await fakeUpstream(t, socket => socket.destroy())
  const rejections: unknown[] = []
  const onRejection = (reason: unknown) => rejections.push(reason)
  process.on('unhandledRejection', onRejection)
  t.teardown(() => process.off('unhandledRejection', onRejection))
  const upstream = new Upstream('source', { baseUrl: fake.url })
  t.teardown(() => upstream.close())
  const exchanges: Exchange[] = []
  const ledger = { record: (exchange: Exchange) => { exchanges.push(exchange) } }
  upstream.clientFor({ ledger, endReason: undefined, onEnd: () => () => {}, declaredError: () => { throw new Error('none') } }).post('/x', { json: {} })
  await new Promise(resolve => setTimeout(resolve, 200))
  t.strictSame(rejections, [])
  t.match(exchanges, [{ failure: { code: 'UPSTREAM_CONNECTION_LOST' } }])
})

t.test('a test sends everything elsewhere and gives it less time; the evidence names the upstream all the same', async t => {
  const real = await fakeUpstream(t, socket => socket.write(rawAnswer(200, { 'content-type': 'application/json' }, '{}')))
  const other = await fakeUpstream(t, (socket, hit) => { if (hit === 1) socket.write(rawAnswer(503)) })
  const upstream = upstreamOf(t, { baseUrl: real.url })
  const agent = new Agent()
  t.teardown(() => agent.close())
  const elsewhere = agent.compose(dispatch => (options, handler) => dispatch({ ...options, origin: other.url }, handler))
  const call = fakeCall()
  const undo = upstream.divert(elsewhere, 100)
  t.match(await failureOf(upstream.clientFor(call).get('/x')), { code: 'UPSTREAM_UNAVAILABLE' })
  t.match(await failureOf(upstream.clientFor(call).get('/x')), { code: 'UPSTREAM_TIMEOUT', message: /100 ms/ })
  t.match(call.exchanges, [{ upstream: 'bank', origin: real.url }, { origin: real.url }])
  undo()
  t.match(await upstream.clientFor(call).get('/x'), { status: 200 })
  // Taken back in whatever order, what was put in last and is still there counts.
  const first = upstream.divert(elsewhere, 100)
  const second = upstream.divert(agent)
  t.match(await upstream.clientFor(call).get('/x'), { status: 200 })
  first()
  t.match(await upstream.clientFor(call).get('/x'), { status: 200 })
  second()
  t.match(await upstream.clientFor(call).get('/x'), { status: 200 })
})
