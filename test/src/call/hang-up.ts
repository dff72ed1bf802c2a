import { once } from 'node:events'
import { Agent, createServer, request, type ServerResponse } from 'node:http'
import http2 from 'node:http2'
import net, { type AddressInfo, type Server } from 'node:net'
import t, { type Test } from 'tap'
import { onHangUp } from '../../../src/call/hang-up.js'
import { until } from '../../fixtures/until.js'

async function listen (t: Test, server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  t.teardown(() => server.close())
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

t.test('a caller who goes before the answer is told of, and one who was answered or is not listened for any more is not', async t => {
  const server = createServer()
  const port = await listen(t, server)
  const asked = async () => {
    const sent = request({ port, host: '127.0.0.1', agent: false }).on('error', () => {}).end()
    const [, response] = await once(server, 'request') as [unknown, ServerResponse]
    return { sent, response }
  }
  const told: string[] = []

  const gone = await asked()
  onHangUp(gone.response, () => told.push('gone'))
  gone.sent.destroy()
  await once(gone.response, 'close')

  const answered = await asked()
  onHangUp(answered.response, () => told.push('answered'))
  answered.sent.on('response', incoming => incoming.resume())
  answered.response.end('x')
  await once(answered.response, 'close')

  const forgotten = await asked()
  onHangUp(forgotten.response, () => told.push('forgotten'))()
  forgotten.sent.destroy()
  await once(forgotten.response, 'close')

  t.strictSame(told, ['gone'])
})

t.test('of the calls of one connection, those are told that are not answered yet: none of those before', async t => {
  const server = createServer()
  const port = await listen(t, server)
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  t.teardown(() => agent.destroy())
  const told: string[] = []
  const sockets = new Set<unknown>()
  for (const name of ['first', 'second', 'third']) {
    const sent = request({ port, host: '127.0.0.1', agent }).on('error', () => {}).end()
    const [, response] = await once(server, 'request') as [unknown, ServerResponse]
    sockets.add(response.req.socket)
    onHangUp(response, () => told.push(name))
    if (name === 'third') {
      sent.destroy()
    } else {
      response.end('x')
      const [incoming] = await once(sent, 'response')
      await once(incoming.resume(), 'end')
      await new Promise(resolve => setImmediate(resolve))
    }
  }
  await until(() => told.length > 0)
  t.equal(sockets.size, 1)
  t.strictSame(told, ['third'])
})

t.test('of calls that were sent at once, all are told, and one that takes its listener back while they are is not', async t => {
  const server = createServer()
  const port = await listen(t, server)
  const told: string[] = []
  const takeBacks = new Map<string, () => void>()
  server.on('request', ({ url }, response) => {
    takeBacks.set(url!, onHangUp(response, () => {
      told.push(url!)
      if (url === '/b') for (const other of ['/b', '/c']) takeBacks.get(other)!()
    }))
  })
  const socket = net.connect(port, '127.0.0.1')
  socket.write(['/a', '/b', '/c', '/d'].map(path => `GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`).join(''))
  await until(() => takeBacks.size === 4)
  socket.destroy()
  await until(() => told.length === 3)
  t.strictSame(told, ['/a', '/b', '/d'])
})

t.test('over HTTP/2 each call is given up by itself, and all of them with the connection', async t => {
  const server = http2.createServer()
  const port = await listen(t, server)
  const client = http2.connect(`http://127.0.0.1:${port}`).on('error', () => {})
  t.teardown(() => client.destroy())
  const told: string[] = []
  const asked = async (name: string) => {
    const sent = client.request({ ':path': `/${name}` }).on('error', () => {})
    const [, response] = await once(server, 'request') as unknown as [unknown, ServerResponse]
    const takeBack = onHangUp(response, () => told.push(name))
    return { sent, response, takeBack }
  }
  const [reset, answered, forgotten] = [await asked('reset'), await asked('answered'), await asked('forgotten')]
  await asked('left')
  reset.sent.close(http2.constants.NGHTTP2_CANCEL)
  await until(() => told.length > 0)
  t.strictSame(told, ['reset'])
  answered.response.end('x')
  await once(answered.sent.resume(), 'close')
  forgotten.takeBack()
  forgotten.sent.close(http2.constants.NGHTTP2_CANCEL)
  await once(forgotten.response, 'close')
  t.strictSame(told, ['reset'])
  client.destroy()
  await until(() => told.length > 1)
  t.strictSame(told, ['reset', 'left'])
})
