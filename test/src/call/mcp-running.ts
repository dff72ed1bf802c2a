import t from 'tap'
import { RunningCalls } from '../../../src/call/mcp-running.js'

t.test('a call is cancelled by its session and its id, and by nothing else', async t => {
  const running = new RunningCalls()
  const cancelled: string[] = []
  running.add('a', 1, () => { cancelled.push('a 1') })
  running.add('a', '1', () => { cancelled.push("a '1'") })
  running.add('b', 1, () => { cancelled.push('b 1') })
  running.cancel('a', 1)
  t.strictSame(cancelled, ['a 1'])
  running.cancel('b', 1)
  running.cancel('a', '1')
  t.strictSame(cancelled, ['a 1', 'b 1', "a '1'"])
})

t.test('an unknown call, one that is over, and one of nobody are not cancelled', async t => {
  const running = new RunningCalls()
  const cancel = (): void => { t.fail('cancelled') }
  running.add('a', 1, cancel)()
  running.add(undefined, 1, cancel)()
  running.add(undefined, 2, cancel)
  t.equal(running.size, 0)
  for (const [session, id] of [['a', 1], ['a', 7], ['a', undefined], [undefined, 2]] as const) t.doesNotThrow(() => running.cancel(session, id))
})

t.test('of two calls that run under one id, the later is cancelled, and the earlier takes nothing with it', async t => {
  const running = new RunningCalls()
  const cancelled: string[] = []
  const forget = running.add('a', 1, () => { cancelled.push('first') })
  running.add('a', 1, () => { cancelled.push('second') })
  forget()
  running.cancel('a', 1)
  t.strictSame(cancelled, ['second'])
})
