import { Ajv2019, type ErrorObject, type Options } from 'ajv/dist/2019.js'
import addFormats from 'ajv-formats'
import { addFastKeywords, fastForm } from './fast-keywords.js'
import type { JsonSchema } from './infer.js'

// The class of 2019-09: the default one ignores `unevaluatedProperties` without a word, 2020 refuses TypeBox's tuples.
const options: Options = {
  strict: false,
  strictNumbers: true, // `strict: false` alone lets NaN through
  multipleOfPrecision: 6, // 19.99 / 0.01 is not whole in binary; a model cannot mend that
  ownProperties: true,
  addUsedSchema: false,
  coerceTypes: false,
  removeAdditional: false,
  allErrors: false,
  logger: false
}

const instance = (more: Options): Ajv2019 => {
  const ajv = new Ajv2019({ ...options, ...more })
  addFormats.default(ajv)
  addFastKeywords(ajv)
  return ajv
}

// Both stop at the first violation; what is told of it is worked out elsewhere. So a pattern never runs over a text that is too long.
// Without the schema of schemas, which takes longer to compile than a hundred others.
const filling = instance({ useDefaults: true, meta: false, validateSchema: false })
const plain = instance({ useDefaults: false, meta: false, validateSchema: false })
// With it, for schemas that nobody has read before.
let reader: Ajv2019 | undefined

/** The names of the formats that are checked. */
export const formats: readonly string[] = Object.keys(plain.formats)

/** The first violation, or `undefined` where the value is valid. */
export type Check = (value: unknown) => ErrorObject | undefined

/** What is known of a schema. */
export interface Known {
  /** Has the linter read it? Else it is looked through before it is compiled. @default false */
  readonly isLinted?: boolean
}

/** A check that fills in defaults as it goes. Compiled on first use: a thousand capabilities must not slow the start. */
export function checkWithDefaults (schema: JsonSchema, known?: Known): Check {
  return lazy(filling, schema, known)
}

/** A check that leaves the value as it is. Compiled on first use. */
export function checkOnly (schema: JsonSchema, known?: Known): Check {
  return lazy(plain, schema, known)
}

function lazy (ajv: Ajv2019, schema: JsonSchema, { isLinted = false }: Known = {}): Check {
  let validate: ReturnType<Ajv2019['compile']> | undefined
  return value => {
    if (validate === undefined && !isLinted) (reader ??= instance({})).validateSchema(schema, true)
    // Without a name at its root, and without being kept, a schema could not refer to itself by `#`.
    validate ??= ajv.compile({ ...fastForm(schema), $id: 'candor:root' })
    return validate(value) ? undefined : validate.errors![0]
  }
}
