import t from 'tap'
import { handedOverFailure, handedOverSuccess, handOver } from '../../../src/call/handed-over.js'

t.test('the last answer counts, and is a success or a failure', async t => {
  const reply = {}
  t.equal(handedOverSuccess(reply), undefined)
  t.equal(handedOverFailure(reply), undefined)
  const success = { status: 202, headers: {}, body: 'a' }
  handOver(reply, success, 'write')
  t.strictSame(handedOverSuccess(reply), { answer: success, effect: 'write' })
  t.equal(handedOverFailure(reply), undefined)
  const failure = { status: 500, headers: {}, body: 'b' }
  handOver(reply, failure, 'read')
  t.equal(handedOverSuccess(reply), undefined)
  t.equal(handedOverFailure(reply), failure)
})
