import t from 'tap'
import { readPlainRequest } from '../../../src/call/mcp-plain-request.js'
import { legacyHeaders, modernHeaders, modernRpc, rpc } from '../../fixtures/mcp.js'

// That what is read here is answered as the SDK answers it, and whatever else is left to the SDK, test/pins/mcp-direct.ts shows.

const call = { name: 'echo', arguments: { text: 'hi' } }

t.test('a call and a list of both lines are plain', async t => {
  t.strictSame(readPlainRequest(legacyHeaders('s-1'), rpc('tools/call', call, 'a')), { id: 'a', era: 'legacy', call })
  t.strictSame(readPlainRequest(legacyHeaders(), rpc('tools/list')), { id: 1, era: 'legacy' })
  t.strictSame(readPlainRequest(modernHeaders('tools/call', 'echo'), modernRpc('tools/call', call)), { id: 1, era: 'modern', call })
  t.strictSame(readPlainRequest(modernHeaders('tools/list'), modernRpc('tools/list')), { id: 1, era: 'modern' })
  t.strictSame(readPlainRequest({ ...legacyHeaders(), 'mcp-protocol-version': undefined }, rpc('tools/call', { name: 'echo' })), { id: 1, era: 'legacy', call: { name: 'echo', arguments: undefined } })
})

t.test('whatever is unusual is not', async t => {
  const wrongBodies = [null, 'x', [rpc('tools/list')], { ...rpc('tools/list'), jsonrpc: '1.0' }, { ...rpc('tools/list'), id: 1.5 }, { ...rpc('tools/list'), more: 1 }, rpc('ping'), rpc('tools/list', { cursor: 'x' }),
    rpc('tools/call', { name: 'Echo' }), rpc('tools/call', { name: 5 }), rpc('tools/call', { name: 'echo', arguments: [] }), rpc('tools/call', { name: 'echo', task: {} }), rpc('tools/call', { ...call, _meta: { progressToken: 1 } }), { ...rpc('tools/call'), params: [] }]
  for (const body of wrongBodies) t.equal(readPlainRequest(legacyHeaders(), body), undefined, JSON.stringify(body))
  for (const [name, value] of [['accept', 'application/json'], ['accept', 'text/event-stream'], ['accept', undefined], ['content-type', 'text/plain'], ['content-type', undefined], ['mcp-protocol-version', '1999-01-01']] as const) {
    t.equal(readPlainRequest({ ...legacyHeaders(), [name]: value }, rpc('tools/list')), undefined, `${name}: ${value}`)
  }
})

t.test('headers and envelope of 2026 have to say the same, in full', async t => {
  const headers = modernHeaders('tools/call', 'echo')
  const body = modernRpc('tools/call', call) as { params: { _meta: Record<string, unknown> } }
  for (const [name, value] of [['mcp-method', 'tools/list'], ['mcp-name', 'note'], ['mcp-protocol-version', '2025-11-25']] as const) t.equal(readPlainRequest({ ...headers, [name]: value }, body), undefined, name)
  const withMeta = (meta: unknown): object => ({ ...body, params: { ...body.params, _meta: meta } })
  const key = (name: string): string => `io.modelcontextprotocol/${name}`
  for (const meta of [null, {}, { ...body.params._meta, more: 1 }, { ...body.params._meta, [key('protocolVersion')]: '2025-11-25' }, { ...body.params._meta, [key('clientInfo')]: 'x' }, { ...body.params._meta, [key('clientInfo')]: { name: 'a', version: 1 } },
    { ...body.params._meta, [key('clientInfo')]: { name: 1, version: 'b' } }, { ...body.params._meta, [key('clientInfo')]: { name: 'a', version: 'b', title: 'c' } }, { ...body.params._meta, [key('clientCapabilities')]: { sampling: {} } }, { ...body.params._meta, [key('clientCapabilities')]: null }]) {
    t.equal(readPlainRequest(headers, withMeta(meta)), undefined, JSON.stringify(meta))
  }
})
