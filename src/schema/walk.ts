import type { JsonSchema } from './infer.js'

type Kind = 'map' | 'list' | 'single' | 'single or list'

// Where JSON Schema (2019-09, as TypeBox writes it, and what stands in schemas of other years) keeps schemas inside a schema.
const KINDS: ReadonlyMap<string, Kind> = new Map<string, Kind>([
  ...['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas', 'dependencies'].map(keyword => [keyword, 'map'] as const),
  ...['allOf', 'anyOf', 'oneOf', 'prefixItems'].map(keyword => [keyword, 'list'] as const),
  ...['additionalItems', 'unevaluatedItems', 'additionalProperties', 'unevaluatedProperties', 'not', 'if', 'then', 'else', 'contains', 'propertyNames'].map(keyword => [keyword, 'single'] as const),
  ['items', 'single or list']
])

/** Is this a schema object, and not the boolean form or something else? */
export function isSchema (value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A direct subschema, and where it stands: `key` is the property's name, the place in a list, or empty. */
export interface Subschema { readonly schema: JsonSchema, readonly keyword: string, readonly key: string }

/** The direct subschemas of a schema, in its own order; the boolean forms are left out. */
export function subschemasOf (schema: JsonSchema): Subschema[] {
  const found: Subschema[] = []
  eachInner(schema, (value, keyword, key) => { if (isSchema(value)) found.push({ schema: value, keyword, key }) })
  return found
}

/** Whatever stands directly in a schema where a schema has to stand. */
export function eachInner (schema: JsonSchema, each: (value: unknown, keyword: string, key: string) => void): void {
  for (const keyword of Object.keys(schema)) eachIn(keyword, schema[keyword], each)
}

/** The same for one of its keywords. */
export function eachIn (keyword: string, value: unknown, each: (value: unknown, keyword: string, key: string) => void): void {
  const kind = KINDS.get(keyword)
  if (kind === undefined) return
  if (kind === 'map') {
    if (isSchema(value)) for (const key of Object.keys(value)) each(value[key], keyword, key)
  } else if (Array.isArray(value) && kind !== 'single') value.forEach((item, index) => each(item, keyword, String(index)))
  else if (kind !== 'list') each(value, keyword, '')
}

/**
 * A copy of a schema in which every direct subschema is replaced by what `change` makes of it; `undefined` leaves it out.
 * Symbols and keys holding `undefined` are left behind, so that the copy is plain JSON.
 */
export function mapSubschemas (schema: JsonSchema, change: (subschema: JsonSchema, keyword: string, key: string) => unknown): Record<string, unknown> {
  return mapEntries(schema, (value, keyword) => {
    const kind = KINDS.get(keyword)
    const inner = (item: unknown, key: string): unknown => isSchema(item) ? change(item, keyword, key) : item
    if (kind === undefined || typeof value !== 'object' || value === null) return value
    if (Array.isArray(value)) return kind.endsWith('list') ? value.map((item, index) => inner(item, String(index))) : value
    if (kind === 'map') return mapEntries(value as JsonSchema, inner)
    return kind === 'list' ? value : inner(value, '')
  })
}

function mapEntries (map: JsonSchema, change: (value: unknown, key: string) => unknown): Record<string, unknown> {
  const copy: Record<string, unknown> = {}
  for (const key of Object.keys(map)) {
    const changed = change(map[key], key)
    if (changed === undefined) continue
    // Defined, not assigned: a field named `__proto__` is a field like any other.
    if (key === '__proto__') Object.defineProperty(copy, key, { value: changed, enumerable: true, writable: true, configurable: true })
    else copy[key] = changed
  }
  return copy
}

/** Does this schema describe an object by itself? */
export function isObjectSchema (schema: JsonSchema): boolean {
  const { type } = schema
  return type === 'object' || (Array.isArray(type) && type.includes('object')) || (type === undefined && (isSchema(schema.properties) || isSchema(schema.patternProperties)))
}
