import type { Capability } from '../capability/define.js'
import { encodeJson } from '../protocol/json.js'
import { ownFault, type BrokenData } from '../policy/honesty.js'
import type { ToolError } from '../protocol/tool-error.js'
import { checkOnly, type Check } from '../schema/compile.js'
import { propertyPath } from '../schema/describe-value.js'
import { closedFlat, isPlainObject } from '../schema/flat.js'
import type { JsonSchema } from '../schema/infer.js'
import { createPrune, openSchema } from '../schema/prune.js'

/** A handler's data as it would be sent, and what is wrong with it; what that says in the log is its cause. */
export interface CheckedOutput {
  /** JSON; meaningless where there can be none. */
  readonly text: string
  /** Paths of fields that the schema does not declare: they were left out. */
  readonly dropped: readonly string[]
  readonly broken?: BrokenData
}

/** Checks what a handler returned against its output schema, before anything is claimed. */
export type CheckOutput = (data: unknown) => CheckedOutput

const NONE: readonly string[] = []
const NOTHING = new Set(['null', 'void', 'undefined'])

/** The check of one capability's output. Undeclared fields are dropped and named, for the log. */
export function createOutputCheck ({ output }: Capability): CheckOutput {
  const allowsNothing = NOTHING.has(output.type)
  // JSON has no undefined and no void: what is sent for both is null.
  const schema: JsonSchema = allowsNothing ? { type: 'null' } : output
  const check = checkOnly(openSchema(schema), { isLinted: true })
  const prune = createPrune(schema)
  const flat = closedFlat(schema)
  const checkFlat = flat && checkOnly(flat, { isLinted: true })
  return data => {
    if (data === undefined && !allowsNothing) return { text: 'null', dropped: [], broken: { rule: 'no-result', error: emptyResult() } }
    try {
      return checked(data ?? null)
    } catch (error) {
      // A cycle, or a getter of the data's own that throws.
      return unsendable(String(error))
    }
  }

  function checked (data: unknown): CheckedOutput {
    // Most answers: one look tells that they are right and whole. What is wrong with any other is found below.
    if (checkFlat !== undefined && isPlainObject(data) && checkFlat(data) === undefined) return { text: JSON.stringify(data), dropped: NONE }
    const dropped: string[] = []
    const kept = prune(data, dropped)
    const encoded = encodeJson(kept)
    if ('problem' in encoded) return unsendable(encoded.problem)
    const violation = violationOf(check, kept, encoded.text)
    return { text: encoded.text, dropped, ...(violation !== undefined && { broken: { rule: 'output-schema', error: outputInvalid(violation) } }) }
  }
}

function unsendable (problem: string): CheckedOutput {
  return { text: 'null', dropped: [], broken: { rule: 'output-schema', error: outputInvalid(problem), unsendable: true } }
}

/** What counts is the JSON. A value that breaks the schema as it is (a Date for a string) is judged again as what is sent. */
function violationOf (check: Check, data: unknown, text: string): string | undefined {
  if (check(data) === undefined) return undefined
  const error = check(JSON.parse(text))
  return error === undefined ? undefined : `${pathOf(error.instancePath)} ${error.message}`
}

function pathOf (pointer: string): string {
  const path = pointer.split('/').slice(1).reduce((parent, key) => propertyPath(parent, key), '')
  return path === '' ? 'The result' : path
}

/** The failure of an answer that is not what its tool declares; what is wrong with it is for the log. */
export function outputInvalid (cause: string): ToolError {
  return ownFault('OUTPUT_INVALID', 'The tool made an answer that does not match its own declaration, so it is not shown.', new Error(`The output breaks its schema: ${cause}`))
}

/** The failure of a handler that ends without an answer. */
export function emptyResult (): ToolError {
  return ownFault('EMPTY_HANDLER_RESULT', 'The tool ended without an answer.', new Error('The handler returned undefined; its output schema is neither null nor void.'))
}
