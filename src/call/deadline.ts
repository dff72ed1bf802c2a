/** What can end a call before its handler does. */
export type EndOfCall = 'deadline' | 'caller_gone'

/**
 * The time of one call: how much is left, and who must know when it is over.
 * Without a signal until somebody asks for one: most handlers never do, and it costs more than the rest of the call's set-up.
 */
export class Deadline {
  readonly timeoutMs: number
  readonly #endsAt: number
  readonly #timer: NodeJS.Timeout
  readonly #listeners = new Set<(reason: Error) => void>()
  #controller: AbortController | undefined
  #reason: Error | undefined
  /** Why the call ended early; `undefined` while it runs, and when its handler was done in time. */
  ended: EndOfCall | undefined

  constructor (timeoutMs: number) {
    this.timeoutMs = timeoutMs
    this.#endsAt = performance.now() + timeoutMs
    this.#timer = setTimeout(() => this.end('deadline'), timeoutMs)
  }

  remainingMs (): number {
    return Math.max(0, this.#endsAt - performance.now())
  }

  get signal (): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController()
      if (this.#reason !== undefined) this.#controller.abort(this.#reason)
    }
    return this.#controller.signal
  }

  /** What the signal was aborted with; `undefined` while the call runs. */
  get reason (): Error | undefined {
    return this.#reason
  }

  /** Calls `listener` when the call ends early; the returned function takes it back. */
  onEnd (listener: (reason: Error) => void): () => void {
    this.#listeners.add(listener)
    return () => { this.#listeners.delete(listener) }
  }

  /** Ends the call early. The first reason counts. */
  end (why: EndOfCall): void {
    if (this.ended !== undefined) return
    clearTimeout(this.#timer)
    this.ended = why
    this.#reason = reasonFor(why, this.timeoutMs)
    this.#controller?.abort(this.#reason)
    for (const listener of this.#listeners) listener(this.#reason)
    this.#listeners.clear()
  }

  /** The handler was done in time: the timer stops, and nothing is aborted. */
  clear (): void {
    clearTimeout(this.#timer)
    this.#listeners.clear()
  }
}

/** The two reasons have the names that every HTTP client passes on, so that a handler's own clients are told apart too. */
function reasonFor (why: EndOfCall, timeoutMs: number): Error {
  return why === 'deadline'
    ? Object.assign(new Error(`The call's ${timeoutMs} ms are over.`), { name: 'TimeoutError' })
    : Object.assign(new Error('The caller is gone.'), { name: 'AbortError' })
}
