/** What can end a call before its handler does. */
export type EndOfCall = 'deadline' | 'caller_gone'

/** A caller's wish for less time. */
export interface ShorterTime {
  ms: number
  /** Asked when it is over: a write that has begun is not cut off because somebody is in a hurry. */
  holds: () => boolean
}

/** The least time a caller can ask for, in milliseconds: less would only ever fail. */
export const MIN_TIMEOUT_MS = 100

/** The caller's `x-request-timeout-ms`: whole milliseconds, raised to `MIN_TIMEOUT_MS`; `undefined` where it says nothing usable. */
export function readTimeoutMs (header: unknown): number | undefined {
  return typeof header === 'string' && /^\d{1,9}$/.test(header) ? Math.max(Number(header), MIN_TIMEOUT_MS) : undefined
}

/**
 * The time of one call: how much is left, and who must know when it is over.
 * Without a signal until somebody asks for one: most handlers never do, and it costs more than the rest of the call's set-up.
 */
export class Deadline {
  readonly #startedAt = performance.now()
  readonly #timer: NodeJS.Timeout
  readonly #shorterTimer: NodeJS.Timeout | undefined
  readonly #listeners = new Set<(reason: Error) => void>()
  #controller: AbortController | undefined
  #reason: Error | undefined
  /** Why the call ended early; `undefined` while it runs, and when its handler was done in time. */
  ended: EndOfCall | undefined

  readonly #timeoutMs: number
  readonly #shorter: ShorterTime | undefined

  constructor (timeoutMs: number, shorter?: ShorterTime) {
    this.#timeoutMs = timeoutMs
    this.#shorter = shorter !== undefined && shorter.ms < timeoutMs ? shorter : undefined
    this.#timer = setTimeout(() => this.end('deadline'), timeoutMs)
    if (this.#shorter !== undefined) this.#shorterTimer = setTimeout(() => this.#endShorter(), this.#shorter.ms)
  }

  /** The time the call has in all, as things stand, in milliseconds. */
  get timeoutMs (): number {
    return this.#shorter?.holds() === true ? this.#shorter.ms : this.#timeoutMs
  }

  remainingMs (): number {
    return Math.max(0, this.#startedAt + this.timeoutMs - performance.now())
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
    this.#clearTimers()
    this.ended = why
    this.#reason = reasonFor(why, this.timeoutMs)
    this.#controller?.abort(this.#reason)
    for (const listener of this.#listeners) listener(this.#reason)
    this.#listeners.clear()
  }

  /** The handler was done in time: the timer stops, and nothing is aborted. */
  clear (): void {
    this.#clearTimers()
    this.#listeners.clear()
  }

  #endShorter (): void {
    if (this.#shorter!.holds()) this.end('deadline')
  }

  #clearTimers (): void {
    clearTimeout(this.#timer)
    clearTimeout(this.#shorterTimer)
  }
}

/** The two reasons have the names that every HTTP client passes on, so that a handler's own clients are told apart too. */
function reasonFor (why: EndOfCall, timeoutMs: number): Error {
  return why === 'deadline'
    ? Object.assign(new Error(`The call's ${timeoutMs} ms are over.`), { name: 'TimeoutError' })
    : Object.assign(new Error('The caller is gone.'), { name: 'AbortError' })
}
