import type { Capability } from '../capability/define.js'
import { createToolError, isToolError, type ToolError } from '../protocol/tool-error.js'
import { closeSchema } from '../schema/close.js'
import { checkWithDefaults, type Check } from '../schema/compile.js'
import { isTooDeep, MAX_DEPTH } from '../schema/depth.js'
import { hasUncorrectable, policyAt } from '../schema/field-policy.js'
import { firstProblem } from '../schema/first-problem.js'
import type { JsonSchema } from '../schema/infer.js'
import type { FoundProblem, Problem, Report } from '../schema/problem.js'
import { explain, MAX_PROBLEMS } from '../schema/problems.js'
import { isMissingRule } from '../schema/rules.js'
import { isSecretName } from '../protocol/redact.js'
import { inputError } from './input-error.js'
import { internalError } from './thrown.js'

/** What is wrong with an input; `undefined` where it may go to the handler. Fills in defaults. */
export type CheckInput = (input: unknown, bytes?: number) => ToolError | undefined

/** Above this many bytes only the first violation is looked for: the full report must not hold the event loop. */
export const FULL_REPORT_BYTES = 64 * 1024

/** The check of one capability's input: schema first, fast; the full report only after a no. Nothing is compiled before the first call. */
export function createInputCheck (capability: Capability): CheckInput {
  let ready: { closed: JsonSchema, check: Check } | undefined
  return (input, bytes = 0) => {
    if (isTooDeep(input)) return tooDeep()
    if (ready === undefined) {
      const closed = closeSchema(capability.input)
      ready = { closed, check: checkWithDefaults(closed, { isLinted: true }) }
    }
    const { closed, check } = ready
    const violation = check(input)
    if (violation === undefined) return capability.check === undefined ? undefined : ownCheck(capability, input, closed)
    const report = explain(closed, input, { firstOnly: bytes > FULL_REPORT_BYTES })
    return inputError(settle(report.total === 0 ? firstProblem(violation) : report, closed), capability)
  }
}

/** What was not looked at may hold what no model may correct. */
function settle (report: Report, closed: JsonSchema): Report {
  if (report.complete !== false || !hasUncorrectable(closed)) return report
  const [first, ...others] = report.problems
  return { ...report, problems: [{ ...first!, uncorrectable: true }, ...others] }
}

/** Rules over several fields, as the author wrote them. */
function ownCheck (capability: Capability, input: unknown, closed: JsonSchema): ToolError | undefined {
  try {
    const problems: unknown = capability.check!(input as never) ?? []
    if (!isProblems(problems)) throw new TypeError(`\`check\` of ${capability.name} returned something else than a list of problems.`)
    return problems.length === 0 ? undefined : inputError(reportOf(problems, closed), capability)
  } catch (thrown) {
    return isToolError(thrown) ? thrown : internalError(thrown)
  }
}

function isProblems (value: unknown): value is readonly Problem[] {
  return Array.isArray(value) && value.every(problem => ['field', 'rule', 'expected'].every(part => typeof problem?.[part] === 'string'))
}

function reportOf (problems: readonly Problem[], closed: JsonSchema): Report {
  const found = problems.map(problem => withPolicy(problem, closed)).sort((a, b) => Number(b.uncorrectable === true) - Number(a.uncorrectable === true))
  return { problems: found.slice(0, MAX_PROBLEMS), total: problems.length, complete: true, onlyMissing: problems.every(({ rule }) => isMissingRule(rule)) }
}

/** A rule over several fields is about their values: what their schemas say of those holds. */
function withPolicy ({ field, rule, expected, received, nearest }: Problem, closed: JsonSchema): FoundProblem {
  const { sensitive, uncorrectable, code } = policyAt(closed, field)
  const isSecret = sensitive || isSecretName(field)
  const isValue = !isMissingRule(rule)
  return {
    field,
    rule,
    expected,
    ...(!isSecret && { received, nearest, spelling: nearest === undefined ? undefined : JSON.stringify(nearest) }),
    ...(isValue && code !== undefined && { code }),
    ...(isValue && uncorrectable && { uncorrectable })
  }
}

function tooDeep (): ToolError {
  return createToolError({ code: 'INPUT_TOO_DEEP', category: 'INPUT_ERROR', message: `The input is nested deeper than ${MAX_DEPTH} levels.`, details: { expected: `at most ${MAX_DEPTH} levels of arrays and objects` } })
}
