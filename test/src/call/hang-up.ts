import { once } from 'node:events'
import { createServer, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import t from 'tap'
import { onHangUp } from '../../../src/call/hang-up.js'

t.test('a caller who goes before the answer is told of, and one who was answered or is not listened for any more is not', async t => {
  const server = createServer().listen(0, '127.0.0.1')
  t.teardown(() => server.close())
  await once(server, 'listening')
  const asked = async () => {
    const sent = request({ port: (server.address() as AddressInfo).port, host: '127.0.0.1', agent: false }).on('error', () => {}).end()
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
