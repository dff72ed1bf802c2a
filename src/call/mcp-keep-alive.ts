import { PassThrough, type Readable } from 'node:stream'

/** In this rhythm a comment keeps whoever stands between from closing a stream that says nothing, as the SDK does. */
const KEEP_ALIVE_MS = 15_000

interface Waiting { readonly since: number, readonly stream: () => void }

/**
 * Answers that are still to come: one that takes long becomes a stream that says so from time to time. One timer serves all
 * of them: hardly any call takes that long, and a timer each would be made for nothing.
 */
export class KeepAlive {
  readonly #everyMs: number
  // The one that has waited longest stands first.
  readonly #waiting = new Set<Waiting>()
  #timer: NodeJS.Timeout | undefined

  constructor (everyMs: number = KEEP_ALIVE_MS) {
    this.#everyMs = everyMs
  }

  /** The answer, or the stream that it became. */
  soonOrStreamed (answered: Promise<string>): Promise<string | Readable> {
    return new Promise((resolve, reject) => {
      const waiting = { since: performance.now(), stream: () => resolve(this.#streamed(answered)) }
      this.#waiting.add(waiting)
      this.#timer ??= this.#lookIn(this.#everyMs)
      answered.then(text => {
        this.#waiting.delete(waiting)
        resolve(text)
      }, (error: Error) => {
        this.#waiting.delete(waiting)
        reject(error)
      })
    })
  }

  /** Keeps no process running: whoever waits for an answer has a connection that does. */
  #lookIn (ms: number): NodeJS.Timeout {
    return setTimeout(() => this.#look(), Math.ceil(ms)).unref()
  }

  #look (): void {
    this.#timer = undefined
    const due = performance.now() - this.#everyMs
    for (const waiting of this.#waiting) {
      if (waiting.since > due) {
        this.#timer = this.#lookIn(waiting.since - due)
        return
      }
      this.#waiting.delete(waiting)
      waiting.stream()
    }
  }

  #streamed (answered: Promise<string>): Readable {
    const stream = new PassThrough()
    const ping = (): void => { stream.write(': keepalive\n\n') }
    ping()
    const timer = setInterval(ping, this.#everyMs)
    stream.once('close', () => clearInterval(timer))
    answered.then(text => stream.end(text), (error: Error) => stream.destroy(error))
    return stream
  }
}
