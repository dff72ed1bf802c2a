import { isCallerRefused } from './caller-refused.js'
import { rowOf } from './codes.js'
import type { Meta } from './envelope.js'
import { fitFailure } from './fit.js'
import { JSON_TYPE, responseHeaders, securityHeaders } from './headers.js'
import { isResend, nextAction } from './next-action.js'
import { boundWait, DEFAULT_WAIT_MS, formatWait } from './retry-after.js'
import type { ToolError } from './tool-error.js'

/** An answer ready for any door: the body is JSON text. */
export interface Answer {
  status: number
  headers: Record<string, string>
  body: string
}

/** An answer for a door that writes the security headers, the same on every answer, by itself. */
export interface MadeAnswer extends Answer {
  /** The other headers. */
  readonly own: Record<string, string>
}

// With all their names from the beginning: an object that is put together of two, or grows, costs every answer more than the rest of it.
const SUCCESS_HEADERS = { ...securityHeaders, 'content-type': JSON_TYPE, [responseHeaders.requestId]: '' }
const FAILURE_HEADERS = { ...SUCCESS_HEADERS, [responseHeaders.shouldRetry]: '' }

/** Details the framework writes itself, and one that never crosses the wire: what an author put under these names is replaced or left out. */
const COMPUTED = new Set(['next_action', 'request_id', 'retry_after', 'retry_after_source', 'credentials', 'original_error'])

const HAND_WRITTEN_WAIT = /^(\d{1,9})s$/

/** A success around JSON text that was already checked. Status 202 where `meta.status` is `pending`. */
export function successAnswer (dataText: string, meta: Meta | undefined, requestId: string): Answer {
  return asAnswer(makeSuccess(dataText, meta, requestId))
}

/** The same, with its own headers apart. */
export function makeSuccess (dataText: string, meta: Meta | undefined, requestId: string): MadeAnswer {
  return {
    status: meta?.status === 'pending' ? 202 : 200,
    headers: { ...SUCCESS_HEADERS, [responseHeaders.requestId]: requestId },
    own: { 'content-type': JSON_TYPE, [responseHeaders.requestId]: requestId },
    body: `{"success":true,"data":${dataText}${metaText(meta)}}`
  }
}

/** Makes a wait longer where others come back at that moment, in milliseconds. Never shorter. */
export type Spread = (ms: number) => number

/** A failure with its status, headers and bounded details; a wait that it carries is told as `spread` says. */
export function failureAnswer (error: ToolError, requestId: string, spread?: Spread): Answer {
  return asAnswer(makeFailure(error, requestId, spread))
}

/** The same, with its own headers apart. */
export function makeFailure (error: ToolError, requestId: string, spread?: Spread): MadeAnswer {
  const { code, category, retryable, status } = error
  const wait = waitOf(error, spread)
  const details: Record<string, string> = {}
  for (const key of Object.keys(error.details)) {
    // Where no wait is told, none was made shorter.
    if (!COMPUTED.has(key) && (wait !== undefined || key !== 'retry_after_capped')) details[key] = error.details[key]!
  }
  const credentials = rowOf(code)?.credentials ?? (status === 401 && isCallerRefused(error) ? 'caller' : undefined)
  if (credentials !== undefined) details.credentials = credentials
  if (wait !== undefined) Object.assign(details, wait.details)
  const action = nextAction({ code, status, retryable, details })
  details.next_action = action
  details.request_id = requestId
  const own: Record<string, string> = { 'content-type': JSON_TYPE, [responseHeaders.requestId]: requestId, [responseHeaders.shouldRetry]: String(isResend(action)) }
  if (wait !== undefined) own[responseHeaders.retryAfter] = wait.header
  if (status === 401 && credentials === 'caller') own['www-authenticate'] = 'Bearer'
  return {
    status,
    headers: Object.assign({ ...FAILURE_HEADERS }, own),
    own,
    body: fitFailure({ code, message: error.message, category, retryable, details })
  }
}

function asAnswer ({ status, headers, body }: MadeAnswer): Answer {
  return { status, headers, body }
}

/** No wait is told where the call may not be repeated: it would read as a promise. */
function waitOf (error: ToolError, spread: Spread = asItIs): { header: string, details: Record<string, string> } | undefined {
  if (!error.retryable) return undefined
  const written = HAND_WRITTEN_WAIT.exec(error.details.retry_after ?? '')?.[1]
  const known = error.retryAfterMs ?? (written === undefined ? undefined : Number(written) * 1000)
  if (known === undefined && error.category !== 'RATE_LIMIT') return undefined
  const { ms, capped } = boundWait(known ?? DEFAULT_WAIT_MS)
  const { header, detail } = formatWait(spread(ms))
  return {
    header,
    details: {
      retry_after: detail,
      ...(known === undefined && { retry_after_source: 'default' }),
      ...(capped && { retry_after_capped: 'true' })
    }
  }
}

function asItIs (ms: number): number {
  return ms
}

function metaText (meta: Meta | undefined): string {
  if (meta === undefined) return ''
  const text = JSON.stringify(meta)
  return text === '{}' ? '' : `,"meta":${text}`
}
