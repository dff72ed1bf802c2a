import type { Capability } from '../capability/define.js'
import { createToolError, isToolError, type ToolError } from '../protocol/tool-error.js'
import { closeSchema } from '../schema/close.js'
import { checkWithDefaults, type Check } from '../schema/compile.js'
import type { JsonSchema } from '../schema/infer.js'
import { explain, type Report } from '../schema/problems.js'
import type { Problem } from '../schema/problem.js'
import { firstProblem } from '../schema/first-problem.js'
import { isTooDeep, MAX_DEPTH } from './depth.js'
import { inputError } from './input-error.js'
import { internalError } from './thrown.js'

/** What is wrong with an input; `undefined` where it may go to the handler. Fills in defaults. */
export type CheckInput = (input: unknown, bytes?: number) => ToolError | undefined

/** Above this many bytes only the first violation is looked for: the full report must not hold the event loop. */
export const FULL_REPORT_BYTES = 64 * 1024

/** The check of one capability's input: schema first, fast; the full report only after a no. */
export function createInputCheck (capability: Capability): CheckInput {
  let closed: JsonSchema | undefined
  let check: Check | undefined
  return (input, bytes = 0) => {
    if (isTooDeep(input)) return tooDeep()
    closed ??= closeSchema(capability.input)
    check ??= checkWithDefaults(closed)
    const violation = check(input)
    if (violation !== undefined) {
      const report = bytes > FULL_REPORT_BYTES ? firstProblem(violation) : explain(closed, input)
      return inputError(report.total === 0 ? firstProblem(violation) : report, capability)
    }
    return capability.check === undefined ? undefined : ownCheck(capability, input)
  }
}

/** Rules over several fields, as the author wrote them. */
function ownCheck (capability: Capability, input: unknown): ToolError | undefined {
  try {
    const problems: readonly Problem[] = capability.check!(input as never) ?? []
    return problems.length === 0 ? undefined : inputError(reportOf(problems), capability)
  } catch (thrown) {
    return isToolError(thrown) ? thrown : internalError(thrown)
  }
}

function reportOf (problems: readonly Problem[]): Report {
  return { problems: problems.slice(0, 5), total: problems.length }
}

function tooDeep (): ToolError {
  return createToolError({ code: 'INPUT_TOO_DEEP', category: 'INPUT_ERROR', message: `The input is nested deeper than ${MAX_DEPTH} levels.`, details: { expected: `at most ${MAX_DEPTH} levels of arrays and objects` } })
}
