import { codes, type FrameworkCode } from '../protocol/codes.js'
import { readRetryAfter } from '../protocol/retry-after.js'
import { createToolError, withFields, type DetailValue, type ToolError } from '../protocol/tool-error.js'

/** What the server knows of the request that failed. */
export interface Circumstances {
  /** The largest body the route takes, in bytes. */
  bodyLimit?: number
  /** The `retry-after` that a plugin has put on the reply already. */
  retryAfter?: unknown
}

interface Row { code: FrameworkCode, message: string, details?: Readonly<Record<string, DetailValue>> }

const INVALID_JSON: Row = { code: 'INVALID_JSON', message: 'The body is not JSON.', details: { expected: 'one JSON value' } }

/** Fastify's own errors that say more than their status does. */
const BY_CODE: Readonly<Record<string, Row>> = {
  FST_ERR_CTP_INVALID_JSON_BODY: INVALID_JSON,
  FST_ERR_CTP_EMPTY_JSON_BODY: { ...INVALID_JSON, message: 'The body is empty; this route wants JSON.' },
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: { code: 'REQUEST_INCOMPLETE', message: 'The body is not as long as its content-length says.' },
  FST_ERR_BAD_URL: { code: 'MALFORMED_REQUEST', message: 'The address of the request is not a valid URL.' }
}

const ANY: Row = { code: 'INVALID_REQUEST', message: 'The request is not one this route takes.' }

/** What a 4xx of Fastify or of a plugin says to a caller, in our code and our text. */
const BY_STATUS: Readonly<Record<number, Row>> = {
  401: { code: 'UNAUTHORIZED', message: 'The request carries no credentials that are valid here.' },
  403: { code: 'FORBIDDEN', message: 'The request is not allowed with these credentials.' },
  404: { code: 'ROUTE_NOT_FOUND', message: 'There is nothing at this address.' },
  405: { code: 'METHOD_NOT_ALLOWED', message: 'This address does not take the method of the request.' },
  408: { code: 'REQUEST_INCOMPLETE', message: 'The request did not arrive in time.' },
  413: { code: 'INPUT_TOO_LARGE', message: 'The body is larger than this route takes.' },
  414: { code: 'URI_TOO_LONG', message: 'The address of the request, or a part of it, is too long.' },
  415: { code: 'UNSUPPORTED_MEDIA_TYPE', message: 'The content type is not one this route reads.' },
  417: { code: 'EXPECTATION_FAILED', message: 'The server cannot do what the Expect header asks for.' },
  429: { code: 'RATE_LIMIT_EXCEEDED', message: 'There were too many requests in too short a time.' },
  431: { code: 'HEADERS_TOO_LARGE', message: 'The headers of the request are too large.' }
}

// `@fastify/error` marks what it makes. A copy of another server's error body can have the code and the name, not the mark.
const MARK = Symbol.for('fastify-error-generic')

/** The failure that an error made by Fastify or one of its plugins is, wherever it was thrown; `undefined` for any other, and for one that is no caller's doing. */
export function frameworkError (error: unknown, circumstances: Circumstances = {}): ToolError | undefined {
  return isObject(error) && error[MARK] === true ? statusError(error, circumstances) : undefined
}

/**
 * The failure that an error is which was thrown before a handler ran: there a 4xx is a plugin's word about the request.
 * Its message speaks to an author and never passes. `undefined` without a 4xx.
 */
export function statusError (error: unknown, { bodyLimit, retryAfter }: Circumstances = {}): ToolError | undefined {
  if (!isObject(error)) return undefined
  const status = [error.statusCode, error.status].find(isRefusal)
  if (status === undefined) return undefined
  const { code, message, details } = (typeof error.code === 'string' && Object.hasOwn(BY_CODE, error.code) ? BY_CODE[error.code] : undefined) ?? BY_STATUS[status] ?? ANY
  const limit = error.code === 'FST_ERR_CTP_BODY_TOO_LARGE' && bodyLimit !== undefined ? { expected: `at most ${bodyLimit} bytes` } : undefined
  const failure = fromRow(code, limit === undefined ? message : `The body is larger than the ${bodyLimit} bytes this route takes.`, limit ?? details, error)
  return code === 'RATE_LIMIT_EXCEEDED' ? withFields(failure, { retryAfterMs: readRetryAfter(429, { 'retry-after': retryAfter })?.ms }) : failure
}

/** A failure with the category, status and flag of the framework's own table. */
export function fromRow (code: FrameworkCode, message: string, details?: Readonly<Record<string, DetailValue>>, cause?: unknown): ToolError {
  const { category, status, retryable } = codes[code]
  return createToolError({ code, message, category, status, retryable, details, cause })
}

function isRefusal (status: unknown): status is number {
  return typeof status === 'number' && Number.isInteger(status) && status >= 400 && status <= 499
}

function isObject (value: unknown): value is Record<string | symbol, unknown> {
  return typeof value === 'object' && value !== null
}
