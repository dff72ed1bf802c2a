import { checkOnly } from '../schema/compile.js'
import { hoist } from '../schema/hoist.js'
import type { JsonSchema } from '../schema/infer.js'

/** What about an answer breaks its declared shape, for the log; `undefined` where it has it. */
export type ShapeCheck = (data: unknown) => string | undefined

const checks = new WeakMap<JsonSchema, ShapeCheck>()

/** The check of a declared shape. A schema is compiled once; one that does not compile is a `TypeError`. */
export function shapeCheck (schema: JsonSchema): ShapeCheck {
  const known = checks.get(schema)
  if (known !== undefined) return known
  const check = compiled(schema)
  checks.set(schema, check)
  return check
}

function compiled (schema: JsonSchema): ShapeCheck {
  try {
    const check = checkOnly(hoist(schema))
    // Compiled by its first use, which is this one: after a write was sent is no time to find a mistake in a schema.
    check(undefined)
    return data => {
      const error = check(data)
      return error === undefined ? undefined : `The answer breaks the declared shape: ${error.instancePath || 'the body'} ${error.message}.`
    }
  } catch (cause) {
    throw new TypeError('Expected `schema` to be a JSON Schema that compiles.', { cause })
  }
}
