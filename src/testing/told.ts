import type { Category } from '../protocol/category.js'
import type { WriteOutcome } from '../protocol/write-outcome.js'

/** What an agent is told of one failure, as far as it acts on it. */
export interface Told {
  readonly code: string
  readonly status: number
  readonly category: Category
  readonly retryable: boolean
  /** `details.next_action` */
  readonly next: string
  /** `details.outcome`, of a write. */
  readonly outcome?: WriteOutcome
}

/** What a read is told, and what is known of a write exchange that ends like this. */
export interface Row extends Told {
  readonly outcome: 'unknown' | 'not_applied'
}

function row (code: string, status: number, category: Category, retryable: boolean, next: string, outcome: Row['outcome']): Row {
  return { code, status, category, retryable, next, outcome }
}

/** The table of failed upstreams, written down from the protocol (section 6) and not from the classifier that it tests. */
export const rows = {
  rejected: row('UPSTREAM_REJECTED_INPUT', 400, 'INPUT_ERROR', false, 'stop', 'not_applied'),
  notFound: row('UPSTREAM_NOT_FOUND', 400, 'INPUT_ERROR', false, 'stop', 'not_applied'),
  conflict: row('UPSTREAM_CONFLICT', 400, 'INPUT_ERROR', false, 'stop', 'not_applied'),
  unauthorized: row('UPSTREAM_AUTH_FAILED', 401, 'AUTH_ERROR', false, 'fix_credentials', 'not_applied'),
  forbidden: row('UPSTREAM_FORBIDDEN', 403, 'AUTH_ERROR', false, 'stop', 'not_applied'),
  payment: row('UPSTREAM_PAYMENT_REQUIRED', 402, 'AUTH_ERROR', false, 'stop', 'not_applied'),
  limited: row('UPSTREAM_RATE_LIMITED', 429, 'RATE_LIMIT', true, 'wait_and_retry', 'not_applied'),
  locked: row('UPSTREAM_UNAVAILABLE', 502, 'SERVICE_ERROR', true, 'retry', 'not_applied'),
  unavailable: row('UPSTREAM_UNAVAILABLE', 502, 'SERVICE_ERROR', true, 'retry', 'unknown'),
  unavailableForNow: row('UPSTREAM_UNAVAILABLE', 502, 'SERVICE_ERROR', true, 'wait_and_retry', 'unknown'),
  redirected: row('UPSTREAM_REDIRECTED', 502, 'SERVICE_ERROR', false, 'stop', 'unknown'),
  repeatedElsewhere: row('UPSTREAM_REDIRECTED', 502, 'SERVICE_ERROR', false, 'stop', 'not_applied'),
  refusedStatus: row('UPSTREAM_REFUSED', 502, 'SERVICE_ERROR', false, 'stop', 'not_applied'),
  strangeStatus: row('UPSTREAM_REFUSED', 502, 'SERVICE_ERROR', false, 'stop', 'unknown'),
  unreachable: row('UPSTREAM_UNREACHABLE', 502, 'SERVICE_ERROR', true, 'retry', 'not_applied'),
  notConnected: row('UPSTREAM_TIMEOUT', 504, 'SERVICE_ERROR', true, 'retry', 'not_applied'),
  late: row('UPSTREAM_TIMEOUT', 504, 'SERVICE_ERROR', true, 'retry', 'unknown'),
  deadline: row('REQUEST_TIMEOUT', 504, 'SERVICE_ERROR', true, 'retry', 'unknown'),
  lost: row('UPSTREAM_CONNECTION_LOST', 502, 'SERVICE_ERROR', true, 'retry', 'unknown'),
  invalid: row('UPSTREAM_INVALID_RESPONSE', 502, 'SERVICE_ERROR', true, 'retry', 'unknown'),
  notHttp: row('UPSTREAM_PROTOCOL_ERROR', 502, 'SERVICE_ERROR', false, 'stop', 'unknown'),
  untrusted: row('UPSTREAM_TLS_FAILED', 502, 'SERVICE_ERROR', false, 'stop', 'not_applied'),
  /** JSON that another client's handler could not read: its error says nothing of where the text came from. */
  unread: row('INTERNAL_ERROR', 500, 'SERVICE_ERROR', false, 'stop', 'unknown')
} as const satisfies Record<string, Row>

/** What a call did beside meeting the broken upstream. */
export interface Circumstances {
  readonly effect: 'read' | 'write'
  readonly idempotent: boolean
  /** Was the broken upstream to be written to, or only looked up in? */
  readonly wrote: boolean
  /** Was another write of the call carried out? */
  readonly applied: boolean
}

/** What the caller is told of a row in these circumstances: the protocol's table of writes. */
export function toldOf ({ outcome: sent, ...read }: Row, { effect, idempotent, wrote, applied }: Circumstances): Told {
  if (effect === 'read') return read
  if (wrote && sent === 'unknown') {
    return idempotent ? { ...read, next: read.retryable ? read.next : 'escalate', outcome: 'unknown' } : escalated(read, 'unknown')
  }
  if (applied) return escalated(read, wrote ? 'partial' : 'applied')
  return { ...read, outcome: 'not_applied' }
}

/** The code stays; nothing is to be sent again. */
export function escalated ({ code }: Pick<Told, 'code'>, outcome: WriteOutcome): Told {
  return { code, status: 500, category: 'SERVICE_ERROR', retryable: false, next: 'escalate', outcome }
}
