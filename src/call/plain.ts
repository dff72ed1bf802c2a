import { isCategory } from '../protocol/category.js'
import { createToolError, isToolError, mistakesIn, type ToolError, type ToolErrorInit } from '../protocol/tool-error.js'
import { firstProblem } from '../schema/first-problem.js'
import { isSchema as isObject } from '../schema/walk.js'
import { classifyUpstreamError, readFailure } from '../upstream/classify.js'
import { withOutcome } from '../upstream/exchange.js'
import { frameworkError, statusError, type Circumstances } from './framework-error.js'
import { outputInvalid } from './output.js'
import { isViolation, routeInputError } from './route-input.js'
import { internalError } from './thrown.js'

/** A tool error as an author writes it, or anything that was thrown. */
export type Failure = ToolError | ToolErrorInit | unknown

/** What a request asks for, as far as its method says it. */
export type Effect = 'read' | 'write'

/** The effect of a plain route: reading methods read, all others write. */
export function effectOf (method: string): Effect {
  return method === 'GET' || method === 'HEAD' || method === 'OPTIONS' ? 'read' : 'write'
}

/**
 * The tool error that anything given to `reply.sendToolError` is, on a route that is no capability's.
 * A literal with a category is taken at its word; of anything thrown neither status nor message is passed on.
 */
export function toToolError (failure: Failure, effect: Effect, circumstances?: Circumstances): ToolError {
  if (isToolError(failure)) return failure
  if (isLiteral(failure)) return fromLiteral(failure)
  return validationError(failure) ?? frameworkError(failure, circumstances) ?? unwritable(failure) ?? connectionError(failure, effect) ?? internalError(failure)
}

/**
 * The tool error that anything thrown before a handler ran is: there a 4xx is a plugin's word about the request. Nothing
 * was carried out, which is said where a write may be sent again.
 */
export function refusalOf (thrown: unknown, effect: Effect, circumstances?: Circumstances): ToolError {
  const known = isToolError(thrown) || isLiteral(thrown) ? undefined : validationError(thrown) ?? statusError(thrown, circumstances)
  const error = known ?? toToolError(thrown, effect, circumstances)
  return effect === 'write' && error.retryable && error.details.outcome === undefined ? withOutcome(error, 'not_applied') : error
}

/** An `Error` is never a literal: its message was written for a log. */
function isLiteral (value: unknown): value is ToolErrorInit {
  return typeof value === 'object' && value !== null && !(value instanceof Error) && isCategory((value as { category?: unknown }).category)
}

/** A literal's status outside its category's row is never sent: the category's own is. */
function fromLiteral (literal: ToolErrorInit): ToolError {
  const init = { ...literal, details: withoutOutcome(literal.details) }
  const mistakes = mistakesIn(init)
  if (mistakes.length === 0) return createToolError(init)
  const { code, message, category, details, retryAfterMs, cause } = init
  const mended = { code, message, category, details, retryAfterMs, cause }
  return mistakesIn(mended).length === 0 ? createToolError(mended) : internalError(new TypeError(mistakes.join(' ')))
}

/** What a write did is the framework's statement, not a handler's. */
function withoutOutcome (details: ToolErrorInit['details']): ToolErrorInit['details'] {
  if (!isObject(details) || !('outcome' in details)) return details
  const { outcome: _, ...own } = details
  return own
}

/** A violation that Fastify's own validator found in a route's schema. */
function validationError (thrown: unknown): ToolError | undefined {
  const { validation, validationContext } = (thrown ?? {}) as { validation?: unknown, validationContext?: unknown }
  return Array.isArray(validation) && isViolation(validation[0]) ? routeInputError(firstProblem(validation[0]), validationContext) : undefined
}

const NOT_A_BODY = new Set(['FST_ERR_REP_INVALID_PAYLOAD_TYPE', 'FST_ERR_REP_RESPONSE_BODY_CONSUMED', 'FST_ERR_REP_READABLE_STREAM_LOCKED'])

/** What a route returned and Fastify could not write down: it marks an error of the serialiser with the route's own configuration. */
function unwritable (thrown: unknown): ToolError | undefined {
  if (!(thrown instanceof Error)) return undefined
  const { serialization, code } = thrown as { serialization?: unknown, code?: unknown }
  return typeof serialization === 'object' || NOT_A_BODY.has(String(code)) ? outputInvalid(thrown.message) : undefined
}

function connectionError (thrown: unknown, effect: Effect): ToolError | undefined {
  return readFailure(thrown)?.proof === 'code' ? classifyUpstreamError(thrown, { effect }) : undefined
}
