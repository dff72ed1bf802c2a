import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { attempt, get, getText } from './evidence.js'
import { ForeignExchange, isReading, targetOf, type Target } from './foreign-exchange.js'
import { isGivenUp, isOfConnection, reasonOf } from './given-up.js'
import { currentObserver, isRecorded, possibleOwners, type Observer } from './observer.js'
import { pairsOf } from './raw-headers.js'

interface Watched {
  readonly record: ForeignExchange
  /** Known once the headers of the request were written. */
  socket?: unknown
}

// Only the creation of a request is announced where its author called; what follows comes from wherever the socket was made.
const requests = new WeakMap<object, Watched>()
const connectErrors = new WeakSet<object>()

const STACK_DEPTH = 64

function created (message: unknown): void {
  if (isRecorded()) return
  const observer = currentObserver()
  if (observer === undefined && possibleOwners().length === 0) return
  attempt(() => {
    const request = get(message, 'request') as object
    const method = getText(request, 'method')
    const path = getText(request, 'path')
    // A tunnel is no request to an upstream: what goes through it is.
    if (method === undefined || path === undefined || method === 'CONNECT' || requests.has(request)) return
    if (observer === undefined && isReading(method)) return
    const queued = wasQueued()
    const target = targetOf(get(request, 'origin'), path)
    if (observer !== undefined) requests.set(request, { record: begin(observer, method, target, queued) })
    if (queued && !isReading(method)) suspectAll(observer, method, target)
  })
}

function begin (observer: Observer, method: string, target: Target, queued: boolean): ForeignExchange {
  return new ForeignExchange(observer, method, target, queued)
}

/** A write whose owner nobody can tell is told to every running call that could be the one: none of them may say that it wrote nothing. */
function suspectAll (observer: Observer | undefined, method: string, target: Target): void {
  for (const owner of possibleOwners()) {
    if (owner !== observer && owner.upstreamAt(target.origin, target.path)?.declared === true) begin(owner, method, target, true)
  }
}

/** A request that a full pool kept back is created by whoever frees a connection, in that one's context. */
function wasQueued (): boolean {
  const { stackTraceLimit } = Error
  const here: { stack?: string } = {}
  try {
    Error.stackTraceLimit = STACK_DEPTH
    Error.captureStackTrace(here, wasQueued)
    return String(here.stack).includes('onDrain')
  } finally {
    Error.stackTraceLimit = stackTraceLimit
  }
}

function told (tell: (watched: Watched, message: unknown) => void): (message: unknown) => void {
  return message => {
    // Nearly all that is told here is of no request under watch: our own are none.
    const watched = watchedOf(message)
    if (watched !== undefined) attempt(() => tell(watched, message))
  }
}

function watchedOf (message: unknown): Watched | undefined {
  try {
    return requests.get((message as { request: object }).request)
  } catch {
    return undefined
  }
}

const sendHeaders = told((watched, message) => {
  watched.socket = get(message, 'socket')
  watched.record.begun()
})

// undici 6 announces no headers that it sends over HTTP/2: what is sent after them has to do.
const bodySent = told(({ record }) => record.begun())

const headers = told(({ record }, message) => {
  const response = get(message, 'response')
  record.answered(get(response, 'statusCode') as number, pairsOf(get(response, 'headers')))
})

const trailers = told(({ record }) => record.completed())

const error = told(({ record, socket }, message) => {
  const said = get(message, 'error')
  // An abort comes before its socket is closed, a loss after it; without a socket the connector has said that it failed.
  const isLoss = socket === undefined
    ? connectErrors.has(said as object) || (record.exchange.sent && isOfConnection(said))
    : get(socket, 'destroyed') === true
  const error = isLoss ? said : reasonOf(said, handlerOf(get(message, 'request') as object))
  if (!isLoss && isGivenUp(error)) record.givenUp(error)
  else record.failed(error)
})

function handlerOf (request: object): unknown {
  return get(request, Object.getOwnPropertySymbols(request).find(({ description }) => description === 'handler')!)
}

function connectError (message: unknown): void {
  const error = get(message, 'error')
  attempt(() => connectErrors.add(error as object))
}

const channels = {
  'undici:request:create': created,
  'undici:client:sendHeaders': sendHeaders,
  'undici:client:connectError': connectError,
  'undici:request:bodyChunkSent': bodySent,
  'undici:request:bodySent': bodySent,
  'undici:request:headers': headers,
  'undici:request:trailers': trailers,
  'undici:request:error': error
}

/** Records what undici sends, npm's and Node's own, until the returned function is called. */
export function watchUndici (): () => void {
  for (const [name, listener] of Object.entries(channels)) subscribe(name, listener)
  return () => { for (const [name, listener] of Object.entries(channels)) unsubscribe(name, listener) }
}
