import type { JsonSchema } from './infer.js'

// Where JSON Schema (2019-09, as TypeBox writes it) keeps schemas inside a schema.
const MAPS = ['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas']
const LISTS = ['allOf', 'anyOf', 'oneOf', 'prefixItems', 'items']
const SINGLE = ['items', 'additionalItems', 'unevaluatedItems', 'additionalProperties', 'unevaluatedProperties', 'not', 'if', 'then', 'else', 'contains', 'propertyNames']

/** Is this a schema object, and not the boolean form or something else? */
export function isSchema (value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * A copy of a schema in which every direct subschema is replaced by what `change` makes of it.
 * Symbols and keys holding `undefined` are left behind, so that the copy is plain JSON.
 */
export function mapSubschemas (schema: JsonSchema, change: (subschema: JsonSchema, keyword: string, key: string) => unknown): Record<string, unknown> {
  const copy: Record<string, unknown> = {}
  for (const [keyword, value] of Object.entries(schema)) {
    if (value === undefined) continue
    copy[keyword] = mapKeyword(keyword, value, (subschema, key) => isSchema(subschema) ? change(subschema, keyword, key) : subschema)
  }
  return copy
}

function mapKeyword (keyword: string, value: unknown, change: (subschema: unknown, key: string) => unknown): unknown {
  if (LISTS.includes(keyword) && Array.isArray(value)) return value.map((item, index) => change(item, String(index)))
  if (MAPS.includes(keyword) && isSchema(value)) return mapValues(value, change)
  return SINGLE.includes(keyword) ? change(value, '') : value
}

function mapValues (map: JsonSchema, change: (value: unknown, key: string) => unknown): Record<string, unknown> {
  const copy: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(map)) {
    const changed = change(value, key)
    // Defined, not assigned: a field named `__proto__` is a field like any other.
    if (changed !== undefined) Object.defineProperty(copy, key, { value: changed, enumerable: true, writable: true, configurable: true })
  }
  return copy
}

/** Does this schema describe an object by itself? */
export function isObjectSchema (schema: JsonSchema): boolean {
  const { type } = schema
  return type === 'object' || (Array.isArray(type) && type.includes('object')) || (type === undefined && (isSchema(schema.properties) || isSchema(schema.patternProperties)))
}
