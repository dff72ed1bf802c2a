import { once } from 'node:events'
import http from 'node:http'
import https from 'node:https'
import net from 'node:net'
import tls from 'node:tls'
import t from 'tap'
import { openSockets } from '../../../src/call/open-sockets.js'
import { certificates } from '../../../src/testing/certificates.js'
import { until } from '../../fixtures/until.js'

t.test('a connection is open until it is closed, whoever closes it, and everybody sees the same ones', async t => {
  const server = http.createServer((_, response) => { response.end('x') })
  const sockets = openSockets(server)
  t.equal(openSockets(server), sockets)
  t.not(openSockets(http.createServer()), sockets, 'another server has its own')
  t.equal(server.listenerCount('connection'), http.createServer().listenerCount('connection') + 1, 'however many ask')
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => { server.closeAllConnections(); server.close() })
  const { port } = server.address() as net.AddressInfo
  const clients = [1, 2].map(() => net.connect(port, '127.0.0.1').on('error', () => {}))
  await until(() => sockets.size === 2)
  t.equal(sockets.size, 2, 'also before anything was asked')
  clients[0]!.destroy()
  await until(() => sockets.size === 1)
  t.equal(sockets.size, 1)
  clients[1]!.resume().write('GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n')
  await until(() => sockets.size === 0)
  t.equal(sockets.size, 0)
})

t.test('over TLS the one is among them at which requests and answers are', async t => {
  const server = https.createServer(certificates.trusted, (_, response) => { response.end('x') })
  const sockets = openSockets(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => { server.closeAllConnections(); server.close() })
  const client = tls.connect({ port: (server.address() as net.AddressInfo).port, host: '127.0.0.1', rejectUnauthorized: false }).on('error', () => {})
  const [socket] = await once(server, 'secureConnection')
  t.ok(sockets.has(socket))
  client.destroy()
  await until(() => sockets.size === 0)
  t.equal(sockets.size, 0)
})
