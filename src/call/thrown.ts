import { rowOf } from '../protocol/codes.js'
import { createToolError, isToolError, type ToolError } from '../protocol/tool-error.js'
import { classifyUpstreamError, readFailure } from '../upstream/classify.js'
import { accountedFailures } from '../upstream/exchange.js'
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
 * What a value thrown by a handler means: a tool error is itself, a connection's error code is the upstream's failure,
 * a response status counts only where the call made a request. What carries nothing is the last failed exchange, else a bug.
 */
export function classifyThrown (thrown: unknown, state: CallState): Thrown {
  if (isToolError(thrown)) return isAnswerable(thrown, state) ? { error: thrown, declared: true } : { error: internalError(thrown), declared: false }
  const failure = readFailure(thrown)
  const known = failure !== undefined && (failure.proof === 'code' || (failure.proof === 'status' && state.exchanges.length > 0))
  if (known) {
    const { effect, idempotent } = state.capability
    return { error: classifyUpstreamError(thrown, { effect, idempotent }), declared: true }
  }
  const accounted = accountedFailures(state.exchanges)
  const failed = state.exchanges.findLast(exchange => exchange.failure !== undefined && !accounted.has(exchange))?.failure
  return failed !== undefined ? { error: failed, declared: true } : { error: internalError(thrown), declared: false }
}

/** The codes that discovery publishes for the capability: its own, and the framework's. */
function isAnswerable (error: ToolError, { capability }: CallState): boolean {
  return Object.hasOwn(capability.errors, error.code) || rowOf(error.code) !== undefined
}
