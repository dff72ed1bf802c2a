import { codes, createToolError, isToolError, mistakesIn, type HeadersLike, type Redactor, type ToolError } from '../protocol/index.js'
import { oneLine } from '../protocol/text.js'
import { readAnswer, waitOf } from './answer.js'
import { attempt, get } from './evidence.js'
import { exchangeOutcome, withOutcome, type Phase } from './exchange.js'
import { UpstreamOutcome } from './outcome.js'
import { quoteAnswer } from './quote.js'
import { readFailure, type FailureEvidence } from './read-failure.js'
import { verdicts, type Verdict } from './verdicts.js'

export { readFailure, type FailureEvidence } from './read-failure.js'

/** What is known about the exchange beside its failure. Without it the failure is classified as that of a read. */
export interface ClassifyContext {
  /** @default 'read' */
  effect?: 'read' | 'write'
  /** A write that may be sent again whatever came of it. @default false */
  idempotent?: boolean
  /** The configured label: what the agent is told instead of an address. */
  upstream?: string
  /** `false` only where it is proven that nothing was sent; `true` says no more than nothing. */
  sent?: boolean
  /** How far the exchange had come, where the failure does not say it. */
  phase?: Phase
  /** The time the exchange had, told on a timeout. */
  timeoutMs?: number
  /** Asked first, in order: what one returns is the answer. */
  adapters?: readonly Adapter[]
  /** May the upstream's own words be quoted? Not where a caller may choose its address. @default true */
  quote?: boolean
  /** Takes known secrets out of the quotation. */
  redact?: Redactor
  /** Epoch milliseconds. @default the clock */
  now?: number
}

/**
 * A user's own rule, asked before all others; `undefined` leaves the failure to the next. One that throws, or returns
 * something that is no tool error, counts as `undefined`.
 */
export type Adapter = (failure: unknown, context: ClassifyContext) => ToolError | undefined

/** An answer that is a failure, in the shape any client has it. */
export interface UpstreamAnswer {
  status: number
  headers: HeadersLike
  /** Text, bytes or parsed JSON. */
  body?: unknown
}

const NOTHING_KNOWN: FailureEvidence = { outcome: UpstreamOutcome.failed, proof: 'text' }

/**
 * A tool error for anything that calling an upstream threw, read from names, codes, statuses and headers. Total: it never
 * throws, and no text it was given gets into `message`. A tool error is returned as it is.
 */
export function classifyUpstreamError (error: unknown, context: ClassifyContext = {}): ToolError {
  const adapted = adapt(error, context)
  if (adapted === undefined && isSound(error)) return error
  const evidence = readFailure(error, context.now) ?? NOTHING_KNOWN
  return settle(adapted ?? compose(evidence, context, error), evidence, context)
}

/** A tool error for an answer that is a failure; for a 2xx, one whose body is not what it was asked for. */
export function classifyUpstreamResponse (response: UpstreamAnswer, context: ClassifyContext = {}): ToolError {
  const evidence = readResponse(response, context.now)
  return settle(adapt(response, context) ?? compose(evidence, context, undefined), evidence, context)
}

function readResponse (response: UpstreamAnswer, now: number | undefined): FailureEvidence {
  const status = get(response, 'status')
  if (typeof status !== 'number' || !Number.isInteger(status)) return NOTHING_KNOWN
  const { outcome, countsAs, headers, body } = readAnswer({ status, headers: get(response, 'headers'), body: get(response, 'body') }, now)
  return { outcome, proof: 'status', status, countsAs, headers, body, phase: status >= 200 && status <= 299 ? 'body' : undefined }
}

function adapt (failure: unknown, context: ClassifyContext): ToolError | undefined {
  for (const adapter of context.adapters ?? []) {
    const adapted = attempt(() => adapter(failure, context))
    if (adapted !== undefined && isSound(adapted)) return adapted
  }
  return undefined
}

/** A proxy may answer "yes" to the question for the brand, and to every other. */
function isSound (value: unknown): value is ToolError {
  return attempt(() => isToolError(value) && mistakesIn(value).length === 0) === true
}

function compose (evidence: FailureEvidence, context: ClassifyContext, cause: unknown): ToolError {
  const { outcome, status, headers = {}, body = {} } = evidence
  const end = endOf(evidence, context)
  const { code, message, hint }: Verdict = verdicts[end.outcome]
  const { category, status: ownStatus, retryable } = codes[code]
  const wait = retryable ? waitOf(outcome, status, headers, context.now) : undefined
  return createToolError({
    code,
    message: message(nameOf(context.upstream), context.timeoutMs === undefined ? 'in time' : `within ${context.timeoutMs} ms`),
    category,
    status: ownStatus,
    retryable,
    details: {
      hint,
      upstream: context.upstream,
      upstream_status: status,
      phase: end.phase,
      api_error: context.quote === false ? undefined : quoteAnswer(body, headers, context.redact),
      retry_after_capped: wait?.capped === true ? 'true' : undefined
    },
    retryAfterMs: wait?.ms,
    cause
  })
}

/** A lost connection is the same error whenever it happens: what the exchange had done tells what it means. */
function endOf ({ outcome, phase, status }: FailureEvidence, context: ClassifyContext): { outcome: UpstreamOutcome, phase?: Phase } {
  const reached = phase ?? (status === undefined ? context.phase : undefined)
  if (outcome !== UpstreamOutcome.connection_lost) return { outcome, phase: reached }
  if (context.sent === false) return { outcome: UpstreamOutcome.unreachable, phase: reached }
  return { outcome: reached === 'body' ? UpstreamOutcome.invalid_response : outcome, phase: reached }
}

function nameOf (label: string | undefined): string {
  return label === undefined || label === 'unlabelled' ? 'An upstream' : `Upstream '${oneLine(label, 64)}'`
}

function settle (error: ToolError, evidence: FailureEvidence, context: ClassifyContext): ToolError {
  if (context.effect !== 'write') return error
  // A number in a sentence proves nothing about what was carried out.
  const status = evidence.proof === 'text' ? undefined : evidence.countsAs ?? evidence.status
  // What was answered was sent, whoever says otherwise.
  const sent = status !== undefined || (context.sent !== false && evidence.unsent !== true)
  const outcome = exchangeOutcome({ sent, status, complete: evidence.body?.json !== undefined })
  return withOutcome(error, outcome, { idempotent: context.idempotent, status409: status === 409 })
}
