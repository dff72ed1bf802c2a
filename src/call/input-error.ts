import type { Capability } from '../capability/define.js'
import { oneLine } from '../protocol/text.js'
import { createToolError, type ToolError } from '../protocol/tool-error.js'
import { limits } from '../protocol/fit.js'
import type { FoundProblem, Report } from '../schema/problems.js'

/** The failure that a wrong input is: every wrong field in the message, what to send instead in the hint, the first one in fields of its own. */
export function inputError ({ problems, total }: Report, capability: Capability): ToolError {
  const first = problems[0]!
  const share = Math.floor(limits.textPoints / problems.length) - 1
  const rest = total > problems.length ? ` ${total - problems.length} more wrong ${total - problems.length === 1 ? 'field' : 'fields'}.` : ''
  const details = {
    field: first.field === '' ? undefined : first.field,
    expected: first.expected,
    received: first.received,
    did_you_mean: first.nearest,
    hint: problems.map(problem => oneLine(correction(problem), share)).join(' ')
  }
  const message = problems.map(problem => oneLine(sentence(problem), share)).join(' ') + rest
  const refused = problems.find(problem => problem.uncorrectable !== undefined)
  if (refused !== undefined) return refusal(refused, message, details, capability)
  const missing = problems.length === total && problems.every(problem => problem.rule === 'required')
  return createToolError({ code: missing ? 'MISSING_REQUIRED_FIELD' : 'INVALID_INPUT', category: 'INPUT_ERROR', retryable: true, message, details })
}

/** A value that is the user's intent: a model that corrects it invents another. */
function refusal ({ uncorrectable }: FoundProblem, message: string, details: Record<string, string | undefined>, { errors }: Capability): ToolError {
  const code = typeof uncorrectable === 'string' && Object.hasOwn(errors, uncorrectable) ? uncorrectable : 'INVALID_INPUT'
  const declaration = errors[code]
  return createToolError({
    code,
    category: declaration?.category ?? 'INPUT_ERROR',
    status: declaration?.status,
    retryable: false,
    message,
    details: { ...details, hint: declaration?.hint ?? 'Ask the user: this value must not be changed for them.' }
  })
}

function sentence ({ field, rule, expected, received, nearest }: FoundProblem): string {
  const name = field === '' ? 'The input' : field
  if (rule === 'required') return `${name} is missing: expected ${expected}.`
  const meant = nearest === undefined ? '' : ` Did you mean ${nearest}?`
  if (rule === 'additionalProperties') return `${name} is no field here: expected ${expected}.${meant}`
  return `${name}: expected ${expected}${received === undefined ? '' : `, got ${received}`}.${meant}`
}

function correction ({ field, rule, expected, nearest }: FoundProblem): string {
  const name = field === '' ? 'the input' : field
  if (rule === 'additionalProperties') return nearest === undefined ? `Leave ${name} out.` : `Rename ${name} to ${nearest}.`
  if (rule === 'required') return `Add ${name}: ${expected}.`
  return nearest === undefined ? `Send ${name} as ${expected}.` : `Send ${name} as ${JSON.stringify(nearest)}.`
}
