import { isCategory, type Category } from './category.js'
import type { WriteOutcome } from './write-outcome.js'

/** One source that failed while others answered. */
export interface PartialSource { source: string, code: string, message: string }

/** What is said about a success beside its data; never changes what the data means. */
export interface Meta {
  /** Labels of the declared upstreams that answered with success. */
  sources?: string[]
  partial?: PartialSource[]
  cached?: boolean
  /** When cached data was true, ISO 8601. */
  as_of?: string
  fallback?: { from: string, to: string }
  empty?: { searched: string, candidates?: number, widen?: string }
  /** The data comes from a simulated upstream. */
  simulated?: boolean
  warnings?: Array<{ rule: string, source?: string, code?: string }>
  operation_id?: string
  status?: 'pending'
  replayed?: boolean
  idempotency?: string
}

/** `error` as it crosses the wire; `details` maps text to text. */
export interface ErrorBody {
  code: string
  message: string
  category: Category
  retryable: boolean
  details: Record<string, string>
}

export interface SuccessEnvelope<T = unknown> { success: true, data: T, meta?: Meta }
export interface FailureEnvelope { success: false, error: ErrorBody }

/** Every answer to a call: `data` only on success, `error` only on failure. */
export type Envelope<T = unknown> = SuccessEnvelope<T> | FailureEnvelope

/** What a reader may conclude from a body it did not write. */
export type Reading =
  | { success: true, data: unknown, meta: Meta | undefined, retryable: undefined }
  | { success: false, error: ReadError, retryable: boolean | undefined }
  | { success: undefined, retryable: undefined }

/** The parts of a foreign `error` that have the right type. */
export interface ReadError {
  code?: string
  message?: string
  category?: Category
  details: Record<string, string>
}

/**
 * Reads a parsed body as an envelope; never throws and never guesses.
 * `retryable` has three states: `true` permitted, `false` refused, `undefined` not said.
 */
export function readEnvelope (body: unknown): Reading {
  if (!isRecord(body)) return { success: undefined, retryable: undefined }
  const success = own(body, 'success')
  if (success === true) {
    const meta = own(body, 'meta')
    return { success, data: own(body, 'data'), meta: isRecord(meta) ? meta : undefined, retryable: undefined }
  }
  if (success !== false) return { success: undefined, retryable: undefined }
  const error = own(body, 'error')
  if (!isRecord(error)) return { success, error: { details: {} }, retryable: undefined }
  const retryable = own(error, 'retryable')
  return { success, error: readError(error), retryable: typeof retryable === 'boolean' ? retryable : undefined }
}

/** `details.outcome` of a failure, where it is one of the words of the protocol. */
export function readOutcome (error: ReadError): WriteOutcome | undefined {
  const { outcome } = error.details
  return outcome === 'unknown' || outcome === 'applied' || outcome === 'partial' || outcome === 'not_applied' ? outcome : undefined
}

function readError (error: Record<string, unknown>): ReadError {
  const [code, message, category, details] = ['code', 'message', 'category', 'details'].map(key => own(error, key))
  return {
    ...(typeof code === 'string' && { code }),
    ...(typeof message === 'string' && { message }),
    ...(isCategory(category) && { category }),
    details: isRecord(details) ? Object.fromEntries(Object.entries(details).filter((entry): entry is [string, string] => typeof entry[1] === 'string')) : {}
  }
}

function own (record: Record<string, unknown>, key: string): unknown {
  return Object.hasOwn(record, key) ? record[key] : undefined
}

function isRecord (value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
