import { Dispatcher } from 'undici'
import { unknown } from './app.js'

/** How a fake upstream fails: each with the error, and at the moment, that a real one has. */
export const fakeFailures = {
  /** Nothing is sent. */
  dns: { at: 'before', error: { code: 'ENOTFOUND', syscall: 'getaddrinfo' } },
  refused: { at: 'before', error: { code: 'ECONNREFUSED', syscall: 'connect' } },
  connect_timeout: { at: 'before', error: { code: 'UND_ERR_CONNECT_TIMEOUT', name: 'ConnectTimeoutError' } },
  tls: { at: 'before', error: { code: 'CERT_HAS_EXPIRED' } },
  /** Sent, and no answer. */
  reset: { at: 'sent', error: { code: 'ECONNRESET', syscall: 'read' } },
  closed: { at: 'sent', error: { code: 'UND_ERR_SOCKET', name: 'SocketError' } },
  timeout: { at: 'sent', error: { code: 'UND_ERR_HEADERS_TIMEOUT', name: 'HeadersTimeoutError' } },
  garbage: { at: 'sent', error: { code: 'HPE_INVALID_CONSTANT', name: 'HTTPParserError' } },
  /** Says nothing until the tool itself gives up. */
  silent: { at: 'never', error: {} },
  /** Half an answer. */
  cut: { at: 'body', error: { code: 'UND_ERR_SOCKET', name: 'SocketError' } },
  stalled: { at: 'body', error: { code: 'UND_ERR_BODY_TIMEOUT', name: 'BodyTimeoutError' } }
} as const

export type FakeFailure = keyof typeof fakeFailures

/** What a fake upstream answers with, or how it fails; `cut` and `stalled` show half of what is given beside. */
export interface FakeAnswer {
  fails?: FakeFailure
  /** @default 200 */
  status?: number
  headers?: Readonly<Record<string, string>>
  /** The body as data. */
  json?: unknown
  /** The body as it is, instead of `json`. */
  body?: string
}

/** A dispatcher that is one function. */
export class FunctionDispatcher extends Dispatcher {
  readonly #dispatch: Dispatcher['dispatch']
  constructor (dispatch: Dispatcher['dispatch']) {
    super()
    this.#dispatch = dispatch
  }

  override dispatch (options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    return this.#dispatch(options, handler)
  }
}

/** A handler as our client has it: all parts there. */
export type FullHandler = Required<Pick<Dispatcher.DispatchHandler, 'onRequestStart' | 'onResponseStart' | 'onResponseData' | 'onResponseEnd' | 'onResponseError'>>

/** Plays one answer, a turn later, as a socket would. */
export function play (answer: FakeAnswer, handler: FullHandler): void {
  const { fails, status = 200 } = answer
  const failure = fails === undefined ? undefined : fakeFailures[fails] ?? unknown('a failure', fails, Object.keys(fakeFailures))
  const controller = createController(handler)
  setImmediate(() => {
    if (failure?.at === 'before') return handler.onResponseError(controller, fakeError(failure.error))
    handler.onRequestStart(controller, {})
    if (controller.aborted || failure?.at === 'never') return
    if (failure?.at === 'sent') return handler.onResponseError(controller, fakeError(failure.error))
    const body = bodyOf(answer)
    handler.onResponseStart(controller, status, headersOf(answer))
    handler.onResponseData(controller, failure === undefined ? body : body.subarray(0, body.length >> 1))
    if (failure === undefined) handler.onResponseEnd(controller, {})
    else handler.onResponseError(controller, fakeError(failure.error))
  })
}

function fakeError (fields: object): Error {
  return Object.assign(new Error('As a fake upstream was told.'), fields)
}

function bodyOf ({ json, body, fails }: FakeAnswer): Buffer {
  return Buffer.from(body ?? JSON.stringify(json) ?? (fails === undefined ? '' : '{"half":true}'))
}

function headersOf ({ headers, body }: FakeAnswer): Record<string, string> {
  const own = Object.fromEntries(Object.entries(headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]))
  return body === undefined ? { 'content-type': 'application/json', ...own } : own
}

function createController (handler: FullHandler): Dispatcher.DispatchController {
  return {
    aborted: false,
    paused: false,
    reason: null,
    rawHeaders: [],
    rawTrailers: [],
    pause () {},
    resume () {},
    abort (reason: Error) {
      if (this.aborted) return
      Object.assign(this, { aborted: true, reason })
      handler.onResponseError(this, reason)
    }
  } as Dispatcher.DispatchController
}
