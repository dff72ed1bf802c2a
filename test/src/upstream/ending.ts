import t from 'tap'
import { Ending, type Task } from '../../../src/upstream/ending.js'
import { callerGone, fakeCall } from '../../fixtures/upstream-call.js'

function open (): Task<string> & { resolve: (value: string) => void } {
  let resolve!: (value: string) => void
  let cancel!: (reason: Error) => void
  const result = new Promise<string>((...settle) => { [resolve, cancel] = settle })
  return { result, cancel, resolve }
}

t.test('a step that is done in time gives its result', async t => {
  const call = fakeCall()
  const ending = new Ending(1_000, call)
  const step = open()
  const result = ending.during(() => step)
  step.resolve('done')
  t.equal(await result, 'done')
  t.equal(call.listening(), 1)
  ending.clear()
  t.equal(call.listening(), 0)
})

t.test('a step that takes too long is cancelled, and the next is not begun', async t => {
  const ending = new Ending(20, fakeCall())
  t.teardown(() => ending.clear())
  await t.rejects(ending.during(open), { name: 'TimeoutError', message: 'No answer within 20 ms.', ms: 20 })
  await t.rejects(ending.during(() => { throw new Error('Begun.') }), { name: 'TimeoutError' })
})

t.test('the end of the call ends the exchange, and the first reason counts', async t => {
  const call = fakeCall()
  const ending = new Ending(20, call)
  t.teardown(() => ending.clear())
  const result = ending.during(open)
  call.end(callerGone)
  await t.rejects(result, callerGone)
  await new Promise(resolve => setTimeout(resolve, 40))
  await t.rejects(ending.during(open), callerGone)
})

t.test('a call that has ended begins nothing', async t => {
  const call = fakeCall()
  call.end(callerGone)
  const ending = new Ending(1_000, call)
  t.teardown(() => ending.clear())
  await t.rejects(ending.during(() => { throw new Error('Begun.') }), callerGone)
})

t.test('an end between two steps stops the second', async t => {
  const call = fakeCall()
  const ending = new Ending(1_000, call)
  t.teardown(() => ending.clear())
  const step = open()
  step.resolve('done')
  await ending.during(() => step)
  call.end(callerGone)
  await t.rejects(ending.during(open), callerGone)
})
