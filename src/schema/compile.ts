import { Ajv2019, type ErrorObject, type Options } from 'ajv/dist/2019.js'
import addFormats from 'ajv-formats'
import type { JsonSchema } from './infer.js'

// The class of 2019-09: the default one ignores `unevaluatedProperties` without a word, 2020 refuses TypeBox's tuples.
const options: Options = {
  strict: false,
  strictNumbers: true, // `strict: false` alone lets NaN through
  ownProperties: true,
  addUsedSchema: false,
  coerceTypes: false,
  removeAdditional: false,
  logger: false
}

const instance = (more: Options): Ajv2019 => {
  const ajv = new Ajv2019({ ...options, ...more })
  addFormats.default(ajv)
  return ajv
}

// The first answers yes or no, fast, and fills in defaults; the second says everything, only after a no.
const fast = instance({ useDefaults: true, allErrors: false })
const plain = instance({ useDefaults: false, allErrors: false })
const full = instance({ useDefaults: false, allErrors: true, verbose: true })

/** The names of the formats that are checked. */
export const formats: readonly string[] = Object.keys(fast.formats)

/** The first violation, or `undefined` where the value is valid. */
export type Check = (value: unknown) => ErrorObject | undefined

/** A check that fills in defaults as it goes. Compiled on first use: a thousand capabilities must not slow the start. */
export function checkWithDefaults (schema: JsonSchema): Check {
  return lazy(fast, schema)
}

/** A check that leaves the value as it is. Compiled on first use. */
export function checkOnly (schema: JsonSchema): Check {
  return lazy(plain, schema)
}

/** Every violation of one schema, with the schema and the value it is about. Compiled on first use. */
export function violations (schema: JsonSchema): (value: unknown) => readonly ErrorObject[] {
  let validate: ReturnType<Ajv2019['compile']> | undefined
  return value => {
    validate ??= full.compile(schema)
    return validate(value) ? [] : validate.errors!
  }
}

function lazy (ajv: Ajv2019, schema: JsonSchema): Check {
  let validate: ReturnType<Ajv2019['compile']> | undefined
  return value => {
    validate ??= ajv.compile(schema)
    return validate(value) ? undefined : validate.errors![0]
  }
}
