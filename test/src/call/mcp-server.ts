import t from 'tap'
import { createMcp, type McpRequest } from '../../../src/call/mcp-server.js'
import { prepare } from '../../../src/call/prepared.js'
import type { Capability } from '../../../src/capability/define.js'
import { echo, note, reading } from '../../fixtures/capabilities.js'
import { initialize, legacyHeaders, messagesIn, modernHeaders, modernRpc, rpc, type RpcMessage } from '../../fixtures/mcp.js'
import { serviceOf } from '../../fixtures/service.js'

const caller = { principal: undefined, address: '127.0.0.1' }
const quiet = { debug () {}, info () {}, warn () {}, error () {} }

function serve (...capabilities: Capability[]) {
  const reported: Error[] = []
  const service = { ...serviceOf(), capabilities: new Map(capabilities.map(one => [one.name, prepare(one)])) }
  const mcp = createMcp({ service, name: 'test-tool', version: '1.0.0', description: 'For tests.', isStopping: () => false, report: error => { reported.push(error) } })
  const send = async (body: unknown, more: Partial<McpRequest> = {}): Promise<Response> =>
    await mcp({ headers: legacyHeaders(), body, signal: new AbortController().signal, requestId: 'r-1', log: quiet, caller, ...more })
  const ask = async (body: unknown, more?: Partial<McpRequest>): Promise<RpcMessage[]> => messagesIn(await (await send(body, more)).text())
  const askModern = async (method: string, params?: object & { name?: string }, more?: Partial<McpRequest>): Promise<RpcMessage[]> =>
    await ask(modernRpc(method, params as never), { headers: modernHeaders(method, params?.name), ...more })
  return { send, ask, askModern, reported }
}

/** A capability that runs until its call is taken back, and tells when it has begun and why it ended. */
function waiting (name = 'waits') {
  const seen: { begun: Promise<void>, reason?: unknown } = { begun: Promise.resolve() }
  let begin = (): void => {}
  seen.begun = new Promise(resolve => { begin = resolve })
  const capability = reading(name, async (_, call) => await new Promise(resolve => {
    call.signal.addEventListener('abort', () => {
      seen.reason = call.signal.reason
      call.progress({ done: 1 })
      resolve({})
    })
    begin()
  }))
  return { capability, seen }
}

t.test('a client of 2025 is told who answers, and a client of 2026 too', async t => {
  const { ask, askModern } = serve(echo)
  t.match(await ask(initialize), [{ id: 1, result: { protocolVersion: '2025-11-25', serverInfo: { name: 'test-tool', version: '1.0.0', description: 'For tests.' }, capabilities: { tools: {} } } }])
  const older = rpc('initialize', { protocolVersion: '2024-11-05', capabilities: {}, clientInfo: { name: 'old', version: '1' } })
  t.match(await ask(older), [{ result: { protocolVersion: '2024-11-05' } }])
  t.match(await askModern('server/discover'), [{ result: { supportedVersions: ['2026-07-28'], capabilities: { tools: {} } } }])
})

t.test('tools are listed by name, hidden ones left out, all on one page', async t => {
  const { ask, askModern } = serve(note, reading('hidden', async () => ({}), true), echo)
  for (const [{ result }] of [await ask(rpc('tools/list')), await askModern('tools/list')] as any) {
    t.strictSame(result.tools.map(({ name }: { name: string }) => name), ['echo', 'note'])
    t.match(result.tools[1], { inputSchema: { type: 'object' }, outputSchema: { type: 'object' }, annotations: { readOnlyHint: false }, _meta: { 'candor/errors': [] } })
    t.equal(result.nextCursor, undefined)
  }
  t.match(await ask(rpc('tools/list', { cursor: 'x' })), [{ error: { code: -32602 } }])
})

t.test('a tool is called, in both revisions', async t => {
  const { ask, askModern } = serve(echo)
  const params = { name: 'echo', arguments: { text: 'hi' } }
  for (const [{ result }] of [await ask(rpc('tools/call', params)), await askModern('tools/call', params)] as any) {
    t.match(result, { structuredContent: { success: true, data: { text: 'hi' } }, content: [{ type: 'text', text: '{"success":true,"data":{"text":"hi"}}' }] })
  }
})

t.test('a malformed request is an error of the protocol, and no result', async t => {
  const { ask } = serve(echo)
  for (const params of [undefined, {}, { name: 5 }]) {
    t.match(await ask(rpc('tools/call', params)), [{ id: 1, error: { code: -32602 }, result: undefined }], JSON.stringify(params))
  }
  t.match(await ask(rpc('prompts/list')), [{ error: { code: -32601 } }])
  for (const body of [undefined, null, 5, {}, { jsonrpc: '1.0', id: 1, method: 'ping' }, []]) t.match(await ask(body), [{ error: { code: -32600 } }], JSON.stringify(body))
})

t.test('arguments that are no object are a result that a model sees', async t => {
  const { ask, askModern } = serve(echo)
  for (const wrong of [null, [1], 'x']) {
    const params = { name: 'echo', arguments: wrong }
    for (const [{ result }] of [await ask(rpc('tools/call', params)), await askModern('tools/call', params as never)] as any) {
      t.match(result, { isError: true, structuredContent: { error: { code: 'INVALID_INPUT', category: 'INPUT_ERROR', retryable: true } } }, JSON.stringify(wrong))
    }
  }
})

t.test('a caller may have less time than the tool takes', async t => {
  const { capability } = waiting()
  const [{ result }] = await serve(capability).ask(rpc('tools/call', { name: 'waits' }), { timeoutMs: 100 }) as any
  t.match(result, { isError: true, structuredContent: { error: { code: 'REQUEST_TIMEOUT' } } })
})

t.test('an input that cannot be shown is reported, and keeps no tool from being listed', async t => {
  const bottomless: Record<string, unknown> = { type: 'object' }
  bottomless.properties = { a: bottomless }
  const broken = { ...echo, name: 'broken', input: { type: 'object', properties: { a: bottomless } } }
  const service = { ...serviceOf(), capabilities: new Map([['broken', { capability: broken }]]) as never }
  const reported: Error[] = []
  const mcp = createMcp({ service, name: 'x', version: '1', isStopping: () => false, report: error => { reported.push(error) } })
  const response = await mcp({ headers: legacyHeaders(), body: rpc('tools/list'), signal: new AbortController().signal, requestId: 'r-1', log: quiet, caller })
  t.match(messagesIn(await response.text()), [{ result: { tools: [{ name: 'broken' }] } }])
  t.match(reported, [{ message: 'The input of broken cannot be shown.' }])
})

t.test('progress goes to a client that sent a token, before the result', async t => {
  const steps = reading('steps', async (_, call) => { for (const done of [0, 1, 1, 2]) call.progress({ done, total: 2, message: `${done} of 2` }); return {} })
  const { ask, askModern } = serve(steps)
  const params = { name: 'steps', _meta: { progressToken: 'p-1' } }
  for (const messages of [await ask(rpc('tools/call', params)), await askModern('tools/call', params)]) {
    t.strictSame(messages.slice(0, -1).map(({ method, params }) => [method, params.progressToken, params.progress, params.total, params.message]), [0, 1, 2].map(done => ['notifications/progress', 'p-1', done, 2, `${done} of 2`]))
    t.match(messages.at(-1), { id: 1, result: { structuredContent: { success: true } } })
  }
  t.equal((await ask(rpc('tools/call', { name: 'steps' }))).length, 1, 'without a token there is none')
})

t.test('a client of 2025 cancels in another request; nothing more follows', async t => {
  const { capability, seen } = waiting()
  const { ask } = serve(capability)
  const answer = ask(rpc('tools/call', { name: 'waits' }, 'c-1'), { session: 's-1' })
  await seen.begun
  const cancel = (requestId: unknown) => ({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } })
  for (const [id, session] of [['c-2', 's-1'], ['c-1', 's-2'], ['c-1', undefined]] as const) t.strictSame(await ask(cancel(id), { session }), [], 'ignored')
  t.equal(seen.reason, undefined)
  t.strictSame(await ask(cancel('c-1'), { session: 's-1' }), [])
  t.strictSame(await answer, [])
  t.match(seen.reason, { name: 'AbortError' })
  t.strictSame(await ask(cancel('c-1'), { session: 's-1' }), [], 'a late one is ignored')
})

t.test('one call of a batch is cancelled; the others have their answers', async t => {
  const { capability, seen } = waiting()
  const { ask } = serve(capability, echo)
  const answer = ask([rpc('tools/call', { name: 'waits' }, 1), rpc('tools/call', { name: 'echo' }, 2)], { session: 's-1' })
  await seen.begun
  await ask({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } }, { session: 's-1' })
  const messages = await answer
  t.match(messages.find(({ id }) => id === 2), { result: { structuredContent: { success: true } } })
  t.match(messages.find(({ id }) => id === 1), { error: { message: 'The request was cancelled.' } })
})

t.test('a client that hangs up has cancelled, in both revisions; progress goes nowhere then', async t => {
  for (const modern of [false, true]) {
    const { capability, seen } = waiting()
    const { send } = serve(capability)
    const controller = new AbortController()
    const params = { name: 'waits', _meta: { progressToken: 1 } }
    const answer = modern
      ? send(modernRpc('tools/call', params), { headers: modernHeaders('tools/call', 'waits'), signal: controller.signal })
      : send(rpc('tools/call', params), { signal: controller.signal })
    const text = answer.then(async response => await response.text())
    await seen.begun
    controller.abort()
    t.strictSame(messagesIn(await text), [], modern ? '2026' : '2025')
    t.match(seen.reason, { name: 'AbortError' })
  }
})

t.test('nobody may listen for changes: there are none', async t => {
  const { send } = serve(echo)
  const response = await send(modernRpc('subscriptions/listen', { filter: {} }), { headers: modernHeaders('subscriptions/listen') })
  t.equal(response.status, 404)
  t.match(await response.json(), { id: 1, error: { code: -32601 } })
})

t.test('what the protocol refuses is reported, and no session is needed for anything', async t => {
  const { ask, reported } = serve(echo)
  await ask({})
  t.ok(reported.length > 0)
  t.match(await ask(rpc('tools/call', { name: 'echo' }), { session: 'of another instance' }), [{ result: {} }])
})

t.test('an answer to nothing that was asked is reported, to the log of its own request', async t => {
  const lines: unknown[] = []
  const service = { ...serviceOf(), capabilities: new Map([['echo', prepare(echo)]]) }
  const mcp = createMcp({ service, name: 'x', version: '1', isStopping: () => false, report: (error, log) => { lines.push([error.message, log]) } })
  await mcp({ headers: legacyHeaders(), body: { jsonrpc: '2.0', id: 99, result: {} }, signal: new AbortController().signal, requestId: 'r-1', log: quiet, caller })
  t.match(lines, [[/unknown message/i, quiet]])
})

t.test('a caller is listed the tools that it may call, and told of no others', async t => {
  const { ask } = serve(echo, { ...note, scopes: ['write'] })
  const by = (...scopes: string[]) => ({ caller: { ...caller, principal: { id: 'key:a', scopes, claims: {} } } })
  const listed = async (more?: Partial<McpRequest>) => (await ask(rpc('tools/list'), more))[0]!.result.tools.map(({ name }: { name: string }) => name)
  t.strictSame(await listed(by()), ['echo'])
  t.strictSame(await listed(by('write')), ['echo', 'note'])
  t.strictSame(await listed(), ['echo'], 'whoever is not known those that ask for nothing')
  t.match(await ask(rpc('tools/call', { name: 'note' }), by()), [{ result: { isError: true, structuredContent: { error: { code: 'FORBIDDEN' } } } }])
})
