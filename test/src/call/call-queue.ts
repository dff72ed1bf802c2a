import { EventEmitter, once } from 'node:events'
import { mock } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { CallQueue } from '../../../src/call/call-queue.js'
import { Deadline } from '../../../src/call/deadline.js'

/** Calls that run until they are told to end. */
function calls (t: Test, queue: CallQueue) {
  const begun: string[] = []
  const enter = (name: string) => {
    const deadline = new Deadline(60_000)
    t.teardown(() => deadline.clear())
    const until = new EventEmitter()
    const result = queue.inTurn(deadline, async () => { begun.push(name); return await once(until, 'end') && name })
    return { deadline, result, end: () => until.emit('end'), fail: () => until.emit('error', new Error(name)) }
  }
  return { begun, enter }
}

t.test('so many run at once, the others in the order they came', async t => {
  const { begun, enter } = calls(t, new CallQueue(2))
  const [a, b, c, d] = ['a', 'b', 'c', 'd'].map(enter)
  await turn()
  t.strictSame(begun, ['a', 'b'])
  b!.end()
  t.equal(await b!.result, 'b')
  await turn()
  t.strictSame(begun, ['a', 'b', 'c'])
  a!.fail()
  await t.rejects(a!.result, { message: 'a' })
  await turn()
  t.strictSame(begun, ['a', 'b', 'c', 'd'], 'a place is given back however a handler ends')
  c!.end()
  d!.end()
  t.strictSame(await Promise.all([c!.result, d!.result]), ['c', 'd'])
})

t.test('as many wait as run, unless it is said', async t => {
  for (const [queue, waiting] of [[new CallQueue(2), 2], [new CallQueue(1, 3), 3], [new CallQueue(3, 0), 0]] as const) {
    const { enter } = calls(t, queue)
    const running = waiting === 2 ? 2 : waiting === 3 ? 1 : 3
    for (let call = 0; call < running + waiting; call++) {
      t.equal(queue.isFull, false)
      enter(`${call}`)
    }
    t.equal(queue.isFull, true, `${waiting}`)
  }
})

t.test('whose call ends while it waits never runs, and leaves its place in the queue', async t => {
  const queue = new CallQueue(1, 1)
  const { begun, enter } = calls(t, queue)
  const [a, b] = ['a', 'b'].map(enter)
  t.equal(queue.isFull, true)
  b!.deadline.end('caller_gone')
  t.equal(queue.isFull, false)
  t.equal(await b!.result, undefined)
  a!.end()
  await a!.result
  t.strictSame(begun, ['a'])
})

t.test('a turn that comes at the moment the call ends is passed on', async t => {
  const queue = new CallQueue(1)
  const deadline = new Deadline(60_000)
  const ended = queue.inTurn(deadline, async () => 'never')
  deadline.end('deadline')
  t.equal(await ended, undefined)
  const { enter } = calls(t, queue)
  const next = enter('next')
  await turn()
  next.end()
  t.equal(await next.result, 'next')
})

t.test('a handler that runs on after its deadline keeps its place until it ends', async t => {
  const { begun, enter } = calls(t, new CallQueue(1))
  const [a, b] = ['a', 'b'].map(enter)
  await turn()
  a!.deadline.end('deadline')
  await turn()
  t.strictSame(begun, ['a'])
  a!.end()
  await turn()
  t.strictSame(begun, ['a', 'b'])
  b!.end()
  t.equal(await b!.result, 'b')
})

t.test('a handler that does not notice that its call ended is told of once, one that ends soon never', async t => {
  const told: string[] = []
  const { enter } = calls(t, new CallQueue(3, 0, () => told.push('x')))
  const [a, b, c] = ['a', 'b', 'c'].map(enter)
  await turn()
  mock.timers.enable({ apis: ['setTimeout'] })
  t.teardown(() => mock.timers.reset())
  for (const one of [a, b]) one!.deadline.end('deadline')
  mock.timers.tick(900)
  a!.end()
  await a!.result
  c!.end()
  await c!.result
  mock.timers.tick(10_000)
  t.strictSame(told, ['x'])
  b!.end()
  await b!.result
})
