import type { Task } from './ending.js'

/**
 * Lets so many through at a time, in the order they came. Stands in front of a pool without a limit of its own: a full
 * pool makes requests in another caller's context, and nobody could say whose they are.
 */
export class Semaphore {
  #free: number
  readonly #waiting = new Set<() => void>()

  constructor (places: number) {
    this.#free = places
  }

  /** How many wait for a place; none while one is free. */
  get waiting (): number {
    return this.#waiting.size
  }

  get hasFree (): boolean {
    return this.#free > 0
  }

  /** A place, as soon as there is one; its result gives it back, to be called once. */
  acquire (): Task<() => void> {
    let cancel: (reason: Error) => void = () => {}
    const result = new Promise<() => void>((resolve, reject) => {
      const enter = (): void => resolve(() => this.#leave())
      if (this.#free > 0) {
        this.#free--
        return enter()
      }
      this.#waiting.add(enter)
      // One that was let in at the same moment keeps its place until it gives it back.
      cancel = reason => { if (this.#waiting.delete(enter)) reject(reason) }
    })
    return { result, cancel: reason => cancel(reason) }
  }

  #leave (): void {
    const [next] = this.#waiting
    if (next === undefined) this.#free++
    else {
      this.#waiting.delete(next)
      next()
    }
  }
}
