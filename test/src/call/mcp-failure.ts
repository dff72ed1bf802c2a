import t from 'tap'
import { rpcError, rpcFailure } from '../../../src/call/mcp-failure.js'

const envelope = (code: string): string => JSON.stringify({ success: false, error: { code, message: 'Something is wrong.', category: 'INPUT_ERROR', retryable: false, details: { hint: 'x' } } })
const failure = (text: unknown, request?: unknown): object => JSON.parse(rpcFailure(text, request))

t.test('an envelope becomes an error of JSON-RPC, with the number that its readers know', async t => {
  t.strictSame(failure(envelope('INVALID_JSON')), { jsonrpc: '2.0', error: { code: -32700, message: 'Something is wrong.' }, id: null })
  for (const [code, number] of [['POISONED_KEY', -32600], ['INTERNAL_ERROR', -32603], ['INPUT_TOO_LARGE', -32000], ['METHOD_NOT_ALLOWED', -32000]] as const) {
    t.match(failure(envelope(code)), { error: { code: number } }, code)
  }
})

t.test('it names the request, where that could be read', async t => {
  const idOf = (request: unknown): unknown => (failure(envelope('A1'), request) as { id: unknown }).id
  t.equal(idOf({ method: 'ping', id: 7 }), 7)
  t.equal(idOf({ method: 'ping', id: 'a' }), 'a')
  for (const request of [undefined, null, 'text', [{ method: 'ping', id: 7 }], { id: 7 }, { method: 'ping' }, { method: 'ping', id: {} }]) t.equal(idOf(request), null)
})

t.test('what is no envelope says nothing of itself', async t => {
  for (const text of ['<h1>secret</h1>', '{"secret":1}', '{"error":"secret"}', '{"error":{"message":5}}', 'null', undefined, Buffer.from([255])]) {
    t.strictSame(failure(text), { jsonrpc: '2.0', error: { code: -32000, message: 'The request was refused.' }, id: null })
  }
})

t.test('an error of our own is written in the same way', async t => {
  t.equal(rpcError(-32601, 'Method not found', { method: 'x', id: 1 }), '{"jsonrpc":"2.0","error":{"code":-32601,"message":"Method not found"},"id":1}')
})
