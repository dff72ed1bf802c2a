import t from 'tap'
import { callTool, type McpDoor } from '../../../src/call/mcp-call.js'
import { prepare } from '../../../src/call/prepared.js'
import type { Service } from '../../../src/call/service.js'
import type { Capability } from '../../../src/capability/define.js'
import { echo, note, reading } from '../../fixtures/capabilities.js'
import { serviceOf } from '../../fixtures/service.js'

const serviceWith = (...capabilities: Capability[]): Service => ({ ...serviceOf(), capabilities: new Map(capabilities.map(one => [one.name, prepare(one)])) })

function doorOf (more: Partial<McpDoor> = {}) {
  const logged: any[] = []
  const line = (fields: unknown): void => { logged.push(fields) }
  const state = { forgotten: 0, cancel: () => {} }
  const door: McpDoor = {
    requestId: 'r-1',
    log: { debug: line, info: line, warn: line, error: line },
    caller: { principal: undefined, address: '127.0.0.1' },
    signal: new AbortController().signal,
    onCancel (listener) { state.cancel = listener; return () => { state.forgotten++ } },
    ...more
  }
  return { door, logged, state }
}

t.test('a success is the envelope, as an object and word for word as HTTP sends it', async t => {
  const { door, state } = doorOf()
  t.strictSame(await callTool({ name: 'echo', arguments: { text: 'hi' } }, serviceWith(echo), false, door), {
    content: [{ type: 'text', text: '{"success":true,"data":{"text":"hi"}}' }],
    structuredContent: { success: true, data: { text: 'hi' } }
  })
  t.equal(state.forgotten, 1, 'it can be cancelled no more')
})

t.test('no arguments are {}', async t => {
  t.match(await callTool({ name: 'echo' }, serviceWith(echo), false, doorOf().door), { structuredContent: { success: true, data: {} } })
})

t.test('a wrong argument is a result that a model sees, with the request id', async t => {
  const { door } = doorOf()
  const result = await callTool({ name: 'echo', arguments: { txt: 'hi' } }, serviceWith(echo), false, door)
  t.match(result, { isError: true, structuredContent: { success: false, error: { code: 'INVALID_INPUT', retryable: true, details: { did_you_mean: 'text', request_id: 'r-1' } } } })
  t.strictSame(JSON.parse((result.content[0] as { text: string }).text), result.structuredContent)
})

t.test('a tool that does not exist is one too, and names those that may be meant, none of them hidden', async t => {
  const hidden = reading('ekko', async () => ({}), true)
  const { door, logged } = doorOf()
  t.match(await callTool({ name: 'ecko' }, serviceWith(note, echo, hidden), false, door), {
    isError: true,
    structuredContent: { error: { code: 'CAPABILITY_NOT_FOUND', category: 'NOT_FOUND', details: { did_you_mean: 'echo', candidates: 'echo', hint: 'tools/list names what can be called.', request_id: 'r-1' } } }
  })
  t.match(logged, [{ code: 'CAPABILITY_NOT_FOUND' }])
  for (const name of ['constructor', 'toString', '__proto__', '']) t.match(await callTool({ name }, serviceWith(echo), false, doorOf().door), { isError: true, structuredContent: { error: { code: 'CAPABILITY_NOT_FOUND' } } }, name)
  t.match(await callTool({ name: 'ekko' }, serviceWith(hidden), false, doorOf().door), { structuredContent: { success: true } }, 'hidden ones are called all the same')
})

t.test('a service that is stopping says so, and that it has written nothing', async t => {
  const { door, logged } = doorOf()
  t.match(await callTool({ name: 'note' }, serviceWith(note), true, door), { isError: true, structuredContent: { error: { code: 'SERVICE_STOPPING', retryable: true, details: { outcome: 'not_applied' } } } })
  t.match(logged, [{ capability: 'note', code: 'SERVICE_STOPPING' }])
})

t.test('what a handler throws is not passed on', async t => {
  const broken = reading('broken', async () => { throw new Error('SELECT * FROM secrets') })
  const result = await callTool({ name: 'broken' }, serviceWith(broken), false, doorOf().door)
  t.match(result, { isError: true, structuredContent: { error: { code: 'INTERNAL_ERROR' } } })
  t.notMatch(JSON.stringify(result), /SELECT/)
})

t.test('progress is passed on', async t => {
  const told: unknown[] = []
  const steps = reading('steps', async (_, call) => { call.progress({ done: 1, total: 2 }); return {} })
  await callTool({ name: 'steps' }, serviceWith(steps), false, doorOf({ progress: one => { told.push(one) } }).door)
  t.strictSame(told, [{ done: 1, total: 2 }])
})

t.test('a call that is taken back ends, whichever way, and has no answer', async t => {
  const controller = new AbortController()
  for (const [label, end] of [['by its id', (cancel: () => void) => cancel()], ['by its signal', () => controller.abort()]] as const) {
    const { door, state } = doorOf({ signal: controller.signal })
    let reason: unknown
    const waits = reading('waits', async (_, call) => await new Promise(resolve => {
      call.signal.addEventListener('abort', () => { reason = call.signal.reason; resolve({}) })
      setImmediate(() => end(state.cancel))
    }))
    await t.rejects(callTool({ name: 'waits' }, serviceWith(waits), false, door), { code: -32600, message: 'The request was cancelled.' }, label)
    t.match(reason, { name: 'AbortError' }, label)
    t.equal(state.forgotten, 1, label)
  }
  const never = reading('never', async () => { t.fail('called'); return {} })
  await t.rejects(callTool({ name: 'never' }, serviceWith(never), false, doorOf({ signal: AbortSignal.abort() }).door), { message: 'The request was cancelled.' }, 'before it began')
})
