import { Readable } from 'node:stream'
import t from 'tap'
import { observeBody } from '../../../src/upstream/observed-body.js'
import { currentObserver, type Observer } from '../../../src/upstream/observer.js'
import { fakeCall } from '../../fixtures/observing.js'

const observer: Observer = fakeCall()

t.test('a body that is made while it is sent is made on behalf of its call', async t => {
  const seen: Array<Observer | undefined> = []
  async function * make (): AsyncGenerator<string> {
    try {
      for (const part of ['a', 'b']) {
        await null
        seen.push(currentObserver())
        yield part
      }
    } finally {
      seen.push(currentObserver())
    }
  }
  const parts: string[] = []
  for await (const part of observeBody(observer, make())) parts.push(part)
  t.same(parts, ['a', 'b'])
  const stopped = observeBody(observer, make())[Symbol.asyncIterator]()
  t.match(await stopped.next(), { done: false, value: 'a' })
  t.match(await stopped.return(undefined), { done: true })
  t.equal(seen.length, 5)
  t.ok(seen.every(one => one === observer))
})

t.test('an iterator need not know how to stop', async t => {
  const body = { [Symbol.asyncIterator]: () => ({ next: async () => ({ done: false, value: 1 }) }) }
  const iterator: AsyncIterator<number> = observeBody(observer, body)[Symbol.asyncIterator]()
  t.same(await iterator.next(), { done: false, value: 1 })
  t.same(await iterator.return!(), { done: true, value: undefined })
})

t.test('any other body is left as it is', async t => {
  for (const body of [undefined, null, 'text', Buffer.from('x'), new FormData(), Readable.from(['x'])]) t.equal(observeBody(observer, body), body)
})
