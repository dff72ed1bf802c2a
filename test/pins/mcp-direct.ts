// Plain requests of MCP are answered without a server of the SDK: what a client is given must be the same, word for word.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
// eslint-disable-next-line import-x/no-unresolved
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js'
// eslint-disable-next-line import-x/no-unresolved
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { Type } from '@sinclair/typebox'
import t from 'tap'
import { defineCapability, type Capability } from 'candor'
import { servicesAt } from '../../src/call/service.js'
import { build } from '../fixtures/build.js'
import { echo, note, reading } from '../fixtures/capabilities.js'
import { legacyHeaders, modernHeaders, modernRpc, rpc } from '../fixtures/mcp.js'
import { bothWays, recordMcp, throughBothDoors, type RecordedRequest } from '../fixtures/mcp-both-ways.js'
import { listen } from '../fixtures/raw.js'

process.on('warning', warning => t.fail(warning.message))

const odd = defineCapability({
  name: 'odd_data',
  description: 'Data that JSON writes in more than one way.',
  effect: 'read',
  evidence: 'none',
  input: Type.Object({}),
  output: Type.Record(Type.String(), Type.Any()),
  handler: async () => ({ 10: 1e21, 2: -0, b: 1e-7, a: '\u2028 "ü" \ud83d\ude00 \\', nested: [[], {}, null, 0.1] })
})
const failing = reading('failing', async () => { throw new Error('boom') })
const secret = reading('secret', async input => input, true)
const capabilities: Capability[] = [echo, note, failing, secret, odd]

const names = (): string[] => capabilities.map(({ name }) => name)

async function served (t: Parameters<typeof build>[0]) {
  const { app } = await build(t, { capabilities, upstreams: { up: { baseUrl: 'http://127.0.0.1:1' } } })
  return { app, ways: bothWays(servicesAt(app.server)[0]!) }
}

t.test('what the clients of both lines send is answered directly, and as the SDK answers it', async t => {
  const { app, ways } = await served(t)
  const seen = recordMcp(app)
  const url = new URL(`http://127.0.0.1:${await listen(app)}/mcp`)
  const calls = [...names(), 'unknown_tool'].flatMap(name => [{ name }, { name, arguments: { text: 'hi' } }, { name, arguments: { txt: 1 } }])

  const old = new OldClient({ name: 'test', version: '1' })
  await old.connect(new OldTransport(url))
  t.teardown(() => old.close())
  await old.listTools()
  for (const call of calls) await old.callTool(call)
  for (const options of [{}, { versionNegotiation: { mode: 'auto' as const } }]) {
    const client = new Client({ name: 'test', version: '1' }, options)
    await client.connect(new StreamableHTTPClientTransport(url))
    t.teardown(() => client.close())
    await client.listTools()
    for (const call of calls) await client.callTool(call)
  }

  let direct = 0
  const recorded = [...seen]
  for (const request of recorded) {
    const answer = await ways.direct(request)
    if (answer === undefined) continue
    direct++
    t.strictSame(answer, await ways.bySdk(request), JSON.stringify(request.body).slice(0, 120))
    const answers = (await throughBothDoors(app, request))!
    t.strictSame(answers.direct, answers.bySdk, 'with all its headers')
  }
  // All but the handshakes: initialize, its notification, discovery.
  t.ok(direct >= 3 * (calls.length + 1), `${direct} of ${recorded.length} requests were answered directly`)
})

t.test('whatever is unusual about a request, it is answered as the SDK answers it, or by the SDK', async t => {
  const { ways } = await served(t)
  const call = { name: 'echo', arguments: { text: 'hi' } }
  const legacy: RecordedRequest = { headers: legacyHeaders(), body: rpc('tools/call', call) }
  const modern: RecordedRequest = { headers: modernHeaders('tools/call', 'echo'), body: modernRpc('tools/call', call) }
  const list: RecordedRequest = { headers: legacyHeaders(), body: rpc('tools/list') }
  const modernList: RecordedRequest = { headers: modernHeaders('tools/list'), body: modernRpc('tools/list') }

  const ids = ['a', '', 0, -1, 1.5, 2 ** 53, null, true, {}, undefined]
  const versions = ['2024-11-05', '2025-03-26', '2025-06-18', '2026-07-28', '1999-01-01', '']
  const changed: RecordedRequest[] = [legacy, modern, list, modernList].flatMap(({ headers, body }) => {
    const given = body as { params?: Record<string, unknown> }
    const withParams = (params: unknown): object => ({ ...given, params })
    const without = (name: string): Record<string, string> => Object.fromEntries(Object.entries(headers).filter(([key]) => key !== name))
    return [
      ...ids.map(id => ({ headers, body: { ...given, id } })),
      ...versions.map(version => ({ headers: { ...headers, 'mcp-protocol-version': version }, body })),
      ...['mcp-protocol-version', 'mcp-method', 'mcp-name', 'accept', 'content-type'].map(name => ({ headers: without(name), body })),
      ...['application/json', 'text/event-stream', '*/*', 'text/event-stream, application/json;q=0.1'].map(accept => ({ headers: { ...headers, accept }, body })),
      ...['application/json; charset=utf-8', 'application/json;charset=UTF-8', 'text/plain', 'application/vnd.api+json', 'application/json; charset=latin1'].map(type => ({ headers: { ...headers, 'content-type': type }, body })),
      ...['echo', 'note', 'Echo', ''].map(name => ({ headers: { ...headers, 'mcp-name': name }, body })),
      ...['tools/call', 'tools/list', 'ping'].map(method => ({ headers: { ...headers, 'mcp-method': method }, body })),
      ...['tools/call', 'tools/list', 'tools', 'ping', 'resources/list', 5].map(method => ({ headers, body: { ...given, method } })),
      ...[undefined, null, [], 'x', {}].map(params => ({ headers, body: withParams(params) })),
      ...['echo', 'nowhere', 'get weather', '', 5, null, 'x'.repeat(60), 'ëcho'].map(name => ({ headers, body: withParams({ ...given.params, name }) })),
      ...[undefined, null, [], 'x', {}, { text: 5 }, { text: 'a', more: 1 }].map(input => ({ headers, body: withParams({ ...given.params, arguments: input }) })),
      ...[null, {}, { progressToken: 1 }, { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' }, { own: 1 }].map(meta => ({ headers, body: withParams({ ...given.params, _meta: meta }) })),
      ...['protocolVersion', 'clientInfo', 'clientCapabilities'].flatMap(key => [undefined, null, 'x', {}, { name: 'a', version: 'b', title: 'c' }, { sampling: {} }].map(value =>
        ({ headers, body: withParams({ ...given.params, _meta: { ...given.params?._meta as object, [`io.modelcontextprotocol/${key}`]: value } }) }))),
      { headers, body: withParams({ ...given.params, cursor: 'x' }) },
      { headers, body: withParams({ ...given.params, task: {} }) },
      { headers, body: { ...given, jsonrpc: '1.0' } },
      { headers, body: { ...given, more: 1 } },
      { headers, body: [given] },
      { headers, body: [given, given] }
    ]
  }).concat([undefined, null, 5, 'x', [], {}].map(body => ({ headers: legacyHeaders(), body })))

  let direct = 0
  const differing: unknown[] = []
  for (const request of changed) {
    const sent = JSON.parse(JSON.stringify(request)) as RecordedRequest
    const answer = await ways.direct(sent)
    if (answer === undefined) continue
    direct++
    const expected = await ways.bySdk(sent)
    if (JSON.stringify(answer) !== JSON.stringify(expected)) differing.push({ sent, answer, expected })
  }
  t.strictSame(differing, [])
  t.ok(direct > 50 && direct < changed.length * 0.8, `${direct} of ${changed.length} were answered directly`)
})
