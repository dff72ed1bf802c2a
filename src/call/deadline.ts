type Listener = (reason: Error) => void

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
 * The time of one call: how much is left, and who must know when it is over. It passes from the beginning of the call on,
 * and ends the call once it is {@link watch}ed.
 * Without a signal until somebody asks for one: most handlers never do, and it costs more than the rest of the call's set-up.
 */
export class Deadline {
  #timer: NodeJS.Timeout | undefined
  #shorterTimer: NodeJS.Timeout | undefined
  #isOver = false
  // Every call has one, few have more.
  #listener: Listener | undefined
  #others: Set<Listener> | undefined
  #controller: AbortController | undefined
  #reason: Error | undefined
  /** Why the call ended early; `undefined` while it runs, and when its handler was done in time. */
  ended: EndOfCall | undefined

  readonly #timeoutMs: number
  readonly #shorter: ShorterTime | undefined
  readonly #startedAt: number

  constructor (timeoutMs: number, shorter?: ShorterTime, startedAt: number = performance.now()) {
    this.#timeoutMs = timeoutMs
    this.#startedAt = startedAt
    this.#shorter = shorter !== undefined && shorter.ms < timeoutMs ? shorter : undefined
  }

  /** From now on the call is ended when its time is over. Once; nothing where it has ended. */
  watch (): void {
    if (this.#isOver || this.#timer !== undefined) return
    const passed = Math.floor(performance.now() - this.#startedAt)
    // A handler may have computed for longer than it had, and of less than a millisecond Node warns.
    const left = (ms: number): number => Math.max(ms - passed, 1)
    this.#timer = setTimeout(() => this.end('deadline'), left(this.#timeoutMs))
    if (this.#shorter !== undefined) this.#shorterTimer = setTimeout(() => this.#endShorter(), left(this.#shorter.ms))
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
  onEnd (listener: Listener): () => void {
    if (this.#listener === undefined) this.#listener = listener
    else (this.#others ??= new Set()).add(listener)
    return () => {
      if (this.#listener === listener) this.#listener = undefined
      else this.#others?.delete(listener)
    }
  }

  /** Ends the call early. The first reason counts. */
  end (why: EndOfCall): void {
    if (this.ended !== undefined) return
    this.#stopWatching()
    this.ended = why
    this.#reason = reasonFor(why, this.timeoutMs)
    this.#controller?.abort(this.#reason)
    this.#listener?.(this.#reason)
    for (const listener of this.#others ?? []) listener(this.#reason)
    this.#forget()
  }

  /** The handler was done in time: the timer stops, and nothing is aborted. */
  clear (): void {
    this.#stopWatching()
    this.#forget()
  }

  #endShorter (): void {
    if (this.#shorter!.holds()) this.end('deadline')
  }

  #stopWatching (): void {
    this.#isOver = true
    if (this.#timer !== undefined) clearTimeout(this.#timer)
    if (this.#shorterTimer !== undefined) clearTimeout(this.#shorterTimer)
  }

  #forget (): void {
    this.#listener = undefined
    this.#others = undefined
  }
}

/** The two reasons have the names that every HTTP client passes on, so that a handler's own clients are told apart too. */
function reasonFor (why: EndOfCall, timeoutMs: number): Error {
  return why === 'deadline'
    ? Object.assign(new Error(`The call's ${timeoutMs} ms are over.`), { name: 'TimeoutError' })
    : Object.assign(new Error('The caller is gone.'), { name: 'AbortError' })
}
