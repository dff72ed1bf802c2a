import { checkOnly, type Check } from '../schema/compile.js'
import { hoist } from '../schema/hoist.js'
import type { JsonSchema } from '../schema/infer.js'

const checks = new WeakMap<JsonSchema, Check>()

/** What about an answer breaks its declared shape, for the log; `undefined` where it has it. A schema is compiled once. */
export function shapeProblem (schema: JsonSchema, data: unknown): string | undefined {
  let check = checks.get(schema)
  if (check === undefined) {
    check = checkOnly(hoist(schema))
    checks.set(schema, check)
  }
  const error = check(data)
  return error === undefined ? undefined : `The answer breaks the declared shape: ${error.instancePath || 'the body'} ${error.message}.`
}
