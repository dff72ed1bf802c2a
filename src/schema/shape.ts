import { membersOf } from './close.js'
import { resolve } from './hoist.js'
import type { JsonSchema } from './infer.js'
import { isObjectSchema, isSchema } from './walk.js'

/** What the schemas that apply to one place declare, together; worked out as far as the data goes. */
export class Shape {
  readonly #root: JsonSchema
  readonly #parts: readonly Part[]
  readonly #open: boolean
  readonly #fields = new Map<string, Shape>()
  // Keys of a record come from data, and a shape kept for each would be kept for ever: those are kept by their schema.
  readonly #others = new Map<JsonSchema, Shape>()
  readonly #items = new Map<number, Shape>()

  constructor (schemas: readonly JsonSchema[], root: JsonSchema) {
    const all = [...flatten(schemas, root)]
    this.#root = root
    this.#parts = all.map(partOf)
    this.#open = all.every(schema => !isObjectSchema(schema)) || all.some(isOpen)
  }

  /** The shape of a field; `undefined` where the field is not declared. */
  field (key: string): Shape | undefined {
    const known = this.#fields.get(key)
    if (known !== undefined) return known
    const found = this.#parts.flatMap(part => fieldSchemas(part, key))
    if (!this.#parts.some(({ named }) => named.has(key))) return this.#other(found)
    const shape = new Shape(found, this.#root)
    this.#fields.set(key, shape)
    return shape
  }

  /** The shape of an array's item. */
  item (index: number): Shape {
    const place = this.#parts.some(({ places }) => places.length > index) ? index : Infinity
    let shape = this.#items.get(place)
    if (shape === undefined) this.#items.set(place, shape = new Shape(this.#parts.flatMap(part => itemSchemas(part, index)), this.#root))
    return shape
  }

  #other (found: readonly JsonSchema[]): Shape | undefined {
    const [first, second] = found
    if (first === undefined) return this.#open ? new Shape([], this.#root) : undefined
    if (second !== undefined) return new Shape(found, this.#root)
    let shape = this.#others.get(first)
    if (shape === undefined) this.#others.set(first, shape = new Shape(found, this.#root))
    return shape
  }
}

/** One schema, read once. */
interface Part {
  readonly named: ReadonlyMap<string, unknown>
  readonly patterns: ReadonlyArray<readonly [RegExp, unknown]>
  readonly others: readonly JsonSchema[]
  readonly places: readonly unknown[]
  readonly rest: readonly JsonSchema[]
}

function partOf ({ properties, patternProperties, additionalProperties, unevaluatedProperties, items, additionalItems }: JsonSchema): Part {
  const places = Array.isArray(items) ? items : []
  return {
    named: new Map(Object.entries(properties ?? {})),
    patterns: Object.entries(patternProperties ?? {}).map(([pattern, schema]) => [new RegExp(pattern, 'u'), schema]),
    others: [additionalProperties, unevaluatedProperties].filter(isSchema),
    places,
    rest: [places === items ? additionalItems : items].filter(isSchema)
  }
}

function fieldSchemas ({ named, patterns, others }: Part, key: string): readonly JsonSchema[] {
  const matching = patterns.filter(([pattern]) => pattern.test(key)).map(([, schema]) => schema)
  const found = [named.get(key), ...matching]
  // `true` declares a field and says no more of it.
  if (found.some(schema => schema !== undefined)) return found.map(schema => schema === true ? {} : schema).filter(isSchema)
  return others
}

function itemSchemas ({ places, rest }: Part, index: number): readonly JsonSchema[] {
  return index < places.length ? [places[index]].filter(isSchema) : rest
}

/** Schemas and all their members: what any of them declares is declared. */
function flatten (nodes: readonly JsonSchema[], root: JsonSchema, found = new Set<JsonSchema>()): Set<JsonSchema> {
  for (const schema of nodes.map(node => resolve(node, root))) {
    if (found.has(schema)) continue
    found.add(schema)
    flatten(membersOf(schema), root, found)
  }
  return found
}

/** Does the author let in any field: by saying so, or by a schema that says nothing at all? */
function isOpen (schema: JsonSchema): boolean {
  return schema.additionalProperties === true || schema.unevaluatedProperties === true || Object.keys(schema).every(keyword => NOTES.has(keyword))
}

const NOTES = new Set(['title', 'description', 'default', 'examples', '$defs'])
