import { ownKeywords } from './close.js'
import { fieldSchemas, itemSchema } from './declared.js'
import { fieldPolicy, ordinary } from './field-policy.js'
import { hoist, resolve } from './hoist.js'
import type { JsonSchema } from './infer.js'
import { isSchema, subschemasOf } from './walk.js'

/** A value that is never logged, and the name of the field it was sent in. */
export interface SensitiveValue { readonly name: string, readonly value: string | number | boolean }

/** More of an input is not looked at: a caller pays for what he sends, and so does everybody who waits. */
const MAX_STEPS = 20_000
const MAX_VALUES = 1_000
const MAX_DEPTH = 64

/** Finds the values of `x-candor-sensitive` fields in inputs, right or wrong; `undefined` where the schema has no such field. */
export function createSensitiveSearch (schema: JsonSchema): ((input: unknown) => SensitiveValue[]) | undefined {
  const root = hoist(schema)
  if (!holdsSensitive(root, root, new Set())) return undefined
  return input => {
    const found: SensitiveValue[] = []
    let steps = MAX_STEPS
    walk(input, [root], '', 0)
    return found

    function walk (value: unknown, schemas: readonly JsonSchema[], name: string, depth: number, outer: boolean = false): void {
      if (--steps < 0 || depth > MAX_DEPTH || found.length >= MAX_VALUES || value === null) return
      const inside = outer || schemas.some(schema => fieldPolicy(schema, root, ordinary).sensitive)
      if (Array.isArray(value)) {
        value.forEach((item, index) => walk(item, inside ? [] : schemas.flatMap(schema => itemSchemas(schema, root, index)), name, depth + 1, inside))
      } else if (typeof value === 'object') {
        for (const [key, item] of Object.entries(value as object)) walk(item, inside ? [] : schemas.flatMap(schema => fieldSchemas(schema, root, key)), key, depth + 1, inside)
      } else if (inside || schemas.some(schema => holdsSensitive(schema, root, new Set()))) {
        // An object with a secret in it is a secret too where it was sent as text.
        found.push({ name, value: value as SensitiveValue['value'] })
      }
    }
  }
}

function holdsSensitive (node: JsonSchema, root: JsonSchema, seen: Set<JsonSchema>): boolean {
  const schema = resolve(node, root)
  if (seen.has(schema)) return false
  seen.add(schema)
  return schema[ownKeywords.sensitive] === true || subschemasOf(schema).some(({ schema: inner, keyword }) => keyword !== '$defs' && holdsSensitive(inner, root, seen))
}

/** What a schema and its members say of an item, whether they apply or not. */
function itemSchemas (node: JsonSchema, root: JsonSchema, index: number, depth: number = 0): JsonSchema[] {
  const schema = resolve(node, root)
  const members = depth > 8 ? [] : [...['allOf', 'anyOf', 'oneOf'].flatMap(keyword => schema[keyword] ?? []), schema.then, schema.else].filter(isSchema)
  return [itemSchema(schema, index), ...members.flatMap(member => itemSchemas(member, root, index, depth + 1))].filter(isSchema)
}
