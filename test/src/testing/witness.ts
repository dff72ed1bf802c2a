import t from 'tap'
import { createWitness } from '../../../src/testing/witness.js'
import { dispatcherOf, fakeCall, upstreamOf } from '../../fixtures/upstream-call.js'

const silent = dispatcherOf(handler => { handler.onRequestStart({ abort () {} } as never, {}) })

t.test('a witness sees what is asked and what came of it, and the call sees it too', async t => {
  const up = upstreamOf(t, { baseUrl: 'http://up.invalid', dispatcher: silent })
  const witness = createWitness([up])
  const call = fakeCall()
  const asked = up.clientFor(call).post('/orders')
  call.end(new Error('enough'))
  await t.rejects(asked, { name: 'Error' }, 'the end of the call is still heard of')
  const seen = witness.look()
  t.match(seen, [{ upstream: 'bank', effect: 'write', sent: true, success: false }])
  t.strictSame(call.exchanges, seen)
  t.strictSame(witness.look(), [], 'each is seen once')
  witness.stop()
})

t.test('after it has stopped it sees nothing', async t => {
  const up = upstreamOf(t, { baseUrl: 'http://up.invalid', dispatcher: silent })
  const witness = createWitness([up])
  witness.stop()
  const call = fakeCall()
  const asked = up.clientFor(call).get('/')
  call.end(new Error('enough'))
  await t.rejects(asked)
  t.equal(call.exchanges.length, 1)
  t.strictSame(witness.look(), [])
  t.notOk(Object.hasOwn(up, 'clientFor'))
})
