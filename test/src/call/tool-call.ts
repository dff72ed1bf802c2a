import t from 'tap'
import { prepare } from '../../../src/call/prepared.js'
import type { Service } from '../../../src/call/service.js'
import { answerTool, type ToolDoor } from '../../../src/call/tool-call.js'
import { echo, note, reading } from '../../fixtures/capabilities.js'
import { serviceOf } from '../../fixtures/service.js'

const never = reading('never', async () => await new Promise(() => {}))
const service: Service = { ...serviceOf(), capabilities: new Map([echo, note, never].map(one => [one.name, prepare(one)])) }

function doorOf (more: Partial<ToolDoor> = {}) {
  const lines: object[] = []
  const line = (fields: unknown): void => { lines.push(fields as object) }
  const door: ToolDoor = { requestId: 'r-1', log: { debug: line, info: line, warn: line, error: line }, caller: { principal: undefined, address: '127.0.0.1' }, onGone: () => () => {}, ...more }
  return { door, lines }
}

t.test('a call is answered with the envelope, and no arguments are {}', async t => {
  t.match(await answerTool({ name: 'echo', arguments: { text: 'hi' } }, service, false, doorOf().door), { status: 200, body: '{"success":true,"data":{"text":"hi"}}' })
  t.match(await answerTool({ name: 'echo' }, service, false, doorOf().door), { status: 200, body: '{"success":true,"data":{}}' })
  t.match(await answerTool({ name: 'echo', arguments: null }, service, false, doorOf().door), { status: 400, body: /INVALID_INPUT/ })
})

t.test('what is not taken is an answer too, and stands in the log with the tool where there is one', async t => {
  const unknown = doorOf()
  t.match(await answerTool({ name: 'ecko' }, service, false, unknown.door), { status: 404, body: /"did_you_mean":"echo"/ })
  t.match(unknown.lines, [{ code: 'CAPABILITY_NOT_FOUND', capability: undefined }])
  const stopping = doorOf()
  t.match(await answerTool({ name: 'note' }, service, true, stopping.door), { status: 503, body: /"outcome":"not_applied"/ })
  t.match(stopping.lines, [{ code: 'SERVICE_STOPPING', capability: 'note' }])
})

t.test('calls that are counted are answered too', async t => {
  t.match(await answerTool({ name: 'echo' }, { ...service, countCall: async () => undefined }, false, doorOf().door), { status: 200 })
  const { door, lines } = doorOf()
  t.match(await answerTool({ name: 'echo' }, { ...service, countCall: async () => 'unknown' as const }, false, door), { status: 503, body: /SERVICE_UNAVAILABLE/ })
  t.match(lines, [{ code: 'SERVICE_UNAVAILABLE', capability: 'echo' }])
})

t.test('nobody is answered who has gone', async t => {
  const { door } = doorOf({ onGone: listener => { setImmediate(listener); return () => {} } })
  t.equal(await answerTool({ name: 'never' }, service, false, door), undefined)
})
