import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import t from 'tap'
import { createDirectMcp, type DirectMcpRequest } from '../../../src/call/mcp-direct.js'
import { RunningCalls } from '../../../src/call/mcp-running.js'
import { prepare } from '../../../src/call/prepared.js'
import type { Service } from '../../../src/call/service.js'
import type { Capability } from '../../../src/capability/define.js'
import { echo, note, reading } from '../../fixtures/capabilities.js'
import { legacyHeaders, messagesIn, modernHeaders, modernRpc, rpc } from '../../fixtures/mcp.js'
import { serviceOf } from '../../fixtures/service.js'

// That the words are those of the SDK, test/pins/mcp-direct.ts shows.

const quiet = { debug () {}, info () {}, warn () {}, error () {} }

function serve (capabilities: Capability[], keepAliveMs?: number) {
  const reported: Error[] = []
  const running = new RunningCalls()
  const service: Service = { ...serviceOf(), capabilities: new Map(capabilities.map(one => [one.name, prepare(one)])) }
  const answer = createDirectMcp({ service, name: 'test-tool', version: '1.0.0', isStopping: () => false, report: error => { reported.push(error) } }, running, keepAliveMs)
  const ask = async (body: unknown, more: Partial<DirectMcpRequest> = {}) => {
    const direct = answer({ headers: legacyHeaders(), body, requestId: 'r-1', log: quiet, caller: { principal: undefined, address: '127.0.0.1' }, onGone: () => () => {}, ...more })
    return direct && { headers: direct.headers, body: await direct.body }
  }
  return { ask, running, reported }
}

/** A capability that waits until it is told to go on. */
function waiting () {
  const signs = { goOn: () => {}, begun: Promise.resolve(), begin: () => {} }
  signs.begun = new Promise(resolve => { signs.begin = resolve })
  const capability = reading('waits', async input => await new Promise(resolve => { signs.goOn = () => resolve(input); signs.begin() }))
  return { capability, signs }
}

t.test('a call is one event of a stream for a client of 2025, and JSON for one of 2026', async t => {
  const { ask } = serve([echo])
  const legacy = await ask(rpc('tools/call', { name: 'echo', arguments: { text: 'hi' } }))
  t.match(legacy, { headers: { 'content-type': 'text/event-stream' }, body: /^event: message\ndata: \{.*\}\n\n$/ })
  t.match(messagesIn(legacy!.body as string), [{ id: 1, result: { content: [{ type: 'text' }], structuredContent: { success: true, data: { text: 'hi' } }, isError: undefined } }])
  const modern = await ask(modernRpc('tools/call', { name: 'echo', arguments: { text: 5 } }, 'c-"1"'), { headers: modernHeaders('tools/call', 'echo') })
  t.match(modern, { headers: { 'content-type': 'application/json; charset=utf-8' } })
  t.match(JSON.parse(modern!.body as string), { id: 'c-"1"', result: { isError: true, structuredContent: { success: false, error: { code: 'INVALID_INPUT' } }, resultType: 'complete' } })
})

t.test('a list shows what its caller may call', async t => {
  const { ask } = serve([echo, { ...note, scopes: ['write'] }])
  const list = async (scopes?: string[]) => messagesIn((await ask(rpc('tools/list'), { caller: { principal: scopes && { id: 'key:a', scopes, claims: {} }, address: '' } }))!.body.toString())[0]!.result.tools.map(({ name }: { name: string }) => name)
  t.strictSame(await list(['write']), ['echo', 'note'])
  t.strictSame(await list([]), ['echo'])
})

t.test('an input that cannot be shown is reported', async t => {
  const bottomless: Record<string, unknown> = { type: 'object' }
  bottomless.properties = { a: bottomless }
  const { ask, reported } = serve([{ ...echo, name: 'broken', input: bottomless as never }])
  await ask(rpc('tools/list'))
  t.match(reported, [{ message: 'The input of broken cannot be shown.' }])
})

t.test('what is not plain is left to the SDK', async t => {
  t.equal(await serve([echo]).ask(rpc('ping')), undefined)
})

t.test('a call that is taken back ends without an answer, and is known no more', async t => {
  const { capability, signs } = waiting()
  const { ask, running } = serve([capability])
  const answered = ask(rpc('tools/call', { name: 'waits' }, 'c-1'), { session: 's-1' })
  await signs.begun
  running.cancel('s-1', 'c-1')
  t.match(await answered, { headers: { 'content-type': 'text/event-stream' }, body: '' })
  t.equal(running.size, 0)
})

t.test('a call whose caller hangs up ends', async t => {
  const { capability, signs } = waiting()
  let hangUp = (): void => {}
  const { ask } = serve([capability])
  const answered = ask(modernRpc('tools/call', { name: 'waits' }), { headers: modernHeaders('tools/call', 'waits'), onGone: listener => { hangUp = listener; return () => {} } })
  await signs.begun
  hangUp()
  t.match(await answered, { body: '' })
})

t.test('a call that takes long is a stream that stays awake, and ends with the answer', async t => {
  const { capability, signs } = waiting()
  const { ask } = serve([capability], 5)
  const { headers, body } = (await ask(rpc('tools/call', { name: 'waits', arguments: { text: 'late' } })))!
  t.match(headers, { 'content-type': 'text/event-stream' })
  if (!(body instanceof Readable)) return t.fail('expected a stream')
  setTimeout(signs.goOn, 20)
  const sent = await text(body)
  t.match(sent, /^(?:: keepalive\n\n){2,}event: message\ndata: /)
  t.match(messagesIn(sent), [{ result: { structuredContent: { data: { text: 'late' } } } }])
})

t.test('an answer that cannot be given is the caller’s to tell', async t => {
  const service = { ...serviceOf(), capabilities: new Map([['echo', prepare(echo)]]), countCall: async () => { throw new Error('broken') } }
  const answer = createDirectMcp({ service, name: 'x', version: '1', isStopping: () => false, report: () => {} }, new RunningCalls())
  const { body } = answer({ headers: legacyHeaders(), body: rpc('tools/call', { name: 'echo' }), requestId: 'r-1', log: quiet, caller: { principal: undefined, address: '' }, onGone: () => () => {} })!
  await t.rejects(body as Promise<unknown>, { message: 'broken' })
})
