// Callers who hold a socket by being slow, many at a time: the others are served, and the process stays small.
import { once } from 'node:events'
import net from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { Type } from '@sinclair/typebox'
import t, { type Test } from 'tap'
import { createToolService, defineCapability } from 'candor'
import { listen, parseRaw, request, sendRaw, type RawAnswer } from '../fixtures/raw.js'

const MANY = 2_000
const MEGABYTES = 1024 * 1024

const echo = defineCapability({ name: 'echo', description: 'Echoes.', effect: 'read', evidence: 'none', input: Type.Object({ text: Type.String() }), output: Type.Object({ text: Type.String() }), examples: [{ input: { text: 'a' } }], handler: async input => input })

/** A service whose times are a tenth of the usual ones, or less. */
async function service (t: Test, server: object = {}) {
  const http = { headersTimeout: 1_000, connectionsCheckingInterval: 100 }
  const app = await createToolService({ name: 'patient-tool', version: '1.0.0', logger: false, capabilities: [echo], server: { requestTimeout: 2_000, http, ...server } })
  t.teardown(() => app.close())
  app.get('/large', async () => ({ text: 'x'.repeat(8 * MEGABYTES) }))
  const port = await listen(app)
  const connections = async (): Promise<number> => await new Promise((resolve, reject) => app.server.getConnections((error, count) => error === null ? resolve(count) : reject(error)))
  return { port, connections }
}

/** Sends what has to be there at once, then the rest a byte at a time; what came until the server closed. */
async function drip (port: number, atOnce: string, rest: string, everyMs: number): Promise<RawAnswer> {
  const socket = net.connect(port, '127.0.0.1').on('error', () => {})
  let text = ''
  let sent = 0
  socket.on('data', data => { text += String(data) })
  socket.write(atOnce)
  const timer = setInterval(() => { if (sent < rest.length && socket.writable) socket.write(rest[sent++]!) }, everyMs)
  await once(socket, 'close')
  clearInterval(timer)
  return parseRaw(text)
}

async function open (port: number, count: number): Promise<net.Socket[]> {
  const sockets: net.Socket[] = []
  // Not all at once: what is tested is a service, not the queue that the system has in front of it.
  for (let index = 0; index < count; index++) {
    sockets.push(net.connect(port, '127.0.0.1').on('error', () => {}))
    if (index % 100 === 99) await once(sockets.at(-1)!, 'connect')
  }
  return sockets
}

async function isServed (t: Test, port: number, calls: number): Promise<void> {
  for (let index = 0; index < calls; index++) {
    const answer = await sendRaw(port, request('POST', '/api/capabilities/echo', {}, `{"text":"${index}"}`))
    if (answer.status !== 200 || JSON.parse(answer.body).data.text !== String(index)) throw new Error(`Call ${index} was answered ${answer.text}`)
  }
  t.pass(`${calls} calls were answered`)
}

function isTooSlow (t: Test, { status, headers, body }: RawAnswer, label: string): void {
  t.match([status, JSON.parse(body || '{}')], [408, { success: false, error: { code: 'REQUEST_INCOMPLETE', category: 'INPUT_ERROR', retryable: true, details: { next_action: 'retry', request_id: headers['x-request-id'] } } }], label)
  t.match(headers, { connection: 'close', 'x-should-retry': 'true' }, label)
}

t.test('a sender of one byte at a time is told that it is too slow, wherever it is slow, and others are served', async t => {
  const { port } = await service(t)
  const whole = request('POST', '/api/capabilities/echo', {}, JSON.stringify({ text: 'x'.repeat(1_000) }))
  const bodyAt = whole.indexOf('\r\n\r\n') + 4
  const chunked = 'POST /api/capabilities/echo HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n'
  const slow = Object.entries({
    'in the first line': drip(port, '', whole, 200),
    'in the headers': drip(port, whole.slice(0, 60), whole.slice(60), 200),
    'in the body': drip(port, whole.slice(0, bodyAt), whole.slice(bodyAt), 200),
    'in a body of chunks': drip(port, chunked, '1\r\n{\r\n'.repeat(100), 200),
    'in a body for /mcp': drip(port, `${whole.slice(0, bodyAt).replace('/api/capabilities/echo', '/mcp')}{`, ' '.repeat(1_000), 200),
    'in a body for nobody': drip(port, whole.slice(0, bodyAt).replace('/api/capabilities/echo', '/nowhere'), whole.slice(bodyAt), 200),
    'in the second request of a connection': drip(port, `${request('GET', '/health', { connection: 'keep-alive' })}`, whole, 200).then(({ text }) => parseRaw(text.slice(text.lastIndexOf('HTTP/1.1 ')))),
    'without a byte': drip(port, '', '', 1_000)
  })
  await isServed(t, port, 50)
  for (const [label, answer] of slow) isTooSlow(t, await answer, label)
})

t.test('two thousand sockets that say nothing, or a little, hold nobody up, and are closed', async t => {
  const { port, connections } = await service(t, { http: { headersTimeout: 4_000, connectionsCheckingInterval: 100 }, requestTimeout: 5_000 })
  await isServed(t, port, 20)
  const before = process.memoryUsage()
  const silent = await open(port, MANY)
  for (const socket of silent.slice(MANY / 2)) socket.write('POST /api/capabilities/echo HTTP/1.1\r\nhost: localhost\r\n')
  let told = 0
  for (const socket of silent) socket.on('data', data => { if (String(data).includes('REQUEST_INCOMPLETE')) told++ })
  await isServed(t, port, 200)
  t.ok(await connections() > MANY / 2, 'they were there all the while')
  const during = process.memoryUsage()
  // Both ends of every socket are in this process.
  t.ok(during.rss - before.rss < 200 * MEGABYTES, `memory grew by ${Math.round((during.rss - before.rss) / MEGABYTES)} MB`)
  t.ok(during.heapUsed - before.heapUsed < 100 * MEGABYTES, `the heap grew by ${Math.round((during.heapUsed - before.heapUsed) / MEGABYTES)} MB`)
  await Promise.all(silent.map(async socket => { if (!socket.closed) await once(socket, 'close') }))
  t.equal(told, MANY, 'each was told why')
  while (await connections() > 0) await pause(50)
  await isServed(t, port, 20)
})

t.test('a connection that is kept alive and idle is closed, in silence', async t => {
  const { port } = await service(t, { keepAliveTimeout: 500 })
  const answer = await drip(port, request('GET', '/health', { connection: 'keep-alive' }), '', 1_000)
  t.equal(answer.status, 200)
  t.equal(answer.text.match(/HTTP\/1\.1/g)!.length, 1)
})

t.test('readers who do not take their answers are let go, and the answers with them', async t => {
  const { port, connections } = await service(t, { requestTimeout: 1_000 })
  const readers = await open(port, 20)
  for (const socket of readers) {
    socket.pause()
    socket.write(request('GET', '/large'))
  }
  await isServed(t, port, 50)
  while (await connections() > 0) await pause(50)
  t.pass('none is left')
  for (const socket of readers) socket.destroy()
})
