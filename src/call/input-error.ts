import type { Capability } from '../capability/define.js'
import { limits } from '../protocol/fit.js'
import { oneLine } from '../protocol/text.js'
import { createToolError, type ToolError } from '../protocol/tool-error.js'
import type { FoundProblem, Report } from '../schema/problem.js'
import { expectationText, isMissingRule } from '../schema/rules.js'

/** The failure that a wrong input is: every wrong field in the message, what to send instead in the hint, the first one in details of its own. */
export function inputError (report: Report, capability: Capability): ToolError {
  const first = report.problems[0]!
  const message = join(report.problems, sentence, rest(report))
  const details = {
    field: first.field === '' ? undefined : shorten(first.field, 200),
    expected: first.expected,
    received: first.received,
    did_you_mean: first.nearest,
    hint: join(report.problems, correction, '')
  }
  if (first.uncorrectable === true) return refusal(first, message, details, capability)
  return createToolError({ code: codeOf(report, capability), category: 'INPUT_ERROR', retryable: true, message, details })
}

/** A code of the author's counts where it is all that is wrong, as the framework's own for missing fields does. */
function codeOf ({ problems, total, onlyMissing }: Report, { errors }: Capability): string {
  if (onlyMissing ?? (problems.length === total && problems.every(({ rule }) => isMissingRule(rule)))) return 'MISSING_REQUIRED_FIELD'
  const { code } = problems[0]!
  const isAll = problems.length === total && problems.every(problem => problem.code === code)
  return code !== undefined && isAll && errors[code]?.category === 'INPUT_ERROR' ? code : 'INVALID_INPUT'
}

/** A value that is somebody's intent: a model that corrects it invents another. */
function refusal ({ code = '' }: FoundProblem, message: string, details: Record<string, string | undefined>, { errors }: Capability): ToolError {
  const declaration = Object.hasOwn(errors, code) ? errors[code] : undefined
  return createToolError({
    code: declaration === undefined ? 'INVALID_INPUT' : code,
    category: declaration?.category ?? 'INPUT_ERROR',
    status: declaration?.status,
    retryable: false,
    message,
    details: { ...details, did_you_mean: undefined, hint: declaration?.hint ?? 'Ask the user: do not choose another value for them.' }
  })
}

function rest ({ problems, total, complete, onlyMissing }: Report): string {
  const others = total - problems.length
  if (others > 0) return ` ${complete === false ? 'At least ' : ''}${others} more ${others === 1 ? 'field is' : 'fields are'} ${onlyMissing === true ? 'missing' : 'wrong'}.`
  return complete === false ? ' More may be wrong: the input is too large to be checked in full.' : ''
}

/** The text of all problems within the bound: as it is where it fits, else each with its equal share. */
function join (problems: readonly FoundProblem[], write: (problem: FoundProblem, room: number) => string, end: string): string {
  const room = limits.textPoints - end.length
  const whole = problems.map(problem => write(problem, room)).join(' ')
  if (whole.length <= room) return whole + end
  const share = Math.floor(room / problems.length) - 1
  return problems.map(problem => write(problem, share)).join(' ') + end
}

function sentence (problem: FoundProblem, room: number): string {
  const { field, rule, received, spelling } = problem
  const name = nameOf(field, 'The input', room)
  const meant = spelling === undefined ? '' : ` Did you mean ${shorten(spelling, room >> 2)}?`
  if (isMissingRule(rule)) return fill(`${name} is missing: expected `, problem, '.', room)
  if (rule === 'additionalProperties') return fill(`${name} is not a field here: expected `, problem, `.${meant}`, room)
  return fill(`${name}: expected `, problem, `${received === undefined ? '' : `, got ${received}`}.${meant}`, room)
}

function correction (problem: FoundProblem, room: number): string {
  const { field, rule, spelling, quoted } = problem
  const name = nameOf(field, 'the input', room)
  if (rule === 'additionalProperties') return spelling === undefined ? `Leave out ${name}.` : `Rename ${name} to ${shorten(spelling, room >> 1)}.`
  if (isMissingRule(rule)) return fill(`Add ${name}: `, problem, '.', room)
  if (quoted === true) return `Send ${name} as JSON itself, not as a string.`
  return spelling === undefined ? fill(`Send ${name} as `, problem, '.', room) : `Send ${name} as ${shorten(spelling, room >> 1)}.`
}

function nameOf (field: string, whole: string, room: number): string {
  return field === '' ? whole : shorten(field, room >> 1)
}

/** What is expected, between two texts, in the room they leave. */
function fill (before: string, { list, expected }: FoundProblem, after: string, room: number): string {
  // Nearly always there is room for all of it. What an author wrote may be several lines: it is one when it is sent.
  if (list === undefined && before.length + expected.length + after.length <= room) return before + expected + after
  const left = Math.max(room - before.length - after.length, 12)
  return oneLine(before + expectationText(list ?? { lead: expected }, left) + after, room)
}

/** A long path keeps its beginning and its end, which say most. */
function shorten (text: string, room: number): string {
  if (text.length <= room) return text
  const points = Array.from(text)
  const half = (room - 1) >> 1
  return points.length <= room ? text : `${points.slice(0, half).join('')}…${points.slice(-half).join('')}`
}
