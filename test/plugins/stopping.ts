import net from 'node:net'
import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import t from 'tap'
import { build } from '../fixtures/build.js'
import { echo, reading } from '../fixtures/capabilities.js'
import { fakeUpstream, rawAnswer } from '../fixtures/fake-upstream.js'
import { listen, parseRaw, request, sendRaw } from '../fixtures/raw.js'

process.on('warning', warning => t.fail(warning.message))

const upstreams = { up: { baseUrl: 'http://127.0.0.1:1' } }
const keepAlive = { connection: 'keep-alive' }

async function connect (port: number, text: string): Promise<net.Socket> {
  const socket = net.connect(port, '127.0.0.1')
  socket.on('error', () => {})
  socket.write(text)
  await once(socket, 'connect')
  return socket
}

async function timed (run: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await run()
  return performance.now() - start
}

t.test('an idle service stops at once, with clients connected', async t => {
  const { app } = await build(t, { upstreams, capabilities: [echo] })
  const port = await listen(app)
  const sockets = await Promise.all([1, 2, 3].map(async () => await connect(port, request('GET', '/health', keepAlive))))
  await Promise.all(sockets.map(async socket => await once(socket, 'data')))
  t.ok(await timed(() => app.close()) < 1_000)
})

t.test('a running call finishes, its connection is closed after it, and the pools of its upstreams after that', async t => {
  const upstream = await fakeUpstream(t, socket => { setTimeout(() => socket.write(rawAnswer(200, { 'content-type': 'application/json' }, '{"text":"late"}')), 300) })
  const slow = reading('slow', async (_, call) => (await call.upstream('up').get('/')).data as object)
  const { app } = await build(t, { capabilities: [slow], upstreams: { up: { baseUrl: upstream.url } } })
  const port = await listen(app)
  const socket = await connect(port, request('POST', '/api/capabilities/slow', keepAlive, '{}'))
  await new Promise(resolve => setTimeout(resolve, 100))
  const [took, [data]] = await Promise.all([timed(() => app.close()), once(socket, 'data')])
  const { status, headers, body } = parseRaw(String(data))
  t.equal(status, 200)
  t.equal(headers.connection, 'close')
  t.match(JSON.parse(body), { data: { text: 'late' } })
  t.ok(took < 2_000, `${took} ms`)
})

t.test('an answer that had begun before the stop does not hold it', async t => {
  const { app } = await build(t, { upstreams, capabilities: [echo] })
  const stream = new PassThrough()
  app.get('/stream', async (_, reply) => reply.type('text/plain').send(stream))
  const port = await listen(app)
  stream.write('a')
  const socket = await connect(port, request('GET', '/stream', keepAlive))
  await once(socket, 'data')
  const took = timed(() => app.close())
  setTimeout(() => stream.end('b'), 100)
  t.ok(await took < 2_000)
})

t.test('in the stop delay the service still answers, and says that it is not ready', async t => {
  const { app } = await build(t, { upstreams, capabilities: [echo], stopDelayMs: 300 })
  const port = await listen(app)
  t.equal((await sendRaw(port, request('GET', '/ready'))).status, 200)
  const took = timed(() => app.close())
  await new Promise(resolve => setTimeout(resolve, 50))
  const { status, headers, body } = await sendRaw(port, request('GET', '/ready', keepAlive))
  t.equal(status, 503)
  t.equal(headers.connection, 'close')
  t.match(JSON.parse(body), { error: { code: 'SERVICE_UNAVAILABLE', details: { not_ready: 'stopping' } } })
  t.ok(await took >= 290)
})

t.test('who sends half of a request and no more holds the stop for as long as a slow sender may take, and no call is cut', async t => {
  const answered = reading('slow', async () => { await new Promise(resolve => setTimeout(resolve, 900)); return {} })
  const { app } = await build(t, { upstreams, capabilities: [echo, answered] })
  const port = await listen(app)
  Object.assign(app.server, { headersTimeout: 200, requestTimeout: 500 })
  const half = await connect(port, 'POST /api/cap')
  const body = await connect(port, 'POST /api/capabilities/echo HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\ncontent-length: 10\r\n\r\n{')
  app.server.on('upgrade', (_, socket) => {
    socket.on('error', () => {}).on('end', () => socket.end()).resume()
    socket.write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: talk\r\n\r\n')
  })
  const upgraded = await connect(port, 'GET / HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: upgrade\r\nupgrade: talk\r\n\r\n')
  const running = sendRaw(port, request('POST', '/api/capabilities/slow', { 'content-length': '2' }) + '{}')
  await new Promise(resolve => setTimeout(resolve, 100))
  const closed: string[] = []
  half.once('close', () => closed.push('half of a head'))
  body.once('close', () => closed.push('half of a body'))
  let wasOpen = false
  upgraded.resume()
  setTimeout(() => {
    wasOpen = !upgraded.closed && !upgraded.readableEnded
    upgraded.destroy()
  }, 1_500)
  const took = await timed(() => app.close())
  t.strictSame(closed, ['half of a head', 'half of a body'])
  t.ok(wasOpen, 'what is no HTTP any more is not ours to end')
  t.equal((await running).status, 200)
  t.ok(took < 5_000, `${took} ms`)
})

t.test('a connection that was opened in advance, and never used, does not hold the stop', async t => {
  const { app } = await build(t, { upstreams, capabilities: [echo] })
  const socket = await connect(await listen(app), '')
  await new Promise(resolve => setTimeout(resolve, 50))
  const closed = once(socket, 'close')
  t.ok(await timed(() => app.close()) < 1_000)
  await closed
})
