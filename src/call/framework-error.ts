import { codes, type FrameworkCode } from '../protocol/codes.js'
import { createToolError, type DetailValue, type ToolError } from '../protocol/tool-error.js'

/** The only parts of Fastify's errors that are read: never their message, which speaks to an author. */
export interface FrameworkErrorLike {
  code?: unknown
  statusCode?: unknown
}

interface Row { code: FrameworkCode, message: string, details?: Readonly<Record<string, DetailValue>> }

const INVALID_JSON: Row = { code: 'INVALID_JSON', message: 'The body is not JSON.', details: { expected: 'one JSON value' } }
const TOO_LONG: Row = { code: 'URI_TOO_LONG', message: 'The address of the request is too long.' }
const MALFORMED: Row = { code: 'MALFORMED_REQUEST', message: 'The request is not well formed.' }

/** Fastify's own errors that are a caller's doing. */
const ROWS: Readonly<Record<string, Row>> = {
  FST_ERR_CTP_INVALID_JSON_BODY: INVALID_JSON,
  FST_ERR_CTP_EMPTY_JSON_BODY: { ...INVALID_JSON, message: 'The body is empty; this route wants JSON.' },
  FST_ERR_CTP_BODY_TOO_LARGE: { code: 'INPUT_TOO_LARGE', message: 'The body is larger than this service takes.' },
  FST_ERR_CTP_INVALID_MEDIA_TYPE: { code: 'UNSUPPORTED_MEDIA_TYPE', message: 'The content type is not one this route reads.', details: { expected: 'application/json' } },
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: { code: 'REQUEST_INCOMPLETE', message: 'The body is not as long as its content-length says.' },
  FST_ERR_BAD_URL: { ...MALFORMED, message: 'The address of the request is not a valid URL.' },
  FST_ERR_MAX_PARAM_LENGTH: TOO_LONG
}

/** The failure that one of Fastify's own errors is; `undefined` for an error that is no caller's doing. */
export function frameworkError (error: FrameworkErrorLike): ToolError | undefined {
  const row = typeof error.code === 'string' && Object.hasOwn(ROWS, error.code) ? ROWS[error.code] : undefined
  if (row !== undefined) return fromRow(row.code, row.message, row.details)
  const foreign = typeof error.code === 'string' && error.code.startsWith('FST_') && Number(error.statusCode) >= 400 && Number(error.statusCode) <= 499
  return foreign ? fromRow('INVALID_REQUEST', 'The request is not one this route takes.') : undefined
}

/** A failure with the category, status and flag of the framework's own table. */
export function fromRow (code: FrameworkCode, message: string, details?: Readonly<Record<string, DetailValue>>, cause?: unknown): ToolError {
  const { category, status, retryable } = codes[code]
  return createToolError({ code, message, category, status, retryable, details, cause })
}
