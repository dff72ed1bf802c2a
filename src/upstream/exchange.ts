import { rowOf, WriteOutcome, type ToolError } from '../protocol/index.js'
import { withFields } from '../protocol/tool-error.js'

/** How far an exchange had come. */
export type Phase = 'dns' | 'connect' | 'tls' | 'request' | 'headers' | 'body'

/** The record of one request to an upstream and of what came of it. */
export interface Exchange {
  /** The configured label, or `unlabelled`. */
  upstream: string
  /** Is it with an upstream that the capability declares? */
  declared: boolean
  origin: string
  method: string
  /** With its query: a success elsewhere accounts for nothing here. */
  path: string
  /** What was sent, where it is known: a success of something else accounts for nothing here either. */
  body?: string | Uint8Array
  effect: 'read' | 'write'
  /** `false` only where it is proven that nothing was sent. */
  sent: boolean
  phase: Phase
  /** As it came over the wire. */
  status?: number
  /** The status that a refusal inside a 2xx names, or the default status of the category it names: it counts in place of `status`. */
  refusedAs?: number
  /** Was the whole answer read, in the right shape or as complete JSON of a wrong one? */
  complete: boolean
  success: boolean
  /** Did a stand-in that is configured as one answer? */
  simulated?: boolean
  /** The connection's owner is a guess: it accounts for nothing, and a write of this kind leaves the outcome unknown. */
  ownerUncertain?: boolean
  /** Another client than ours made it: whether its answer was wanted can only be told from the status. */
  foreign?: true
  /** The handler itself ended it: the loser of a race, a body it stopped reading. */
  abandoned?: true
  /** Where a redirect of a foreign client points, as an absolute URL. */
  location?: string
  /** That is where the next exchange went. */
  followed?: true
  /** A later success accounts for it, which is no longer kept. */
  accounted?: true
  /** It stands for others of its kind that are no longer kept: only a declaration accounts for it. */
  several?: true
  error?: unknown
  failure?: ToolError
  startedAt: number
  /** Missing while the exchange is open. */
  endedAt?: number
}

/**
 * Did it end without what was asked for? What the handler gave up, and what is still open, did not; but a write that was
 * sent and given up before its answer is one of which nobody knows.
 */
export function hasFailed ({ success, endedAt, abandoned, effect, sent, status }: Exchange): boolean {
  return !success && endedAt !== undefined && (abandoned !== true || (effect === 'write' && sent && status === undefined))
}

/** What is needed of an exchange to say what one write did. */
export type WriteEvidence = Pick<Exchange, 'sent' | 'status' | 'refusedAs' | 'complete' | 'ownerUncertain'>

/** What one write exchange did: `applied`, `not_applied`, or `unknown` where it was sent and nothing conclusive came back. */
export function exchangeOutcome (exchange: WriteEvidence): Exclude<WriteOutcome, 'partial'> {
  const status = exchange.refusedAs ?? exchange.status
  if (exchange.ownerUncertain === true) return WriteOutcome.unknown
  if (!exchange.sent) return WriteOutcome.not_applied
  if (status === undefined) return WriteOutcome.unknown
  if (status >= 200 && status <= 299) return exchange.complete ? WriteOutcome.applied : WriteOutcome.unknown
  // 307 and 308 repeat the request elsewhere, so it was not carried out here; after 301, 302 and 303 it may have been.
  const refused = (status >= 400 && status <= 499 && status !== 408) || status === 307 || status === 308
  return refused ? WriteOutcome.not_applied : WriteOutcome.unknown
}

/**
 * What the writes of a call did, over all its write exchanges with declared upstreams, or over all where none is declared;
 * a failure that a later success accounts for does not count. `undefined` where nothing was written.
 */
export function callOutcome (exchanges: readonly Exchange[]): WriteOutcome | undefined {
  const counted = countedWrites(exchanges)
  if (counted.length === 0) return undefined
  const settled = accountedFailures(counted)
  const outcomes = new Set(counted.filter(exchange => !settled.has(exchange)).map(exchange => outcomeAmong(exchange, counted)).filter(outcome => outcome !== undefined))
  if (outcomes.has(WriteOutcome.unknown)) return WriteOutcome.unknown
  return outcomes.size > 1 ? WriteOutcome.partial : [...outcomes][0]
}

/** What one of several writes did; `undefined` where its client went on to the place it was pointed to, and what happened there counts. */
function outcomeAmong (exchange: Exchange, counted: readonly Exchange[]): WriteOutcome | undefined {
  const { followed, status, location, endedAt } = exchange
  if (followed === true && (status === 307 || status === 308)) {
    return counted.some(other => other !== exchange && `${other.origin}${other.path}` === location) ? undefined : WriteOutcome.unknown
  }
  // What is still open may be sent at any moment: no proof that it was not.
  return exchangeOutcome(endedAt === undefined ? { ...exchange, sent: true } : exchange)
}

/** The writes by which a call is judged: those with declared upstreams, or all where none is with one. */
export function countedWrites (exchanges: readonly Exchange[]): readonly Exchange[] {
  const writes = exchanges.filter(({ effect }) => effect === 'write')
  const declared = writes.filter(exchange => exchange.declared)
  return declared.length > 0 ? declared : writes
}

/**
 * The failed exchanges that a later success accounts for, one for one: same origin, method, path and query, begun after
 * the failure had ended. Of several failures the latest goes first: a success is most likely its repetition.
 */
export function accountedFailures (exchanges: readonly Exchange[]): ReadonlySet<Exchange> {
  const accounted = new Set<Exchange>()
  const open = new Map<string, Exchange[]>()
  const certain = exchanges.filter(({ ownerUncertain }) => ownerUncertain !== true)
  for (const exchange of certain) {
    if (exchange.accounted === true) accounted.add(exchange)
    else if (!exchange.success && exchange.endedAt !== undefined && exchange.several !== true) entryOf(open, requestOf(exchange)).push(exchange)
  }
  if (open.size === 0) return accounted
  for (const failures of open.values()) failures.sort((a, b) => a.endedAt! - b.endedAt!)
  const successes = certain.filter(({ success }) => success).sort((a, b) => a.startedAt - b.startedAt)
  for (const success of successes) {
    const failures = open.get(requestOf(success)) ?? []
    const index = failures.findLastIndex(failure => failure.endedAt! <= success.startedAt && isSameBody(failure.body, success.body))
    if (index >= 0) accounted.add(failures.splice(index, 1)[0]!)
  }
  return accounted
}

function entryOf (map: Map<string, Exchange[]>, key: string): Exchange[] {
  let list = map.get(key)
  if (list === undefined) map.set(key, list = [])
  return list
}

function requestOf ({ origin, method, path }: Exchange): string {
  return `${method} ${origin}${path}`
}

/** Bodies that are not known are taken for the same: a client that repeats a request does not show it. */
function isSameBody (a: Exchange['body'], b: Exchange['body']): boolean {
  return a === undefined || b === undefined || a === b || Buffer.compare(Buffer.from(a), Buffer.from(b)) === 0
}

/** What tells how a write's outcome shows in its error. */
export interface OutcomeOptions {
  /** The capability is idempotent, or the call's key was forwarded to the provider: `unknown` may then be sent again. */
  idempotent?: boolean
  /** Did a write of the call end with a 409? An earlier attempt may then be what it met. */
  status409?: boolean
}

const HINTS = {
  unknown: 'The write may have been carried out. Do not send it again before its state was checked.',
  unknownIdempotent: 'The write may have been carried out. It is safe to send the same call again.',
  applied: 'Every write that was sent was carried out; the call ended before it could show its result, and later steps may not have run.',
  partial: 'Some of the writes were carried out and some were not. Do not send the call again; have the state checked.',
  conflict: 'This call changed nothing; an earlier attempt may have been carried out.'
} as const

/**
 * The error with `details.outcome`, and with all that follows from it: where the write may have happened it becomes a 500
 * `SERVICE_ERROR` that is not sent again and names no wait; code and message stay. Without an outcome the error itself.
 */
export function withOutcome (error: ToolError, outcome: WriteOutcome | undefined, options: OutcomeOptions = {}): ToolError {
  if (outcome === undefined) return error
  if (outcome === WriteOutcome.not_applied) {
    return withFields(error, { details: { ...error.details, ...(options.status409 === true && { hint: joined(HINTS.conflict, error) }), outcome } })
  }
  if (outcome === WriteOutcome.unknown && options.idempotent === true) {
    return withFields(error, { details: { ...error.details, hint: joined(error.retryable ? HINTS.unknownIdempotent : HINTS.unknown, error), outcome } })
  }
  // A wait would read as a promise that the call may be repeated after it.
  const { retry_after: _, retry_after_source: __, retry_after_capped: ___, ...details } = error.details
  return withFields(error, {
    category: 'SERVICE_ERROR', status: 500, retryable: false, retryAfterMs: undefined, details: { ...details, hint: joined(HINTS[outcome], error), outcome }
  })
}

/** Our own hints speak of the exchange and may contradict the outcome; an author wrote theirs knowing the operation. */
function joined (hint: string, { code, details }: ToolError): string {
  const written = rowOf(code) === undefined ? details.hint : undefined
  return written === undefined ? hint : `${hint} ${written}`
}
