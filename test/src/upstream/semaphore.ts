import t from 'tap'
import { Semaphore } from '../../../src/upstream/semaphore.js'

t.test('so many are let in at once, the others in the order they came', async t => {
  const semaphore = new Semaphore(2)
  const order: string[] = []
  const enter = async (name: string): Promise<() => void> => {
    const leave = await semaphore.acquire().result
    order.push(name)
    return leave
  }
  const first = await enter('first')
  await enter('second')
  const [third, fourth] = [enter('third'), enter('fourth')]
  await new Promise(resolve => setImmediate(resolve))
  t.same(order, ['first', 'second'])
  first()
  const leave = await third
  t.same(order, ['first', 'second', 'third'])
  leave()
  await fourth
  t.same(order, ['first', 'second', 'third', 'fourth'])
})

t.test('a place nobody waits for is free for the next', async t => {
  const semaphore = new Semaphore(1)
  const leave = await semaphore.acquire().result
  leave()
  t.type(await semaphore.acquire().result, 'function')
})

t.test('it says whether there is room, and how many wait', async t => {
  const semaphore = new Semaphore(1)
  t.match(semaphore, { hasFree: true, waiting: 0 })
  const leave = await semaphore.acquire().result
  const impatient = semaphore.acquire()
  impatient.result.catch(() => {})
  t.match(semaphore, { hasFree: false, waiting: 1 })
  impatient.cancel(new Error('Over.'))
  t.match(semaphore, { hasFree: false, waiting: 0 })
  leave()
  t.match(semaphore, { hasFree: true, waiting: 0 })
})

t.test('whoever gives up waiting is passed over', async t => {
  const semaphore = new Semaphore(1)
  const leave = await semaphore.acquire().result
  const impatient = semaphore.acquire()
  const patient = semaphore.acquire()
  impatient.cancel(new Error('Over.'))
  await t.rejects(impatient.result, { message: 'Over.' })
  leave()
  t.type(await patient.result, 'function')
})

t.test('giving up a place one has already been given changes nothing', async t => {
  const semaphore = new Semaphore(1)
  const held = semaphore.acquire()
  held.cancel(new Error('Over.'))
  const leave = await held.result
  const waiting = semaphore.acquire()
  leave()
  waiting.cancel(new Error('Over.'))
  t.type(await waiting.result, 'function')
})
