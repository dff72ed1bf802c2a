import t from 'tap'
import { createServer, type RequestListener } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import type { Test } from 'tap'
import { pursue } from '../../../example-tools/demo/agent.js'

/** A tool with one capability, `c`, that answers as told. */
async function tool (t: Test, effect: 'read' | 'write', answer: RequestListener): Promise<string> {
  const server = createServer((request, response) => {
    if (request.method === 'GET') response.end(JSON.stringify([{ name: 'c', effect, idempotent: false, input_summary: { required: [{ name: 'a' }], optional: [] } }]))
    else answer(request, response)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => { server.closeAllConnections(); server.close() })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function decisions (url: string, capability = 'c') {
  const told: unknown[] = []
  const exchanges = await pursue(url, capability, { a: 1 }, exchange => told.push(exchange))
  t.strictSame(told, exchanges, 'each exchange was told')
  return exchanges.map(({ attempt, decision }) => [attempt.status, decision.action])
}

t.test('no response is sent again for a read, and never for a write', async t => {
  const lost: RequestListener = request => { request.socket.destroy() }
  t.strictSame(await decisions(await tool(t, 'read', lost)), [[undefined, 'resend'], [undefined, 'resend'], [undefined, 'stop']])
  t.strictSame(await decisions(await tool(t, 'write', lost)), [[undefined, 'stop']])
})

t.test('what the tool does not list is taken for a write', async t => {
  const down: RequestListener = (_, response) => { response.writeHead(503).end('<html>') }
  t.strictSame(await decisions(await tool(t, 'read', down), 'd'), [[503, 'stop']])
})

t.test('a correction that nothing suggests ends the step', async t => {
  const vague: RequestListener = (_, response) => { response.writeHead(400).end('{"success":false,"error":{"retryable":true}}') }
  t.strictSame(await decisions(await tool(t, 'read', vague)), [[400, 'correct']])
})
