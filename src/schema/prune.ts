import { hoist, resolve } from './hoist.js'
import type { JsonSchema } from './infer.js'
import { isObjectSchema, isSchema, mapSubschemas } from './walk.js'
import { itemPath, propertyPath } from './describe-value.js'

/** A copy of an output schema without "no other fields": what it does not declare is dropped before it is sent, not refused. */
export function openSchema (schema: JsonSchema): JsonSchema {
  return open(hoist(schema))
}

function open (schema: JsonSchema): JsonSchema {
  const copy = mapSubschemas(schema, open)
  for (const keyword of ['additionalProperties', 'unevaluatedProperties']) if (copy[keyword] === false) delete copy[keyword]
  return copy
}

/** Returns the value without the fields its schema does not declare, and adds the path of each to `dropped`. The value itself is left as it is. */
export type Prune = (value: unknown, dropped: string[]) => unknown

/** A pruner for an output schema (as its author wrote it). In a union, a field that any branch declares is declared. */
export function createPrune (schema: JsonSchema): Prune {
  const root = hoist(schema)
  let shape: Shape | undefined
  return (value, dropped) => {
    shape ??= new Shape([root], root)
    return prune(shape, value, '', dropped)
  }
}

function prune (shape: Shape, value: unknown, path: string, dropped: string[]): unknown {
  if (typeof value !== 'object' || value === null) return value
  // A Date, a Map: JSON asks the value itself what it is.
  if (typeof (value as { toJSON?: unknown }).toJSON === 'function') return value
  if (Array.isArray(value)) return pruneItems(shape, value, path, dropped)
  let copy: Record<string, unknown> | undefined
  for (const key of Object.keys(value)) {
    const item = (value as Record<string, unknown>)[key]
    const field = shape.field(key)
    const kept = field === undefined ? undefined : prune(field, item, propertyPath(path, key), dropped)
    if (field === undefined && item !== undefined) dropped.push(propertyPath(path, key))
    if (field !== undefined && kept === item) continue
    copy ??= { ...value }
    if (field === undefined) delete copy[key]
    else copy[key] = kept
  }
  return copy ?? value
}

function pruneItems (shape: Shape, value: readonly unknown[], path: string, dropped: string[]): unknown {
  let copy: unknown[] | undefined
  value.forEach((item, index) => {
    const kept = prune(shape.item(index), item, itemPath(path, index), dropped)
    if (kept === item) return
    copy ??= [...value]
    copy[index] = kept
  })
  return copy ?? value
}

/** What the schemas that apply to one place declare, together; worked out as far as the data goes. */
class Shape {
  readonly #schemas: JsonSchema[]
  readonly #root: JsonSchema
  readonly #fields = new Map<string, Shape | undefined>()
  readonly #items = new Map<number, Shape>()
  readonly #open: boolean

  constructor (schemas: readonly JsonSchema[], root: JsonSchema) {
    this.#root = root
    this.#schemas = schemas.flatMap(schema => flatten(schema, root, 0))
    this.#open = this.#schemas.every(schema => !isObjectSchema(schema)) || this.#schemas.some(schema => schema.additionalProperties === true || schema.unevaluatedProperties === true)
  }

  /** The shape of a field; `undefined` where the field is not declared. */
  field (key: string): Shape | undefined {
    if (this.#fields.has(key)) return this.#fields.get(key)
    const found = this.#schemas.flatMap(schema => fieldSchemas(schema, key))
    const shape = found.length > 0 ? new Shape(found, this.#root) : this.#open ? new Shape([], this.#root) : undefined
    // Keys of a record come from data: their shapes are not kept, or the map would grow for ever.
    if (this.#schemas.some(schema => isSchema(schema.properties) && Object.hasOwn(schema.properties, key))) this.#fields.set(key, shape)
    return shape
  }

  item (index: number): Shape {
    const place = this.#schemas.some(schema => Array.isArray(schema.items) || Array.isArray(schema.prefixItems)) ? index : 0
    let shape = this.#items.get(place)
    if (shape === undefined) {
      shape = new Shape(this.#schemas.flatMap(schema => itemSchemas(schema, place)), this.#root)
      this.#items.set(place, shape)
    }
    return shape
  }
}

/** A schema and all its members: what any of them declares is declared. */
function flatten (node: JsonSchema, root: JsonSchema, depth: number): JsonSchema[] {
  const schema = resolve(node, root)
  if (depth > 32) return [schema]
  const members = [...['allOf', 'anyOf', 'oneOf'].flatMap(keyword => schema[keyword] ?? []), schema.then, schema.else].filter(isSchema)
  return members.length === 0 ? [schema] : [...(isObjectSchema(schema) && schema.properties !== undefined ? [schema] : []), ...members.flatMap(member => flatten(member, root, depth + 1))]
}

function fieldSchemas (schema: JsonSchema, key: string): JsonSchema[] {
  const named: unknown = isSchema(schema.properties) && Object.hasOwn(schema.properties, key) ? schema.properties[key] : undefined
  const matching = Object.entries(schema.patternProperties ?? {}).filter(([pattern]) => new RegExp(pattern, 'u').test(key)).map(([, subschema]) => subschema)
  const found = [named, ...matching].filter(isSchema)
  return found.length > 0 ? found : [schema.additionalProperties, schema.unevaluatedProperties].filter(isSchema)
}

function itemSchemas (schema: JsonSchema, index: number): JsonSchema[] {
  const places: unknown = Array.isArray(schema.prefixItems) ? schema.prefixItems : schema.items
  if (!Array.isArray(places)) return [places].filter(isSchema)
  return [places[index] ?? schema.additionalItems ?? schema.items].filter(isSchema)
}
