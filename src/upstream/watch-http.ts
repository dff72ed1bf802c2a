import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { errorMonitor } from 'node:events'
import type { ClientRequest, IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { attempt, get } from './evidence.js'
import { ForeignExchange } from './foreign-exchange.js'
import { isHangUp, isOfConnection, isTimeout } from './given-up.js'
import { httpTarget } from './http-target.js'
import { currentObserver, type Observer } from './observer.js'
import { readFailure } from './read-failure.js'

const requests = new WeakMap<object, HttpWatch>()

/** One request of `node:http` under watch. Listens to nothing that changes what the request does. */
class HttpWatch {
  readonly #request: ClientRequest
  readonly #record: ForeignExchange
  #response: IncomingMessage | undefined
  #timedOut = false

  constructor (observer: Observer, request: ClientRequest) {
    this.#request = request
    this.#record = new ForeignExchange(observer, request.method, httpTarget(request))
    request.on(errorMonitor, error => attempt(() => this.#broken(error)))
    request.once('timeout', () => { this.#timedOut = true })
    request.once('close', () => attempt(() => this.#closed()))
    if (request.socket === null) request.once('socket', socket => attempt(() => this.#connecting(socket)))
    else this.#connecting(request.socket)
  }

  answered (response: IncomingMessage): void {
    this.#response = response
    this.#record.answered(response.statusCode!, response.headers)
    response.on(errorMonitor, error => attempt(() => this.#broken(error)))
    // Before its reader hears of it: the call may end with it.
    response.once('end', () => attempt(() => this.#ended(response)))
    response.once('close', () => attempt(() => this.#ended(response)))
  }

  /** Nothing is written before the connection stands. */
  #connecting (socket: Socket): void {
    const event = get(socket, 'secureConnecting') === true ? 'secure' : socket.connecting ? 'connect' : undefined
    if (event === undefined) this.#begun()
    else socket.once(event, () => attempt(() => this.#begun()))
  }

  #begun (): void {
    this.#record.begun()
    this.#record.relocate(httpTarget(this.#request))
  }

  #ended (response: IncomingMessage): void {
    if (response.complete) this.#record.completed()
    else this.#broken(response.errored ?? undefined)
  }

  /** Without an answer and without an error: `abort()`, or a change of protocols. */
  #closed (): void {
    if (this.#response !== undefined || this.#record.ended) return
    const response = get(this.#request, 'res')
    const status = get(response, 'statusCode')
    if (typeof status === 'number') this.#record.answered(status, get(response, 'headers'), this.#request.hasHeader('upgrade'))
    else this.#broken(undefined)
  }

  #broken (error: unknown): void {
    const why = this.#reasonFor(error)
    if (why === undefined) return this.#record.givenUp(error)
    if (readFailure(why)?.unsent === true && this.#response === undefined) this.#record.exchange.sent = false
    this.#record.failed(error, why)
  }

  /** Why it broke, `undefined` where its author broke it. */
  #reasonFor (error: unknown): unknown {
    if (this.#timedOut || isTimeout(error)) return { name: 'TimeoutError' }
    if (error !== undefined && !isHangUp(error)) return isOfConnection(error) ? error : undefined
    // Both sides hang up with the same words: the socket knows of the other one's.
    const { errored, readableEnded }: Pick<Socket, 'errored' | 'readableEnded'> = this.#request.socket ?? { errored: null, readableEnded: false }
    if (errored !== null) return isOfConnection(errored) ? errored : undefined
    return readableEnded ? error ?? { code: 'ECONNRESET' } : undefined
  }
}

/** Before Node 22.12 a request is announced when all of it was given to a socket, or when it ends before that. */
function noticed (message: unknown): void {
  const observer = currentObserver()
  if (observer !== undefined) attempt(() => watch(observer, get(message, 'request') as ClientRequest))
}

function watch (observer: Observer, request: ClientRequest): HttpWatch | undefined {
  // A tunnel is no request to an upstream: what goes through it is.
  if (request.method === 'CONNECT') return undefined
  const watched = requests.get(request) ?? new HttpWatch(observer, request)
  requests.set(request, watched)
  return watched
}

function answered (message: unknown): void {
  noticed(message)
  const watched = requests.get(get(message, 'request') as object)
  if (watched !== undefined) attempt(() => watched.answered(get(message, 'response') as IncomingMessage))
}

const channels = {
  'http.client.request.created': noticed,
  'http.client.request.start': noticed,
  'http.client.request.error': noticed,
  'http.client.response.finish': answered
}

/** Records what `node:http` and `node:https` send, until the returned function is called. */
export function watchHttp (): () => void {
  for (const [name, listener] of Object.entries(channels)) subscribe(name, listener)
  return () => { for (const [name, listener] of Object.entries(channels)) unsubscribe(name, listener) }
}
