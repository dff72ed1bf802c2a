import { Semaphore } from '../upstream/semaphore.js'
import type { Deadline } from './deadline.js'

/** How long after the end of its call a handler may need to notice, in milliseconds. */
const NOTICE_MS = 1_000

/** The calls of one capability that runs only so many at a time: the others wait, in the order they came. */
export class CallQueue {
  readonly #places: Semaphore
  readonly #maxQueued: number
  readonly #overstayed: (() => void) | undefined

  /** `overstayed` is told, once a call, of handlers that go on long after their calls ended. */
  constructor (maxConcurrent: number, maxQueued: number = maxConcurrent, overstayed?: () => void) {
    this.#places = new Semaphore(maxConcurrent)
    this.#maxQueued = maxQueued
    this.#overstayed = overstayed
  }

  /** Do as many wait as may? */
  get isFull (): boolean {
    return !this.#places.hasFree && this.#places.waiting >= this.#maxQueued
  }

  /**
   * Runs a handler when it is its turn; `undefined` where its call ended before. The place is given back when the handler
   * really ends: one that runs on after its deadline is still at work.
   */
  async inTurn<T> (deadline: Deadline, handle: () => Promise<T> | T): Promise<T | undefined> {
    const { result, cancel } = this.#places.acquire()
    const stay = deadline.onEnd(cancel)
    const leave = await result.catch(() => undefined)
    stay()
    if (leave === undefined) return undefined
    let timer: NodeJS.Timeout | undefined
    const unwatch = deadline.onEnd(() => { timer = setTimeout(() => this.#overstayed?.(), NOTICE_MS).unref() })
    try {
      // The turn and the end may come at the same moment.
      return deadline.ended === undefined ? await handle() : undefined
    } finally {
      unwatch()
      clearTimeout(timer)
      leave()
    }
  }
}
