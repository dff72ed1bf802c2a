import { isCategory } from '../protocol/category.js'
import { createToolError, isToolError, mistakesIn, type ToolError, type ToolErrorInit } from '../protocol/tool-error.js'
import { firstProblem } from '../schema/first-problem.js'
import { classifyUpstreamError, readFailure } from '../upstream/classify.js'
import { frameworkError, fromRow, type FrameworkErrorLike } from './framework-error.js'
import { internalError } from './thrown.js'

/** A tool error as an author writes it, or anything that was thrown. */
export type Failure = ToolError | ToolErrorInit | unknown

/**
 * The tool error that anything given to `reply.sendToolError` is, on a route that is no capability's.
 * A literal with a category is taken at its word; of anything thrown neither status nor message is passed on.
 */
export function toToolError (failure: Failure, effect: 'read' | 'write'): ToolError {
  if (isToolError(failure)) return failure
  if (isLiteral(failure)) return fromLiteral(failure)
  if (typeof failure === 'object' && failure !== null) {
    const known = validationError(failure) ?? frameworkError(failure as FrameworkErrorLike)
    if (known !== undefined) return known
  }
  return readFailure(failure)?.proof === 'code' ? classifyUpstreamError(failure, { effect }) : internalError(failure)
}

/** An `Error` is never a literal: its message was written for a log. */
function isLiteral (value: unknown): value is ToolErrorInit {
  return typeof value === 'object' && value !== null && !(value instanceof Error) && isCategory((value as { category?: unknown }).category)
}

/** A literal's status outside its category's row is never sent: the category's own is. */
function fromLiteral (init: ToolErrorInit): ToolError {
  const mistakes = mistakesIn(init)
  if (mistakes.length === 0) return createToolError(init)
  const { code, message, category, details, retryAfterMs, cause } = init
  const mended = { code, message, category, details, retryAfterMs, cause }
  return mistakesIn(mended).length === 0 ? createToolError(mended) : internalError(new TypeError(mistakes.join(' ')))
}

interface Validated { validation?: unknown, validationContext?: unknown }

/** A violation that Fastify's own validator found in a route's schema. */
function validationError ({ validation, validationContext }: Validated): ToolError | undefined {
  if (!Array.isArray(validation) || validation.length === 0) return undefined
  const [problem] = firstProblem({ params: {}, instancePath: '', ...validation[0] }).problems
  const { field, expected, rule } = problem!
  const place = placeOf(validationContext, field)
  const code = rule === 'required' ? 'MISSING_REQUIRED_FIELD' : 'INVALID_INPUT'
  const name = place === '' ? 'The input' : place
  return fromRow(code, rule === 'required' ? `${name} is missing: expected ${expected}.` : `${name}: expected ${expected}.`, { field: place === '' ? undefined : place, expected })
}

/** Fields of a body stand alone; `querystring.units` says where else to look. */
function placeOf (context: unknown, field: string): string {
  if (typeof context !== 'string' || context === 'body') return field
  return field === '' || field.startsWith('[') ? `${context}${field}` : `${context}.${field}`
}
