import t from 'tap'
import { setTimeout as wait } from 'node:timers/promises'
import { Deadline } from '../../../src/call/deadline.js'

t.test('a call that is done in time ends nothing', async t => {
  const deadline = new Deadline(20)
  let told = false
  deadline.onEnd(() => { told = true })
  deadline.clear()
  await wait(40)
  t.equal(deadline.ended, undefined)
  t.equal(deadline.reason, undefined)
  t.equal(told, false)
  t.equal(deadline.signal.aborted, false)
})

t.test('when the time is over, the signal fires with a TimeoutError and everybody is told once', async t => {
  const deadline = new Deadline(10)
  const { signal } = deadline
  const reasons: Error[] = []
  deadline.onEnd(reason => reasons.push(reason))
  const takeBack = deadline.onEnd(() => t.fail('was taken back'))
  takeBack()
  await new Promise(resolve => signal.addEventListener('abort', resolve))
  t.equal(deadline.ended, 'deadline')
  t.equal(deadline.remainingMs(), 0)
  t.equal(signal.reason, reasons[0])
  t.match(reasons, [{ name: 'TimeoutError', message: "The call's 10 ms are over." }])
  deadline.end('caller_gone')
  t.equal(deadline.ended, 'deadline', 'the first reason counts')
  t.equal(reasons.length, 1)
})

t.test('a signal asked for after the end is already aborted, and tells a caller that is gone from the deadline', async t => {
  const deadline = new Deadline(1000)
  t.ok(deadline.remainingMs() > 900)
  deadline.end('caller_gone')
  t.match(deadline.signal, { aborted: true, reason: { name: 'AbortError', message: 'The caller is gone.' } })
  t.equal(deadline.signal, deadline.signal, 'one signal for one call')
  t.equal(deadline.reason, deadline.signal.reason)
})
