import { brokenRule } from './broken-rules.js'
import { closeSchema, OWN_PREFIX } from './close.js'
import { quote } from './describe-value.js'
import type { JsonSchema } from './infer.js'
import { explain, problemsOf } from './problems.js'
import { isSchema } from './walk.js'

/** How a value breaks a schema, as the end of a sentence; `undefined` where it does not. */
export function breach (schema: JsonSchema, value: unknown): string | undefined {
  try {
    // Each step costs ten times the one before, and a thousand capabilities have to start: the last compiles the schema.
    if (surelyFits(schema, value) || explain(closeSchema(schema), value, { firstOnly: true }).total === 0) return undefined
    const [problem] = problemsOf(schema, value)
    if (problem === undefined) return undefined
    const { field, expected, received } = problem
    return `${field === '' ? '' : `${field}: `}expected ${expected}${received === undefined ? '' : `, got ${received}`}`
  } catch {
    // A schema that cannot be compiled: what is wrong with it is said elsewhere.
    return undefined
  }
}

const NONE: readonly string[] = []

/** The examples and the default of one schema that break it, each as the end of "expected …". `alone` gives the schema with all it refers to. */
export function lintValues (schema: JsonSchema, alone: () => JsonSchema): readonly string[] {
  if (schema.default === undefined && schema.examples === undefined) return NONE
  const examples = Array.isArray(schema.examples) ? schema.examples.map((value, index) => [`examples[${index}]`, value] as const) : []
  const values = schema.default === undefined ? examples : [...examples, ['default', schema.default] as const]
  return values.flatMap(([name, value]) => {
    const broken = surelyFits(schema, value) ? undefined : breach(alone(), value)
    return broken === undefined ? [] : [`\`${name}\` to satisfy its own schema, got ${quote(value).slice(0, 80)}: ${broken}`]
  })
}

const PLAIN = new Set([
  'type', 'properties', 'required', 'items', 'anyOf', 'const', 'enum', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf', 'minLength', 'maxLength',
  'pattern', 'format', 'minItems', 'maxItems', 'uniqueItems', 'additionalProperties', 'title', 'description', 'default', 'examples', 'deprecated'
])

/** Can it be seen at once that the value is right, closed objects included? `false` says nothing. */
function surelyFits (schema: unknown, value: unknown): boolean {
  if (!isSchema(schema) || !Object.keys(schema).every(keyword => PLAIN.has(keyword) || keyword.startsWith(OWN_PREFIX)) || brokenRule(schema, value) !== undefined) return false
  const { anyOf, properties, items, required = [] } = schema
  if (anyOf !== undefined) return properties === undefined && items === undefined && anyOf.some((branch: unknown) => surelyFits(branch, value))
  if (Array.isArray(value)) return value.every(item => surelyFits(items, item))
  if (!isSchema(value)) return true
  const fits = (key: string): boolean => isSchema(properties) && Object.hasOwn(properties, key) && surelyFits(properties[key], value[key])
  return required.every((key: string) => Object.hasOwn(value, key)) && Object.keys(value).every(fits)
}
