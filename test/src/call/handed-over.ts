import t from 'tap'
import { guard, handedOver, handOver, isAnswered, isFailure, takeBack } from '../../../src/call/handed-over.js'

t.test('the last answer counts, until it is taken back', async t => {
  const reply = {}
  t.equal(handedOver(reply), undefined)
  handOver(reply, { status: 202, headers: {}, body: 'a' }, 'write')
  t.strictSame(handedOver(reply), { answer: { status: 202, headers: {}, body: 'a' }, effect: 'write' })
  t.notOk(isFailure(handedOver(reply)!))
  handOver(reply, { status: 500, headers: {}, body: 'b' }, 'read')
  t.ok(isFailure(handedOver(reply)!))
  takeBack(reply)
  t.equal(handedOver(reply), undefined)
})

t.test('an answer stands for sure only where somebody guards it', async t => {
  const reply = {}
  guard(reply)
  t.notOk(isAnswered(reply))
  handOver(reply, { status: 200, headers: {}, body: 'a' }, 'read')
  t.ok(isAnswered(reply))
  const other = {}
  handOver(other, { status: 200, headers: {}, body: 'a' }, 'read')
  t.notOk(isAnswered(other))
})
