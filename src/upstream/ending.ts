/** Something under way, and how to end it early. */
export interface Task<T> {
  readonly result: Promise<T>
  /** Ends it with a reason. Does nothing once it has ended. */
  readonly cancel: (reason: Error) => void
}

/** What an exchange must know of its call. */
export interface Endable {
  /** Why the call ended early, if it did: nothing is sent any more. */
  readonly endReason: Error | undefined
  /** Calls back when the call ends early; the returned function takes it back. */
  onEnd (listener: (reason: Error) => void): () => void
}

/** What ends an exchange from our side: its own time, waiting included, or the end of its call. */
export class Ending {
  readonly #timer: NodeJS.Timeout
  readonly #takeBack: () => void
  #reason: Error | undefined
  #task: Task<unknown> | undefined

  constructor (timeoutMs: number, call: Endable) {
    this.#reason = call.endReason
    this.#timer = setTimeout(() => this.#end(timeoutError(timeoutMs)), timeoutMs)
    this.#takeBack = call.onEnd(reason => this.#end(reason))
  }

  /** The result of the next step, which is cancelled when the exchange ends; not even started where it has ended. */
  during<T> (start: () => Task<T>): Promise<T> {
    if (this.#reason !== undefined) return Promise.reject(this.#reason)
    const task = start()
    this.#task = task
    return task.result
  }

  /** The exchange is over: its timer stops, and the call keeps nothing of it. */
  clear (): void {
    clearTimeout(this.#timer)
    this.#takeBack()
  }

  #end (reason: Error): void {
    // The first reason counts.
    this.#reason ??= reason
    this.#task?.cancel(this.#reason)
  }
}

/** What a deadline of ours throws; recognised by name, as every other client's. */
function timeoutError (ms: number): Error {
  return Object.assign(new Error(`No answer within ${ms} ms.`), { name: 'TimeoutError', ms })
}
