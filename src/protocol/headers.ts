/** Request headers the framework reads. Names are lower case, as Node gives them. */
export const requestHeaders = {
  requestId: 'x-request-id',
  traceparent: 'traceparent',
  idempotencyKey: 'idempotency-key',
  requestTimeoutMs: 'x-request-timeout-ms'
} as const

/** Response headers the framework writes. */
export const responseHeaders = {
  requestId: 'x-request-id',
  /** `true` only where the same request may be sent again; for clients that read no body. */
  shouldRetry: 'x-should-retry',
  /** Whole seconds, rounded up; always equal to `details.retry_after`. */
  retryAfter: 'retry-after',
  /** How many calls are left, and until when: draft-ietf-httpapi-ratelimit-headers-11. */
  rateLimit: 'ratelimit',
  /** How many calls there are, in how many seconds. */
  rateLimitPolicy: 'ratelimit-policy',
  /** `true` on every answer of a simulated upstream. */
  simulated: 'x-candor-simulated'
} as const

/** Headers on every response that a document or page does not replace with its own. */
export const securityHeaders = {
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin'
} as const

/** The media type of every envelope. */
export const JSON_TYPE = 'application/json; charset=utf-8'

const REQUEST_ID = /^[\w.-]{1,128}$/

/** Is this a request id we may repeat in headers and logs? */
export function isRequestId (value: unknown): value is string {
  return typeof value === 'string' && REQUEST_ID.test(value)
}
