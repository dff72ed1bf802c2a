import { randomUUID } from 'node:crypto'
import { isRequestId, requestHeaders } from '../protocol/headers.js'

/** A request id for incoming headers: the caller's own where it is fit to be repeated, else a new one. */
export function createRequestId (headers: Readonly<Record<string, unknown>>): string {
  const given = headers[requestHeaders.requestId]
  return isRequestId(given) ? given : randomUUID()
}

// On Node's request itself: whose id was made here need not be looked at again.
const MADE = Symbol('candor.requestId')

interface Marked { [MADE]?: string }

/** The same for a request (Node's), which is remembered to have it. */
export function giveRequestId (request: { readonly headers: Readonly<Record<string, unknown>> }): string {
  const id = createRequestId(request.headers)
  ;(request as Marked)[MADE] = id
  return id
}

const replaced = new WeakMap<object, string>()

/** The id that stands in headers, answers and log of a request (Fastify's): the server's own, unless it took one over that is not fit to be repeated. */
export function requestIdOf (request: { readonly raw?: object }, id: unknown): string {
  if (id !== undefined && (request.raw as Marked | undefined)?.[MADE] === id) return id as string
  if (isRequestId(id)) return id
  let own = replaced.get(request)
  if (own === undefined) {
    own = randomUUID()
    replaced.set(request, own)
  }
  return own
}
