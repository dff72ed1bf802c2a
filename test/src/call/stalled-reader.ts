import { once } from 'node:events'
import http from 'node:http'
import https from 'node:https'
import net from 'node:net'
import tls from 'node:tls'
import t, { type Test } from 'tap'
import { dropStalledReaders } from '../../../src/call/stalled-reader.js'
import { certificates } from '../../../src/testing/certificates.js'

const MANY = 64 * 1024 * 1024

/** A server whose `/many` is more than any socket takes at once, and the answers that came to an end. */
async function listen (t: Test, requestTimeout: number, create: (listener: http.RequestListener) => http.Server = http.createServer): Promise<{ port: number, ended: string[] }> {
  const ended: string[] = []
  const server = create((request, response) => {
    response.on('close', () => ended.push(request.url!))
    if (request.url === '/quiet') setTimeout(() => response.end('done'), 400)
    else response.end(request.url === '/many' ? Buffer.alloc(MANY) : 'few')
  })
  server.requestTimeout = requestTimeout
  dropStalledReaders(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => { server.closeAllConnections(); server.close() })
  return { port: (server.address() as net.AddressInfo).port, ended }
}

function ask (t: Test, port: number, ...paths: string[]): net.Socket {
  const socket = net.connect(port, '127.0.0.1').on('error', () => {})
  t.teardown(() => socket.destroy())
  socket.write(paths.map(path => `GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`).join(''))
  return socket
}

async function until (holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise(resolve => setTimeout(resolve, 20))
}

t.test('a reader who takes nothing of an answer is let go, first or behind another', async t => {
  const { port, ended } = await listen(t, 200)
  ask(t, port, '/many')
  ask(t, port, '/few', '/many')
  await until(() => ended.length === 3)
  t.strictSame(ended.sort(), ['/few', '/many', '/many'])
})

t.test('a reader who takes one answer and nothing of the next is let go', async t => {
  const { port, ended } = await listen(t, 300)
  const socket = ask(t, port, '/many', '/many')
  let length = 0
  let pauses = 0
  socket.on('data', data => {
    length += data.length
    if (length > MANY + 1_000_000) socket.pause()
    else if (pauses < 8 && length > (pauses + 1) * MANY / 9) {
      // Longer in all than it is looked for: the first answer has its time, and ends in it.
      pauses++
      socket.pause()
      setTimeout(() => socket.resume(), 200)
    }
  })
  await until(() => ended.length === 1)
  t.ok(length > MANY - 10_000_000, 'all of the first')
  await until(() => ended.length === 2)
  t.ok(length < 2 * MANY, 'not all of the second')
})

t.test('over TLS too', async t => {
  const { port, ended } = await listen(t, 200, listener => https.createServer(certificates.trusted, listener))
  const socket = tls.connect({ port, host: '127.0.0.1', rejectUnauthorized: false }).on('error', () => {})
  t.teardown(() => socket.destroy())
  socket.write('GET /many HTTP/1.1\r\nhost: x\r\n\r\n')
  await until(() => ended.length === 1)
  t.strictSame(ended, ['/many'])
})

t.test('a slow reader who goes on has all of it, and the connection goes on as ever', async t => {
  const { port, ended } = await listen(t, 200)
  const socket = ask(t, port, '/many')
  let length = 0
  socket.on('data', data => {
    length += data.length
    // Some thirty pauses: in all, several times what a reader has who takes nothing.
    if (Math.floor(length / 2_000_000) !== Math.floor((length - data.length) / 2_000_000)) {
      socket.pause()
      setTimeout(() => socket.resume(), 30)
    }
  })
  await until(() => length > MANY)
  await until(() => ended.length === 1)
  t.strictSame(ended, ['/many'])
  // A call that is quiet because it works is no stalled reader, although the answer before it was one that had a time.
  socket.write('GET /quiet HTTP/1.1\r\nhost: x\r\n\r\n')
  await until(() => ended.length === 2)
  t.strictSame(ended, ['/many', '/quiet'])
})

t.test('where a request may take for ever, so may its reader', async t => {
  const { port, ended } = await listen(t, 0)
  const socket = ask(t, port, '/many')
  // Long enough to be looked for.
  await new Promise(resolve => setTimeout(resolve, 1_500))
  t.strictSame(ended, [])
  socket.resume()
  await until(() => ended.length === 1)
  t.strictSame(ended, ['/many'])
})
