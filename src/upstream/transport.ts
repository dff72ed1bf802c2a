import type { Dispatcher } from 'undici'
import type { Exchange } from './exchange.js'

/** One HTTP request, ready to go. */
export interface WireRequest {
  origin: string
  method: string
  /** With its query, encoded. */
  path: string
  headers: Record<string, string>
  body: string | Uint8Array | undefined
  /** The whole exchange, from the call to the last byte of the answer, in milliseconds. */
  timeoutMs: number
  /** The most bytes read of a body. */
  maxBytes: number
}

/** One HTTP answer, read to its end. Header names in lower case. */
export interface WireResponse {
  status: number
  headers: Record<string, string | string[] | undefined>
  body: Buffer
}

/** How far an exchange came; kept up to date while it runs, so that it holds whatever ends it. */
export type Progress = Pick<Exchange, 'sent' | 'status' | 'phase'>

/** A request under way: its answer, and a way to end it early. */
export interface Running {
  response: Promise<WireResponse>
  /** Ends the exchange; `response` rejects with `reason`. Does nothing once it has ended. */
  cancel (reason: unknown): void
}

/** What a deadline of ours throws; recognised by name, as every other client's. */
export function timeoutError (ms: number): Error {
  return Object.assign(new Error(`No answer within ${ms} ms.`), { name: 'TimeoutError' })
}

/**
 * Sends one request through an undici dispatcher and reads the answer to its end. Never follows, never retries.
 * Speaks to `dispatch` itself: only there is it seen whether the request ever reached a socket.
 */
export function send (dispatcher: Dispatcher, request: WireRequest, progress: Progress): Running {
  let cancel!: (reason: unknown) => void
  const response = new Promise<WireResponse>((resolve, reject) => {
    const reader = new Reader(request, progress, resolve, reject)
    cancel = reason => reader.end(reason)
    const { origin, path, method, headers, body } = request
    try {
      dispatcher.dispatch({ origin, path, method: method as Dispatcher.HttpMethod, headers, body, headersTimeout: 0, bodyTimeout: 0 }, reader)
    } catch (error) {
      reader.end(error)
    }
  })
  return { response, cancel }
}

class Reader implements Dispatcher.DispatchHandler {
  readonly #request: WireRequest
  readonly #progress: Progress
  readonly #resolve: (response: WireResponse) => void
  readonly #reject: (reason: unknown) => void
  readonly #timer: NodeJS.Timeout
  readonly #chunks: Buffer[] = []
  #controller: Dispatcher.DispatchController | undefined
  #headers: WireResponse['headers'] = {}
  #bytes = 0
  #over = false
  #reason: unknown

  constructor (request: WireRequest, progress: Progress, resolve: (response: WireResponse) => void, reject: (reason: unknown) => void) {
    this.#request = request
    this.#progress = progress
    this.#resolve = resolve
    this.#reject = reject
    this.#timer = setTimeout(() => this.end(timeoutError(request.timeoutMs)), request.timeoutMs)
  }

  /** Ends the exchange from our side. A request still waiting for its connection is dropped as soon as it would be written. */
  end (reason: unknown): void {
    if (this.#over) return
    this.#finish()
    this.#reason = reason
    this.#controller?.abort(toError(reason))
    this.#reject(reason)
  }

  onRequestStart (controller: Dispatcher.DispatchController): void {
    // Aborted here, undici writes nothing.
    if (this.#over) return controller.abort(toError(this.#reason))
    this.#controller = controller
    // From here on bytes may have left: that cannot be seen, so it is assumed.
    this.#progress.sent = true
    this.#progress.phase = 'request'
  }

  onRequestSent (): void {
    this.#progress.phase = 'headers'
  }

  onResponseStart (_: Dispatcher.DispatchController, status: number, headers: WireResponse['headers']): void {
    if (status < 200) return // 1xx: noise before the answer
    this.#progress.status = status
    this.#progress.phase = 'body'
    this.#headers = headers
  }

  onResponseData (_: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#bytes += chunk.length
    if (this.#bytes > this.#request.maxBytes) this.end(tooLarge(this.#request.maxBytes))
    else this.#chunks.push(chunk)
  }

  onResponseEnd (): void {
    if (this.#over) return
    this.#finish()
    this.#resolve({ status: this.#progress.status!, headers: this.#headers, body: Buffer.concat(this.#chunks) })
  }

  onResponseError (_: Dispatcher.DispatchController, error: Error): void {
    if (this.#over) return
    this.#finish()
    this.#reject(error)
  }

  #finish (): void {
    this.#over = true
    clearTimeout(this.#timer)
  }
}

/** The name undici itself gives this. */
function tooLarge (maxBytes: number): Error {
  return Object.assign(new Error(`The body is over ${maxBytes} bytes.`), { code: 'UND_ERR_RES_EXCEEDED_MAX_SIZE' })
}

function toError (reason: unknown): Error {
  return reason instanceof Error ? reason : new Error('The exchange was ended.', { cause: reason })
}
