import { randomUUID } from 'node:crypto'
import { isRequestId, requestHeaders } from '../protocol/headers.js'

/** A request id for an incoming request: the caller's own where it is fit to be repeated, else a new one. */
export function createRequestId (headers: Readonly<Record<string, unknown>>): string {
  const given = headers[requestHeaders.requestId]
  return isRequestId(given) ? given : randomUUID()
}

const replaced = new WeakMap<object, string>()

/** The id that stands in headers, answers and log: the server's own, unless it took one over that is not fit to be repeated. */
export function requestIdOf (request: object, id: unknown): string {
  if (isRequestId(id)) return id
  let own = replaced.get(request)
  if (own === undefined) {
    own = randomUUID()
    replaced.set(request, own)
  }
  return own
}
