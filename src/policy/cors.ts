import { requestHeaders, responseHeaders } from '../protocol/headers.js'
import type { CorsOptions } from './cors-options.js'
import { originKey, readOrigin } from './origins.js'

/** Whose pages may call, and what their browsers are told. */
export interface Cors {
  /** May every page there is? */
  readonly isAny: boolean
  /** May a page of this origin? */
  has: (origin: string) => boolean
  /** For any answer to a page of this origin, which may; beside `vary`. */
  answerHeaders: (origin: string) => Record<string, string>
  /** Beside those, for the answer to the question whether a page may send a request. */
  readonly preflightHeaders: Readonly<Record<string, string>>
}

/** Methods of capabilities, and those that routes of your own may have. */
const METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE'

const ALLOWED: readonly string[] = [
  'accept', 'authorization', 'content-type', 'if-none-match', 'last-event-id', ...Object.values(requestHeaders),
  'mcp-method', 'mcp-name', 'mcp-protocol-version', 'mcp-session-id'
]

const EXPOSED: readonly string[] = [
  responseHeaders.requestId, responseHeaders.shouldRetry, responseHeaders.retryAfter, responseHeaders.rateLimit, responseHeaders.rateLimitPolicy,
  'etag', 'mcp-session-id', 'www-authenticate'
]

/** Reads options that were checked before. */
export function createCors ({ origins, credentials = false, allowedHeaders = [], exposedHeaders = [], maxAgeSeconds = 600 }: CorsOptions): Cors {
  const isAny = origins.includes('*')
  const keys = new Set(origins.map(keyOf))
  const always = { 'access-control-expose-headers': namesOf(EXPOSED, exposedHeaders), ...(credentials && { 'access-control-allow-credentials': 'true' }) }
  return {
    isAny,
    has: origin => isAny || keys.has(keyOf(origin) ?? ''),
    answerHeaders: origin => ({ 'access-control-allow-origin': isAny ? '*' : origin, ...always }),
    preflightHeaders: {
      'access-control-allow-methods': METHODS,
      'access-control-allow-headers': namesOf(ALLOWED, allowedHeaders),
      'access-control-max-age': String(maxAgeSeconds)
    }
  }
}

/** A `vary` that caches of answers for several origins need, whatever else it says. */
export function varyByOrigin (vary: unknown): string {
  const names = [vary ?? []].flat().join(', ')
  if (names === '') return 'Origin'
  return /(^|[\s,])(origin|\*)([\s,]|$)/i.test(names) ? names : `${names}, Origin`
}

/** Of an answer's headers, those without which a page cannot read it. */
export function readableHeaders (headers: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => name === 'vary' || name.startsWith('access-control-')).map(([name, value]) => [name, String(value)]))
}

function keyOf (origin: string): string | undefined {
  const url = readOrigin(origin)
  return url && originKey(url)
}

function namesOf (ours: readonly string[], more: readonly string[]): string {
  return [...new Set([...ours, ...more.map(name => name.toLowerCase())])].join(', ')
}
