import { isAnswer, unaccounted } from '../policy/honesty.js'
import { rowOf } from '../protocol/codes.js'
import { createToolError, isToolError, mistakesIn, type ToolError } from '../protocol/tool-error.js'
import { WriteOutcome } from '../protocol/write-outcome.js'
import { classifyUpstreamError, readFailure, type FailureEvidence } from '../upstream/classify.js'
import { attempt, chainOf, linksOf } from '../upstream/evidence.js'
import { withOutcome, type Exchange } from '../upstream/exchange.js'
import { UpstreamOutcome } from '../upstream/outcome.js'
import { verdicts } from '../upstream/verdicts.js'
import type { CallState } from './state.js'

/** What a thrown value means for the caller, and whether somebody declared it. */
export interface Thrown {
  error: ToolError
  /** A declared error, a failed upstream, or one of the framework's own: not a bug. */
  declared: boolean
}

/** Our own bug, for the caller: fixed text, nothing of what was thrown. The log has it under the request id. */
export function internalError (cause: unknown): ToolError {
  const { code, message, hint } = verdicts.own_mistake
  return createToolError({ code, category: 'SERVICE_ERROR', status: 500, message: message(), details: { hint }, cause })
}

/**
 * What a value thrown by a handler means: a tool error is itself, wrapped or not; the error of an exchange is that exchange's
 * failure; a connection's error code is an upstream's; a response status counts only where the call made a request. What
 * carries nothing is the last failed exchange that nothing accounts for, else a bug.
 */
export function classifyThrown (thrown: unknown, state: CallState): Thrown {
  const own = toolErrorIn(thrown)
  if (own !== undefined) return isAnswerable(own, state) ? { error: own, declared: true } : { error: internalError(undeclared(own, state)), declared: false }
  const { exchanges } = state.ledger
  const failure = readFailure(thrown)
  const exchange = exchangeOf(thrown, failure, exchanges)
  if (exchange?.failure !== undefined && (isErrorOf(exchange, thrown) || saysLess(failure))) return { error: exchange.failure, declared: true }
  if (failure !== undefined && (exchange !== undefined || failure.proof === 'code' || (failure.proof === 'status' && exchanges.length > 0))) {
    const error = classifyUpstreamError(causeOf(thrown, failure, state), exchange && { upstream: exchange.upstream, sent: exchange.sent, phase: exchange.phase })
    return { error: exchange === undefined ? ofStranger(error, failure, state) : error, declared: true }
  }
  const last = lastFailure(state)
  return last?.failure !== undefined
    ? { error: ofStranger(last.failure, failure, state), declared: true }
    : { error: ofStranger(internalError(thrown), failure, state), declared: false }
}

/** The exchange that a thrown value speaks of: the one whose error it is or wraps; else the last that ended in the same way. */
function exchangeOf (thrown: unknown, failure: FailureEvidence | undefined, exchanges: readonly Exchange[]): Exchange | undefined {
  const certain = exchanges.filter(({ success, ownerUncertain }) => !success && ownerUncertain !== true)
  if (certain.length === 0) return undefined
  const same = certain.findLast(exchange => isErrorOf(exchange, thrown))
  if (same !== undefined || failure === undefined || failure.proof === 'text' || failure.outcome === UpstreamOutcome.own_mistake) return same
  if (failure.status !== undefined) return certain.findLast(({ status }) => status === failure.status)
  // A client may give up a request before its end is seen, or without a word of why.
  return certain.findLast(exchange => exchange.failure?.code === verdicts[failure.outcome].code) ?? certain.findLast(({ foreign, failure }) => foreign === true && failure === undefined)
}

function isErrorOf ({ error }: Exchange, thrown: unknown): boolean {
  return typeof error === 'object' && error !== null && linksOf(chainOf(thrown)).some(({ value }) => value === error)
}

/** Is it a status alone, of an answer whose headers the exchange has? */
function saysLess (failure: FailureEvidence | undefined): boolean {
  return failure?.status !== undefined && failure.body?.json === undefined && Object.keys({ ...failure.headers }).length === 0
}

/** What another client's handler got as an answer is a failure only if nothing was asked after it: it may have been wanted. */
function lastFailure ({ ledger: { exchanges }, said }: CallState): Exchange | undefined {
  return unaccounted(exchanges, said).findLast(exchange => !isAnswer(exchange) || exchange === exchanges.at(-1))
}

/** Why a tool error is not passed on, for the log. */
function undeclared (own: ToolError, { capability: { name } }: CallState): Error {
  return new TypeError(`${name} failed with ${own.code}, which is none of its declared errors: ${own.message}`, { cause: own })
}

/** The first tool error that a value is or wraps; one that only says to be one is none. */
function toolErrorIn (thrown: unknown): ToolError | undefined {
  if (isSound(thrown)) return thrown
  return linksOf(chainOf(thrown)).map(({ value }) => value).find(isSound)
}

function isSound (value: unknown): value is ToolError {
  return attempt(() => isToolError(value) && mistakesIn(value).length === 0) === true
}

/** An abort while the caller still waits is the handler's own: its time was up, not the caller's patience. */
function causeOf (thrown: unknown, { outcome }: FailureEvidence, { deadline }: CallState): unknown {
  const aborted = outcome === UpstreamOutcome.caller_gone && deadline.ended !== 'caller_gone'
  return aborted ? Object.assign(new Error('Aborted by the handler.', { cause: thrown }), { code: 'ETIMEDOUT' }) : thrown
}

/**
 * What a client throws of which no exchange is known is a sign that more may have been sent than is recorded: whatever it
 * says of itself, a write is then of unknown outcome. Our own client throws tool errors alone.
 */
function ofStranger (error: ToolError, failure: FailureEvidence | undefined, { capability: { effect, idempotent } }: CallState): ToolError {
  const ownMistake = failure?.outcome === UpstreamOutcome.own_mistake && (failure.proof === 'name' || failure.unsent === true)
  return effect === 'write' && failure !== undefined && !ownMistake ? withOutcome(error, WriteOutcome.unknown, { idempotent }) : error
}

/** The codes that discovery publishes for the capability: its own, and the framework's. */
function isAnswerable (error: ToolError, { capability }: CallState): boolean {
  return Object.hasOwn(capability.errors, error.code) || rowOf(error.code) !== undefined
}
