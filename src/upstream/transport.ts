import type { Dispatcher } from 'undici'
import type { Task } from './ending.js'
import type { Exchange } from './exchange.js'
import { recorded } from './observer.js'

/** One HTTP request, ready to go. */
export interface WireRequest {
  origin: string
  method: string
  /** With its query, encoded. */
  path: string
  headers: Record<string, string>
  body: string | Uint8Array | undefined
}

/** How much to take of an answer, and how long to wait for its beginning. */
export interface WireLimits {
  /** The most bytes read of a body. */
  maxBytes: number
  /** From the connection being there to the headers of the answer, in milliseconds; no limit where it is left out. */
  headersTimeoutMs?: number
}

/** One HTTP answer. Header names in lower case. */
export interface WireResponse {
  status: number
  headers: Record<string, string | string[] | undefined>
  body: Buffer
  /** Why `body` is not the whole one; left out where it is. */
  cut?: Error
}

/** How far an exchange came; kept up to date while it runs, so that it holds whatever ends it. */
export type Progress = Pick<Exchange, 'sent' | 'status' | 'phase'>

const NONE: WireResponse['headers'] = {}
const EMPTY = Buffer.alloc(0)

/**
 * Sends one request through an undici dispatcher and reads the answer. Rejects only where no headers came; what breaks
 * later is `cut`, because the status says more than the break. Never follows, never retries.
 * Speaks to `dispatch` itself: only there is it seen whether the request ever reached a socket.
 */
export function send (dispatcher: Dispatcher, request: WireRequest, limits: WireLimits, progress: Progress): Task<WireResponse> {
  const reader = new Reader(limits, progress)
  const { origin, path, method, headers, body } = request
  try {
    // Its exchange is on record already.
    recorded(() => dispatcher.dispatch({ origin, path, method: method as Dispatcher.HttpMethod, headers, body, headersTimeout: 0, bodyTimeout: 0 }, reader))
  } catch (error) {
    reader.cancel(error as Error)
  }
  return reader
}

class Reader implements Dispatcher.DispatchHandler, Task<WireResponse> {
  readonly result: Promise<WireResponse>
  readonly #limits: WireLimits
  readonly #progress: Progress
  #resolve!: (response: WireResponse) => void
  #reject!: (reason: unknown) => void
  #controller: Dispatcher.DispatchController | undefined
  #timer: NodeJS.Timeout | undefined
  #status: number | undefined
  #headers: WireResponse['headers'] = NONE
  #body: Buffer = EMPTY
  /** All of a body that comes in more than one piece. */
  #chunks: Buffer[] | undefined
  #bytes = 0
  /** Why the exchange ended, `null` where all is well; `undefined` while it runs. */
  #end: Error | null | undefined

  constructor (limits: WireLimits, progress: Progress) {
    this.#limits = limits
    this.#progress = progress
    this.result = new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
    })
  }

  /** Ends the exchange from our side. A request still waiting for its connection is dropped as soon as it would be written. */
  readonly cancel = (reason: Error): void => {
    if (this.#end !== undefined) return
    this.#settle(reason)
    this.#controller?.abort(reason)
  }

  onRequestStart (controller: Dispatcher.DispatchController): void {
    // Aborted here, undici writes nothing.
    if (this.#end instanceof Error) return controller.abort(this.#end)
    this.#controller = controller
    // From here on bytes may have left: that cannot be seen, so it is assumed.
    this.#progress.sent = true
    this.#progress.phase = 'headers'
    const { headersTimeoutMs } = this.#limits
    if (headersTimeoutMs === undefined) return
    clearTimeout(this.#timer) // a dispatcher of the author's may start a request again
    this.#timer = setTimeout(() => this.cancel(headersTimeout(headersTimeoutMs)), headersTimeoutMs)
  }

  onResponseStart (_: Dispatcher.DispatchController, status: number, headers: WireResponse['headers']): void {
    if (status < 200) return // 1xx: noise before the answer
    clearTimeout(this.#timer)
    this.#status = status
    this.#headers = headers
    // What answers was sent, even where a dispatcher of the author's does not say that it started.
    this.#progress.sent = true
    this.#progress.status = status
    this.#progress.phase = 'body'
  }

  onResponseData (_: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#bytes += chunk.length
    if (this.#bytes > this.#limits.maxBytes) this.cancel(tooLarge(this.#limits.maxBytes))
    else if (this.#bytes === chunk.length) this.#body = chunk
    else (this.#chunks ??= [this.#body]).push(chunk)
  }

  onResponseEnd (): void {
    this.#settle(null)
  }

  onResponseError (_: Dispatcher.DispatchController, error: Error): void {
    this.#settle(error)
  }

  #settle (end: Error | null): void {
    if (this.#end !== undefined) return
    this.#end = end
    clearTimeout(this.#timer)
    if (this.#status === undefined) return this.#reject(end)
    const status = this.#status
    const headers = this.#headers
    const body = this.#chunks === undefined ? this.#body : Buffer.concat(this.#chunks)
    this.#resolve(end === null ? { status, headers, body } : { status, headers, body, cut: end })
  }
}

/** The name undici itself gives a body that is over its limit. */
export function tooLarge (maxBytes: number): Error {
  return Object.assign(new Error(`The body is over ${maxBytes} bytes.`), { code: 'UND_ERR_RES_EXCEEDED_MAX_SIZE' })
}

function headersTimeout (ms: number): Error {
  return Object.assign(new Error(`No headers within ${ms} ms.`), { code: 'UND_ERR_HEADERS_TIMEOUT', ms })
}
