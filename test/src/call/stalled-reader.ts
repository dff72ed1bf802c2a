import { once } from 'node:events'
import http from 'node:http'
import net from 'node:net'
import t, { type Test } from 'tap'
import { dropStalledReaders } from '../../../src/call/stalled-reader.js'

const MANY = 64 * 1024 * 1024

/** A server whose `/many` is more than any socket takes at once, and the answers that came to an end. */
async function listen (t: Test, requestTimeout: number): Promise<{ port: number, ended: string[] }> {
  const ended: string[] = []
  const server = http.createServer((request, response) => {
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
  await new Promise(resolve => setTimeout(resolve, 400))
  t.strictSame(ended, [])
  socket.resume()
  await until(() => ended.length === 1)
  t.strictSame(ended, ['/many'])
})
