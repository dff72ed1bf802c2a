import type { WireRequest, WireResponse } from './transport.js'

/** How many redirects of a read are followed. */
export const MAX_REDIRECTS = 3

/**
 * The request a redirected read is followed with; `undefined` where it is not: to another origin nothing of this
 * request may go, and only a GET can become another request's repetition whatever the status.
 */
export function nextHop (request: WireRequest, { status, headers }: WireResponse): WireRequest | undefined {
  const repeats = status === 307 || status === 308
  const redirects = repeats || status === 301 || status === 302 || status === 303
  if (!redirects || (request.method !== 'GET' && !repeats)) return undefined
  const { location } = headers
  const here = `${request.origin}${request.path}`
  // Sent twice, it points nowhere.
  if (typeof location !== 'string' || !URL.canParse(location, here)) return undefined
  const { origin, pathname, search } = new URL(location, here)
  return origin === request.origin ? { ...request, path: `${pathname}${search}` } : undefined
}
