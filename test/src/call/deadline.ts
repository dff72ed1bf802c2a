import t from 'tap'
import { setTimeout as wait } from 'node:timers/promises'
import { Deadline, readTimeoutMs } from '../../../src/call/deadline.js'

/** The time of a call that is watched from its beginning. */
function begin (...how: ConstructorParameters<typeof Deadline>): Deadline {
  const deadline = new Deadline(...how)
  deadline.watch()
  return deadline
}

t.test('a call that is done in time ends nothing', async t => {
  const deadline = begin(20)
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
  const deadline = begin(10)
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
  const deadline = begin(1000)
  t.ok(deadline.remainingMs() > 900)
  deadline.end('caller_gone')
  t.match(deadline.signal, { aborted: true, reason: { name: 'AbortError', message: 'The caller is gone.' } })
  t.equal(deadline.signal, deadline.signal, 'one signal for one call')
  t.equal(deadline.reason, deadline.signal.reason)
})

t.test('everybody who wants to know is told, in order, and whoever takes it back is not, first or not', async t => {
  for (const [takenBack, expected] of [[[], ['a', 'b', 'c']], [['a'], ['b', 'c']], [['b'], ['a', 'c']], [['a', 'b', 'c'], []]] as const) {
    const deadline = begin(1000)
    const told: string[] = []
    const takeBacks = new Map(['a', 'b', 'c'].map(name => [name, deadline.onEnd(() => told.push(name))]))
    for (const name of takenBack) takeBacks.get(name)!()
    deadline.end('caller_gone')
    t.strictSame(told, expected)
  }
})

t.test('whoever was taken back alone makes room for the next', async t => {
  const deadline = begin(1000)
  const told: string[] = []
  const takeBack = deadline.onEnd(() => told.push('a'))
  takeBack()
  takeBack()
  deadline.onEnd(() => told.push('b'))
  takeBack()
  deadline.end('caller_gone')
  t.strictSame(told, ['b'])
})

t.test('a call that began a while ago has that much less left', async t => {
  const deadline = begin(1000, undefined, performance.now() - 400)
  t.ok(deadline.remainingMs() <= 600)
  deadline.clear()
})

t.test('a call is ended from when it is watched on, and its time runs from its beginning', async t => {
  const unwatched = new Deadline(10)
  await wait(30)
  t.equal(unwatched.ended, undefined)
  t.equal(unwatched.remainingMs(), 0)
  unwatched.watch()
  unwatched.watch()
  await new Promise(resolve => unwatched.onEnd(resolve))
  t.equal(unwatched.ended, 'deadline')
})

t.test('no timer is set for a time that is past, of which Node would warn', async t => {
  const set = t.capture(globalThis, 'setTimeout', globalThis.setTimeout)
  const late = begin(20, { ms: 10, holds: () => true }, performance.now() - 50)
  t.strictSame(set().map(({ args: [, ms] }) => ms), [1, 1])
  await new Promise(resolve => late.onEnd(resolve))
  t.equal(late.ended, 'deadline')
})

t.test('a call that is over is not watched any more', async t => {
  for (const end of [(deadline: Deadline) => deadline.clear(), (deadline: Deadline) => deadline.end('caller_gone')]) {
    const deadline = new Deadline(10)
    end(deadline)
    deadline.onEnd(() => t.fail('was told'))
    deadline.watch()
    await wait(30)
    t.not(deadline.ended, 'deadline')
  }
})

t.test('a caller may ask for less time, and never for more', async t => {
  const short = begin(5000, { ms: 10, holds: () => true })
  t.ok(short.remainingMs() <= 10)
  await new Promise(resolve => short.onEnd(resolve))
  t.equal(short.ended, 'deadline')
  t.equal(short.timeoutMs, 10)
  const long = begin(20, { ms: 5000, holds: () => true })
  t.equal(long.timeoutMs, 20)
  long.clear()
})

t.test('the wish for less time ends with the first write: what has begun keeps the time it was given', async t => {
  let writing = false
  const deadline = begin(600, { ms: 10, holds: () => !writing })
  writing = true
  await wait(30)
  t.equal(deadline.ended, undefined)
  t.ok(deadline.remainingMs() > 10)
  await new Promise(resolve => deadline.onEnd(resolve))
  t.equal(deadline.timeoutMs, 600)
})

t.test('x-request-timeout-ms is whole milliseconds, at least 100; anything else says nothing', async t => {
  t.strictSame(['5000', '1', '0', '-1', '1e3', '1.5', '', 'soon', '99999999999', undefined, ['1']].map(readTimeoutMs), [5000, 100, 100, ...Array(8).fill(undefined)])
})
