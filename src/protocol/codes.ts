import type { Category } from './category.js'

/** What the framework says with one of its codes. The next action is computed from it, see `next-action.ts`. */
export interface CodeRow {
  readonly category: Category
  readonly status: number
  /** For a read; a write's outcome may turn it off, and what the row says is not always all (see the protocol). */
  readonly retryable: boolean
  /** The first version that answers with the code. A code is forever: a retired one stays listed. */
  readonly since: string
  /** Whose credentials have to be mended, where that is what is wrong. */
  readonly credentials?: 'caller' | 'tool'
  /** Nothing answers with it yet; the name is taken all the same. */
  readonly reserved?: true
  /** Never on the wire: it stands in the log alone. */
  readonly logOnly?: true
}

const since = '0.1.0'
const input = { category: 'INPUT_ERROR', status: 400, retryable: false, since } as const
const notFound = { category: 'NOT_FOUND', status: 404, retryable: false, since } as const
const auth = { category: 'AUTH_ERROR', status: 401, retryable: false, since } as const
const busy = { category: 'SERVICE_ERROR', status: 503, retryable: true, since } as const
const bug = { category: 'SERVICE_ERROR', status: 500, retryable: false, since } as const
const upstream = { category: 'SERVICE_ERROR', status: 502, retryable: true, since } as const
const reserved = true

/** Every code the framework itself answers with. `docs/reference/errors.md` has a row for each. */
export const codes = {
  // The input
  INVALID_INPUT: { ...input, retryable: true },
  MISSING_REQUIRED_FIELD: { ...input, retryable: true },
  INVALID_JSON: input,
  POISONED_KEY: input,
  INPUT_TOO_DEEP: input,
  INPUT_TOO_LARGE: { ...input, status: 413 },
  UNSUPPORTED_MEDIA_TYPE: { ...input, status: 415 },
  METHOD_NOT_ALLOWED: { ...input, status: 405 },
  ROUTE_NOT_FOUND: notFound,
  CAPABILITY_NOT_FOUND: notFound,
  URI_TOO_LONG: { ...input, status: 414 },
  INVALID_REQUEST: input,
  REQUEST_INCOMPLETE: { ...input, status: 408, retryable: true },
  EXPECTATION_FAILED: { ...input, status: 417 },
  MALFORMED_REQUEST: input,
  HEADERS_TOO_LARGE: { ...input, status: 431 },
  TARGET_NOT_ALLOWED: input,
  ORIGIN_NOT_ALLOWED: { ...auth, status: 403 },

  // Who may call, and how much
  UNAUTHORIZED: { ...auth, credentials: 'caller' },
  API_KEY_MISSING: { ...auth, credentials: 'caller' },
  API_KEY_INVALID: { ...auth, credentials: 'caller' },
  FORBIDDEN: { ...auth, status: 403, credentials: 'caller' },
  AUTH_PROVIDER_UNAVAILABLE: busy,
  RATE_LIMIT_EXCEEDED: { category: 'RATE_LIMIT', status: 429, retryable: true, since },
  OVERLOADED: busy,

  // The service
  REQUEST_TIMEOUT: { ...busy, status: 504 },
  SERVICE_STOPPING: busy,
  SERVICE_UNAVAILABLE: busy,
  INTERNAL_ERROR: bug,
  CORRUPT_STATE: { ...bug, reserved },

  // A success that was not claimed
  UNSUPPORTED_SUCCESS: bug,
  MOCK_DATA_REJECTED: bug,
  OUTPUT_INVALID: bug,
  EMPTY_HANDLER_RESULT: bug,

  // A third party
  UPSTREAM_REJECTED_INPUT: input,
  UPSTREAM_NOT_FOUND: input,
  UPSTREAM_CONFLICT: input,
  UPSTREAM_AUTH_FAILED: { ...auth, credentials: 'tool' },
  UPSTREAM_FORBIDDEN: { ...auth, status: 403 },
  UPSTREAM_PAYMENT_REQUIRED: { ...auth, status: 402 },
  UPSTREAM_QUOTA_EXHAUSTED: { category: 'RATE_LIMIT', status: 429, retryable: false, since },
  UPSTREAM_RATE_LIMITED: { category: 'RATE_LIMIT', status: 429, retryable: true, since },
  UPSTREAM_UNAVAILABLE: upstream,
  UPSTREAM_REDIRECTED: { ...upstream, retryable: false },
  UPSTREAM_REFUSED: { ...upstream, retryable: false },
  UPSTREAM_UNREACHABLE: upstream,
  UPSTREAM_TIMEOUT: { ...upstream, status: 504 },
  UPSTREAM_CONNECTION_LOST: upstream,
  UPSTREAM_INVALID_RESPONSE: upstream,
  UPSTREAM_PROTOCOL_ERROR: { ...upstream, retryable: false },
  UPSTREAM_TLS_FAILED: { ...upstream, retryable: false },
  UPSTREAM_FAILED: upstream,
  CALLER_GONE: { ...busy, logOnly: true },

  // Writes that are repeated under a key
  OPERATION_IN_PROGRESS: { ...busy, reserved },
  OPERATION_NOT_FOUND: { ...notFound, reserved },
  IDEMPOTENCY_STORE_UNAVAILABLE: { ...busy, reserved },
  IDEMPOTENCY_KEY_REQUIRED: { ...input, reserved },
  IDEMPOTENCY_KEY_INVALID: { ...input, reserved },
  IDEMPOTENCY_KEY_REUSED: { ...input, status: 422, reserved }
} as const satisfies Record<string, CodeRow>

/** A code the framework answers with. */
export type FrameworkCode = keyof typeof codes

/** The row of a code, or `undefined` for a code of an author's own. */
export function rowOf (code: string): CodeRow | undefined {
  return Object.hasOwn(codes, code) ? codes[code as FrameworkCode] : undefined
}

/** Well-known codes for authors: use these names where they fit, so that agents meet the same word everywhere. */
export const wellKnownCodes = {
  LOCATION_NOT_FOUND: 'LOCATION_NOT_FOUND',
  SYMBOL_NOT_FOUND: 'SYMBOL_NOT_FOUND',
  RESOURCE_NOT_FOUND: 'RESOURCE_NOT_FOUND',
  INVALID_REQUEST: 'INVALID_REQUEST',
  MISSING_REQUIRED_FIELD: 'MISSING_REQUIRED_FIELD',
  INVALID_FORMAT: 'INVALID_FORMAT',
  API_KEY_MISSING: 'API_KEY_MISSING',
  API_KEY_INVALID: 'API_KEY_INVALID',
  UNAUTHORIZED: 'UNAUTHORIZED',
  RATE_LIMIT_EXCEEDED: 'RATE_LIMIT_EXCEEDED',
  SERVICE_UNAVAILABLE: 'SERVICE_UNAVAILABLE',
  REQUEST_TIMEOUT: 'REQUEST_TIMEOUT'
} as const

const CODE = /^[A-Z][A-Z0-9_]{1,63}$/

/** Is this a legal `error.code`: capitals, digits and underscores, 2 to 64 of them, a letter first? */
export function isCode (value: unknown): value is string {
  return typeof value === 'string' && CODE.test(value)
}
