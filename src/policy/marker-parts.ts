import { membersOf } from '../schema/close.js'
import { resolve } from '../schema/hoist.js'
import type { JsonSchema } from '../schema/infer.js'
import { isObjectSchema, isSchema } from '../schema/walk.js'

type Schemas = readonly JsonSchema[]

/** What one schema says of the inside of a value: for each place the schemas that let something in. */
export interface Part {
  readonly named: ReadonlyMap<string, Schemas>
  readonly patterns: ReadonlyArray<{ readonly matches: (key: string) => boolean, readonly schemas: Schemas }>
  readonly others: Schemas
  readonly places: readonly Schemas[]
  readonly rest: Schemas
  /** Says nothing of what the value is. */
  readonly loose: boolean
}

/** A schema that lets in anything. */
export const ANYTHING: JsonSchema = {}

/** The parts of a place: those of the schemas that apply and of all their members. */
export function partsOf (schemas: Schemas, root: JsonSchema): Part[] {
  return [...flatten(schemas, root)].map(readPart)
}

function flatten (nodes: Schemas, root: JsonSchema, found = new Set<JsonSchema>()): Set<JsonSchema> {
  for (const schema of nodes.map(node => resolve(node, root))) {
    if (found.has(schema)) continue
    found.add(schema)
    flatten(membersOf(schema), root, found)
  }
  return found
}

/** The schemas of a field, of which a part says something by name, by pattern or of all the others. */
export function fieldSchemas ({ named, patterns, others }: Part, key: string): Schemas {
  const own = named.get(key)
  const matching = patterns.filter(({ matches }) => matches(key)).flatMap(({ schemas }) => schemas)
  if (own !== undefined) return [...own, ...matching]
  return matching.length > 0 ? matching : others
}

/** The schemas of an item. */
export function itemSchemas ({ places, rest }: Part, index: number): Schemas {
  return places[index] ?? rest
}

function readPart (schema: JsonSchema): Part {
  const { type, properties, patternProperties, additionalProperties, unevaluatedProperties, items, additionalItems, unevaluatedItems } = schema
  const places = Array.isArray(items) ? items : []
  const isSilent = Object.keys(schema).every(keyword => NOTES.has(keyword))
  return {
    named: new Map(entriesOf(properties)),
    patterns: entriesOf(patternProperties).map(([pattern, schemas]) => ({ matches: matcher(pattern), schemas })),
    others: [additionalProperties, unevaluatedProperties, isSilent].flatMap(allowed),
    places: places.map(allowed),
    rest: allowed((places === items ? additionalItems : items) ?? unevaluatedItems ?? (isSilent || [type].flat().includes('array'))),
    loose: type === undefined && !isObjectSchema(schema) && items === undefined
  }
}

/** Compiled on first use: a thousand capabilities must not slow the start. */
function matcher (pattern: string): (key: string) => boolean {
  let regex: RegExp | undefined
  return key => (regex ??= new RegExp(pattern, 'u')).test(key)
}

function entriesOf (map: unknown): Array<[string, Schemas]> {
  return isSchema(map) ? Object.entries(map).map(([key, schema]) => [key, allowed(schema)]) : []
}

function allowed (schema: unknown): Schemas {
  if (schema === true) return [ANYTHING]
  return isSchema(schema) ? [schema] : []
}

// A branch that says no more than this lets in any field, whatever the other branches say.
const NOTES = new Set(['title', 'description', 'default', 'examples', '$defs'])
