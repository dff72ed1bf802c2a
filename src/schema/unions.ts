import { typeOf } from './describe-value.js'
import { resolve } from './hoist.js'
import type { JsonSchema } from './infer.js'
import { isObjectSchema, isSchema } from './walk.js'

/** The values a schema allows, where it is a literal, an enum or a union of such; else `undefined`. */
export function literals (node: JsonSchema, root: JsonSchema): readonly unknown[] | undefined {
  const schema = resolve(node, root)
  if (Object.hasOwn(schema, 'const')) return isScalar(schema.const) ? [schema.const] : undefined
  if (Array.isArray(schema.enum)) return schema.enum.every(isScalar) ? schema.enum : undefined
  if (schema.type === 'null') return [null]
  const branches = schema.anyOf ?? schema.oneOf
  if (!Array.isArray(branches) || branches.length === 0) return undefined
  const values = branches.map(branch => isSchema(branch) ? literals(branch, root) : undefined)
  return values.every(value => value !== undefined) ? values.flat() : undefined
}

/** How a value that matches no branch is explained: by one branch, by a discriminating field, or by its type. */
export type Choice = { branch: JsonSchema } | { field: string, allowed: readonly unknown[] } | { types: readonly string[] }

/** The branch that a wrong value most likely meant, so that it is blamed by that branch alone. */
export function chooseBranch (branches: readonly JsonSchema[], root: JsonSchema, value: unknown): Choice {
  const fitting = branches.filter(branch => typesOf(branch, root).includes(typeName(value, branch, root)))
  if (fitting.length === 0) return { types: [...new Set(branches.flatMap(branch => typesOf(branch, root)))] }
  if (fitting.length === 1 || !isSchema(value)) return { branch: fitting[0]! }
  const field = discriminator(fitting, root)
  if (field === undefined) return { branch: mostAlike(fitting, root, value) }
  const matching = fitting.find(branch => literalsOf(branch, field, root)?.includes(value[field]))
  if (matching !== undefined) return { branch: matching }
  if (!Object.hasOwn(value, field)) return { branch: mostAlike(fitting, root, value) }
  return { field, allowed: fitting.flatMap(branch => literalsOf(branch, field, root) ?? []) }
}

/** The field that every branch gives literal values of its own. */
function discriminator (branches: readonly JsonSchema[], root: JsonSchema): string | undefined {
  const [first] = branches
  const fields = Object.keys(resolve(first!, root).properties ?? {})
  return fields.find(field => branches.every(branch => literalsOf(branch, field, root) !== undefined))
}

function literalsOf (branch: JsonSchema, field: string, root: JsonSchema): readonly unknown[] | undefined {
  const schema: unknown = resolve(branch, root).properties?.[field]
  return isSchema(schema) ? literals(schema, root) : undefined
}

/** The object schema that declares the most of the value's fields, and lacks the fewest of them. */
function mostAlike (branches: readonly JsonSchema[], root: JsonSchema, value: JsonSchema): JsonSchema {
  const likeness = (branch: JsonSchema): number => {
    const { properties = {}, required = [] } = resolve(branch, root)
    const shared = Object.keys(value).filter(key => Object.hasOwn(properties, key)).length
    const missing = (required as string[]).filter(key => !Object.hasOwn(value, key)).length
    return shared - missing
  }
  return branches.reduce((best, branch) => likeness(branch) > likeness(best) ? branch : best)
}

function typesOf (branch: JsonSchema, root: JsonSchema): string[] {
  const schema = resolve(branch, root)
  const allowed = literals(schema, root)
  if (allowed !== undefined) return allowed.map(typeOf)
  if (schema.type !== undefined) return [schema.type].flat().map(String)
  const branches = schema.anyOf ?? schema.oneOf
  if (Array.isArray(branches)) return branches.flatMap(inner => typesOf(inner, root))
  return isObjectSchema(schema) || Array.isArray(schema.allOf) ? ['object'] : ['string', 'number', 'boolean', 'null', 'array', 'object']
}

/** A number fits `integer` too: then the integer's own rule says what is wrong with it. */
function typeName (value: unknown, branch: JsonSchema, root: JsonSchema): string {
  const type = typeOf(value)
  return type === 'number' && typesOf(branch, root).includes('integer') ? 'integer' : type
}

function isScalar (value: unknown): boolean {
  return typeof value !== 'object' || value === null
}
