import t from 'tap'
import { Type } from '@sinclair/typebox'
import { CallOfUpstream } from '../../../src/call/upstream-call.js'
import { defineCapability } from '../../../src/capability/define.js'
import { failedExchange, stateOf } from '../../fixtures/state.js'

const declaring = defineCapability({
  name: 'balance',
  description: 'The balance of an account.',
  effect: 'read',
  input: Type.Object({}),
  output: Type.Object({}),
  errors: { ACCOUNT_LOCKED: { category: 'AUTH_ERROR', status: 403, description: 'The account is locked.' } },
  handler: () => ({})
})

t.test('an upstream knows of its call the trace, the ledger, the errors that it declares, and when it is over', async t => {
  const state = stateOf(declaring, { traceparent: '00-1' })
  const call = new CallOfUpstream(state)
  t.equal(call.traceparent, '00-1')
  call.ledger.record(failedExchange())
  t.equal(state.ledger.exchanges.length, 1)
  t.equal(call.endReason, undefined)
  t.match(call.declaredError('ACCOUNT_LOCKED', { upstream: 'bank' }), { code: 'ACCOUNT_LOCKED', details: { upstream: 'bank' } })
  t.throws(() => call.declaredError('NOT_DECLARED', {}), { name: 'TypeError' })
})

t.test('a call that ends early tells why, and to whom it matters', async t => {
  const state = stateOf(declaring)
  const call = new CallOfUpstream(state)
  const told: unknown[] = []
  call.onEnd(reason => told.push(reason.name))
  call.onEnd(() => told.push('taken back'))()
  state.deadline.end('caller_gone')
  t.strictSame(told, ['AbortError'])
  t.match(call.endReason, { name: 'AbortError', message: 'The caller is gone.' })
})

t.test('what was answered sends nothing more', async t => {
  const call = new CallOfUpstream(stateOf(declaring, { over: true }))
  t.match(call.endReason, { name: 'AbortError', message: 'The call was answered; nothing is sent for it any more.' })
})
