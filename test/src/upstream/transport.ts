import net from 'node:net'
import t, { type Test } from 'tap'
import { Pool, type Dispatcher } from 'undici'
import { send, tooLarge, type Progress, type WireLimits, type WireRequest } from '../../../src/upstream/transport.js'
import { closedPort, fakeUpstream, rawAnswer, type Act } from '../../fixtures/fake-upstream.js'
import { dispatcherOf } from '../../fixtures/upstream-call.js'

const LIMITS: WireLimits = { maxBytes: 1_000 }
const fresh = (): Progress => ({ sent: false, phase: 'connect' })
const get = (origin: string, more: Partial<WireRequest> = {}): WireRequest => ({ origin, method: 'GET', path: '/', headers: {}, body: undefined, ...more })

function poolOf (t: Test, url: string): Pool {
  const pool = new Pool(url)
  t.teardown(() => pool.destroy())
  return pool
}

async function play (t: Test, act: Act, limits: WireLimits = LIMITS, more: Partial<WireRequest> = {}) {
  const fake = await fakeUpstream(t, act)
  const progress = fresh()
  const task = send(poolOf(t, fake.url), get(fake.url, more), limits, progress)
  return { fake, progress, task, outcome: await task.result.catch((error: unknown) => ({ error: error as Error & { code?: string } })) }
}

t.test('an answer is read to its end, after whatever 1xx came before it', async t => {
  const { outcome, progress, fake } = await play(t, socket => socket.end(`HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n${rawAnswer(201, { 'X-Two': 'b' }, 'hello')}`))
  t.match(outcome, { status: 201, headers: { 'x-two': 'b' }, body: Buffer.from('hello'), cut: undefined })
  t.same(progress, { sent: true, status: 201, phase: 'body' })
  t.equal(fake.hits(), 1)
})

t.test('the request is sent as it is', async t => {
  let text = ''
  const { outcome } = await play(t, (socket, _, request) => { text += request; socket.end(rawAnswer(204)) }, LIMITS, { method: 'POST', path: '/a%20b?c=d', headers: { 'x-own': '1' }, body: 'payload' })
  t.match(outcome, { status: 204, body: Buffer.alloc(0) })
  t.match(text, /^POST \/a%20b\?c=d HTTP\/1\.1\r\n[^]*x-own: 1\r\ncontent-length: 7\r\n\r\npayload$/)
})

t.test('a refused connection proves that nothing was sent', async t => {
  const origin = `http://127.0.0.1:${await closedPort()}`
  const progress = fresh()
  await t.rejects(send(poolOf(t, origin), get(origin), LIMITS, progress).result, { code: 'ECONNREFUSED' })
  t.same(progress, { sent: false, phase: 'connect' })
})

t.test('a connection that is not there in time proves that nothing was sent', async t => {
  // A look-up that never answers is a connection that never comes about.
  const stuck = new Pool('http://stuck.invalid', { connect: { timeout: 50, lookup: () => {} } as never })
  t.teardown(() => stuck.destroy())
  // undici's own timers keep no process alive.
  const awake = setInterval(() => {}, 1_000)
  t.teardown(() => clearInterval(awake))
  const progress = fresh()
  await t.rejects(send(stuck, get('http://stuck.invalid'), LIMITS, progress).result, { code: 'UND_ERR_CONNECT_TIMEOUT' })
  t.same(progress, { sent: false, phase: 'connect' })
})

t.test('a connection lost with the request on it may have carried the request', async t => {
  for (const lose of [(socket: net.Socket) => { socket.destroy() }, (socket: net.Socket) => { socket.resetAndDestroy() }]) {
    const { outcome, progress, fake } = await play(t, lose)
    t.match(outcome, { error: { code: /^(UND_ERR_SOCKET|ECONNRESET)$/ } })
    t.same(progress, { sent: true, phase: 'headers' })
    t.equal(fake.hits(), 1)
  }
})

t.test('a connection lost while the request is written may have carried it', async t => {
  const { outcome, progress, fake } = await play(t, socket => socket.resetAndDestroy(), LIMITS, { method: 'POST', body: 'x'.repeat(20_000_000) })
  t.match(outcome, { error: { code: /^(UND_ERR_SOCKET|ECONNRESET|EPIPE)$/ } })
  t.same(progress, { sent: true, phase: 'headers' })
  t.equal(fake.hits(), 1)
})

t.test('a connection reset before the request was read may have carried it, fresh or used before', async t => {
  const server = net.createServer({ pauseOnConnect: true }, socket => { setTimeout(() => socket.resetAndDestroy(), 20) })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => server.close())
  const origin = `http://127.0.0.1:${(server.address() as net.AddressInfo).port}`
  const progress = fresh()
  await t.rejects(send(poolOf(t, origin), get(origin), LIMITS, progress).result)
  t.equal(progress.sent, true)

  const fake = await fakeUpstream(t, (socket, hit) => { if (hit === 1) socket.write(rawAnswer(200)); else socket.resetAndDestroy() })
  const pool = poolOf(t, fake.url)
  await send(pool, get(fake.url), LIMITS, fresh()).result
  const second = fresh()
  await t.rejects(send(pool, get(fake.url), LIMITS, second).result)
  t.same(second, { sent: true, phase: 'headers' })
  t.equal(fake.hits(), 2)
})

t.test('an answer that breaks off keeps its status, and says why', async t => {
  const cut = await play(t, socket => socket.end('HTTP/1.1 503 Fake\r\ncontent-length: 100\r\nretry-after: 7\r\n\r\nhalf'))
  t.match(cut.outcome, { status: 503, headers: { 'retry-after': '7' }, body: Buffer.from('half'), cut: { code: /^(UND_ERR_SOCKET|UND_ERR_RES_CONTENT_LENGTH_MISMATCH)$/ } })
  t.same(cut.progress, { sent: true, status: 503, phase: 'body' })
  const chunk = await play(t, socket => socket.end('HTTP/1.1 200 Fake\r\ntransfer-encoding: chunked\r\n\r\n20\r\nhalf'))
  t.match(chunk.outcome, { status: 200, cut: Error })
})

t.test('what is not HTTP is no answer', async t => {
  const { outcome, progress } = await play(t, socket => socket.end('garbage\r\n\r\n'))
  t.match(outcome, { error: Error })
  t.same(progress, { sent: true, phase: 'headers' })
})

t.test('a body over the cap ends the connection', async t => {
  let closed!: () => void
  const gone = new Promise<void>(resolve => { closed = resolve })
  const { outcome } = await play(t, socket => {
    socket.once('close', closed)
    socket.write(rawAnswer(200, { 'content-length': '1000000' }, 'x'.repeat(1_001)))
  })
  t.match(outcome, { status: 200, cut: { code: 'UND_ERR_RES_EXCEEDED_MAX_SIZE', message: 'The body is over 1000 bytes.' } })
  await gone
  t.equal(tooLarge(5).message, 'The body is over 5 bytes.')
})

t.test('a body of exactly the cap is taken', async t => {
  const { outcome } = await play(t, socket => socket.end(rawAnswer(200, {}, 'x'.repeat(1_000))))
  t.match(outcome, { status: 200, cut: undefined })
})

t.test('headers that do not come in time end the exchange', async t => {
  const { outcome, progress } = await play(t, () => {}, { maxBytes: 10, headersTimeoutMs: 30 })
  t.match(outcome, { error: { code: 'UND_ERR_HEADERS_TIMEOUT', ms: 30 } })
  t.same(progress, { sent: true, phase: 'headers' })
})

t.test('a body that takes longer than the headers may is no headers timeout', async t => {
  const { outcome } = await play(t, socket => {
    socket.write('HTTP/1.1 200 Fake\r\ncontent-length: 2\r\n\r\na')
    setTimeout(() => socket.end('b'), 120)
  }, { maxBytes: 10, headersTimeoutMs: 60 })
  t.match(outcome, { status: 200, body: Buffer.from('ab'), cut: undefined })
})

t.test('an exchange ended by us ends its connection, and a second end changes nothing', async t => {
  let closed!: () => void
  const gone = new Promise<void>(resolve => { closed = resolve })
  const reason = new Error('Over.')
  const fake = await fakeUpstream(t, socket => {
    socket.once('close', closed)
    task.cancel(reason)
    task.cancel(new Error('Again.'))
  })
  const progress = fresh()
  const task = send(poolOf(t, fake.url), get(fake.url), LIMITS, progress)
  t.equal(await task.result.catch((error: unknown) => error), reason)
  t.same(progress, { sent: true, phase: 'headers' })
  await gone
})

t.test('an exchange ended by us in its body keeps what it has', async t => {
  const reason = new Error('Over.')
  const fake = await fakeUpstream(t, socket => {
    socket.write('HTTP/1.1 200 Fake\r\ncontent-length: 2\r\n\r\na')
    setTimeout(() => task.cancel(reason), 50)
  })
  const task = send(poolOf(t, fake.url), get(fake.url), LIMITS, fresh())
  t.match(await task.result, { status: 200, body: Buffer.from('a'), cut: reason })
})

t.test('a request ended while its connection comes about is never written', async t => {
  const fake = await fakeUpstream(t, socket => socket.end(rawAnswer(200)))
  const pool = poolOf(t, fake.url)
  const connected = new Promise(resolve => pool.once('connect', resolve))
  const progress = fresh()
  const task = send(pool, get(fake.url, { method: 'POST', body: 'pay' }), LIMITS, progress)
  task.cancel(new Error('Over.'))
  await t.rejects(task.result, { message: 'Over.' })
  await connected
  await new Promise(resolve => setTimeout(resolve, 50))
  t.equal(fake.hits(), 0)
  t.same(progress, { sent: false, phase: 'connect' })
})

t.test('what undici does not take is told and not sent', async t => {
  const fake = await fakeUpstream(t, socket => socket.end(rawAnswer(200)))
  const progress = fresh()
  const error = await send(poolOf(t, fake.url), get(fake.url, { headers: { authorization: 'Bearer sk-live-SECRET3\n' } }), LIMITS, progress).result.catch((error: unknown) => error)
  t.match(error, { code: 'UND_ERR_INVALID_ARG' })
  t.notMatch((error as Error).message, 'SECRET3')
  t.same(progress, { sent: false, phase: 'connect' })
  t.equal(fake.hits(), 0)
})

t.test('a dispatcher that throws is a failure like any other', async t => {
  const broken = { dispatch () { throw new Error('Broken.') } } as unknown as Dispatcher
  await t.rejects(send(broken, get('http://broken'), LIMITS, fresh()).result, { message: 'Broken.' })
})

t.test('what a dispatcher answers was sent, even where it does not say so', async t => {
  const progress = fresh()
  const quiet = dispatcherOf(handler => {
    handler.onResponseStart({} as never, 200, {})
    handler.onResponseEnd({} as never, {})
    handler.onResponseError({} as never, new Error('Too late.'))
  })
  t.match(await send(quiet, get('http://quiet'), LIMITS, progress).result, { status: 200 })
  t.equal(progress.sent, true)
})

t.test('a destroyed pool sends nothing', async t => {
  const pool = new Pool('http://127.0.0.1:1')
  await pool.destroy()
  await t.rejects(send(pool, get('http://127.0.0.1:1'), LIMITS, fresh()).result, { code: 'UND_ERR_DESTROYED' })
})
