import { get } from './evidence.js'
import { observedBy, type Observer } from './observer.js'

/** A body that is made while it is sent, as its author has it: what it asks of others is on behalf of the observer. A stream is left as it is. */
export function observeBody<T> (observer: Observer, body: T): T {
  const iterate = get(body, Symbol.asyncIterator)
  if (typeof iterate !== 'function' || typeof get(body, 'pipe') === 'function') return body
  return { [Symbol.asyncIterator]: () => observeIterator(observer, observedBy(observer, () => iterate.call(body))) } as T
}

function observeIterator (observer: Observer, iterator: AsyncIterator<unknown>): AsyncIterator<unknown> {
  return {
    next: () => observedBy(observer, () => iterator.next()),
    return: async () => await observedBy(observer, () => iterator.return?.()) ?? { done: true, value: undefined }
  }
}
