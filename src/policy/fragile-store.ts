/** Told when a store begins to fail, and when it answers again: once each. */
export interface OutageReport {
  gone (error: unknown): void
  back (): void
}

/** How a store is asked that may be gone. */
export interface Patience {
  /** How long one question waits for its answer, in milliseconds. @default 250 */
  patienceMs?: number
  /** How long a store that has failed is left alone, in milliseconds. @default 1000 */
  pauseMs?: number
}

/**
 * A store whose answers are wished for, not needed: a call must not wait long for one. After a failure it is left alone for
 * a moment, so that not every call of an outage waits.
 */
export class FragileStore {
  readonly #report: OutageReport
  readonly #patienceMs: number
  readonly #pauseMs: number
  #isGone = false
  #askAgainAt = 0

  constructor (report: OutageReport, { patienceMs = 250, pauseMs = 1_000 }: Patience = {}) {
    this.#report = report
    this.#patienceMs = patienceMs
    this.#pauseMs = pauseMs
  }

  /** The answer, or `undefined` while there is none to be had. Never rejects. */
  async ask<T> (question: () => Promise<T>): Promise<T | undefined> {
    const wasGone = this.#isGone
    if (wasGone && performance.now() < this.#askAgainAt) return undefined
    // While one finds out whether it is back, the others go on without it.
    if (wasGone) this.#pause()
    try {
      const answer = await inTime(question, this.#patienceMs)
      // Of those that were asked before it failed, some may still be answered: that says nothing of now.
      if (wasGone && this.#isGone) this.#come()
      return answer
    } catch (error) {
      this.#go(error)
      return undefined
    }
  }

  #come (): void {
    this.#isGone = false
    this.#report.back()
  }

  #go (error: unknown): void {
    this.#pause()
    if (this.#isGone) return
    this.#isGone = true
    this.#report.gone(error)
  }

  #pause (): void {
    this.#askAgainAt = performance.now() + this.#pauseMs
  }
}

async function inTime<T> (question: () => Promise<T>, ms: number): Promise<T> {
  return await new Promise<T>((resolve, reject) => {
    // A turn later: where the process itself was held up, the answer lies there, not read yet.
    const timer = setTimeout(() => setImmediate(() => reject(new Error(`No answer within ${ms} ms.`))), ms)
    question().finally(() => clearTimeout(timer)).then(resolve, reject)
  })
}
