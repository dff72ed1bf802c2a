import type { ErrorObject } from 'ajv/dist/2019.js'
import type { Capability } from '../capability/define.js'
import type { ToolError } from '../protocol/tool-error.js'
import type { Report } from '../schema/problems.js'
import { inputError } from './input-error.js'

// A plain route declares no errors of its own.
const NO_ERRORS = { errors: {} } as Capability

/** The failure of a request that breaks the schema of a route which is no capability's, in the same form as theirs. */
export function routeInputError ({ problems, total }: Report, part: unknown): ToolError {
  return inputError({ problems: problems.map(problem => ({ ...problem, field: placeOf(part, problem.field) })), total }, NO_ERRORS)
}

/** Is this what Fastify's own validator leaves on an error? */
export function isViolation (value: unknown): value is ErrorObject {
  if (typeof value !== 'object' || value === null) return false
  const { keyword, instancePath, params } = value as Partial<ErrorObject>
  return typeof keyword === 'string' && typeof instancePath === 'string' && typeof params === 'object' && params !== null
}

/** Fields of a body stand alone; `querystring.units` says where else to look. */
function placeOf (part: unknown, field: string): string {
  if (typeof part !== 'string' || part === 'body') return field
  return field === '' || field.startsWith('[') ? `${part}${field}` : `${part}.${field}`
}
