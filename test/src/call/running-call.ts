import t from 'tap'
import type { Door } from '../../../src/call/door.js'
import { RunningCall } from '../../../src/call/running-call.js'
import type { Progress } from '../../../src/capability/call.js'
import { createToolError } from '../../../src/protocol/tool-error.js'
import { echo } from '../../fixtures/capabilities.js'
import { failedExchange } from '../../fixtures/state.js'

const quiet = { debug () {}, info () {}, warn () {}, error () {} }
const begin = (door: Partial<Door> = {}) => new RunningCall(echo, { requestId: 'r-1', log: quiet, ...door }, undefined)

t.test('a call that has just begun knows who asks, has said nothing, and is not over', async t => {
  const principal = { id: 'key:a', scopes: [], claims: {} }
  const call = begin({ principal, idempotencyKey: 'k', traceparent: 't' })
  t.match(call, { capability: echo, requestId: 'r-1', log: quiet, principal, idempotencyKey: 'k', traceparent: 't', sensitive: undefined, queued: false, over: false, isSilent: true, lastMade: undefined })
  call.end()
})

t.test('what is said of it stays with it', async t => {
  const call = begin()
  t.equal(call.made, call.made)
  t.equal(call.saidSoFar.derived, undefined, 'nothing, and it can be read')
  t.equal(call.said, call.said)
  t.equal(call.saidSoFar, call.said)
  const other = begin()
  t.not(other.said, call.said)
  other.end()
  t.ok(call.isSilent)
  call.declared.cached = true
  t.strictSame(call.declared, { cached: true })
  t.notOk(call.isSilent)
  const errors = ['FIRST', 'SECOND'].map(code => createToolError({ code, message: 'No.', category: 'NOT_FOUND' }))
  for (const error of errors) call.made.add(error)
  t.equal(call.lastMade, errors[1])
  call.made.clear()
  t.equal(call.lastMade, undefined)
  call.end()
})

t.test('a call that is over tells nobody how far it has come, and records nothing', async t => {
  const told: Progress[] = []
  const call = begin({ progress: progress => { told.push(progress) } })
  call.progress.report({ done: 1 })
  call.end()
  call.progress.report({ done: 2 })
  call.ledger.record(failedExchange())
  t.strictSame(told, [{ done: 1 }])
  t.strictSame(call.ledger.exchanges, [])
  t.ok(call.over)
  const late = begin({ progress: progress => { told.push(progress) } })
  late.end()
  late.progress.report({ done: 3 })
  t.equal(told.length, 1, 'asked for after the end')
})

t.test('what is sensitive in its input is in no word of how far it has come', async t => {
  const told: Progress[] = []
  const call = new RunningCall(echo, { requestId: 'r-1', log: quiet, progress: progress => { told.push(progress) } }, { redact: text => text.replaceAll('1234', '…'), release () {} })
  call.progress.report({ done: 1, message: 'Card 1234' })
  call.end()
  t.strictSame(told, [{ done: 1, message: 'Card …' }])
})

t.test('a caller in a hurry does not cut off a write that has begun', async t => {
  const call = begin({ timeoutMs: 500 })
  t.equal(call.deadline.timeoutMs, 500)
  call.ledger.record(failedExchange({ effect: 'write' }))
  t.equal(call.deadline.timeoutMs, echo.timeoutMs)
  call.end()
})
