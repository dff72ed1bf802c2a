import type { JsonSchema } from './infer.js'
import { isSchema, mapSubschemas } from './walk.js'

/**
 * A copy of a schema in which each `$id` stands once, under the root's `$defs`, and every reference points there.
 * TypeBox repeats a named schema wherever it is used, which Ajv refuses as two schemas of one name.
 */
export function hoist (root: JsonSchema): JsonSchema {
  const named = new Map<string, JsonSchema>()
  collect(root, true, named)
  const defs: Record<string, unknown> = {}
  const move = (schema: JsonSchema): unknown => {
    const copy = mapSubschemas(schema, subschema => place(subschema))
    if (typeof copy.$ref === 'string') copy.$ref = target(copy.$ref)
    return copy
  }
  const target = (ref: string): string => {
    if (ref === root.$id) return '#'
    return named.has(ref) ? pointer(ref) : ref
  }
  const place = (schema: JsonSchema): unknown => {
    const id = schema.$id
    if (typeof id !== 'string' || id === root.$id) return move(schema)
    if (!Object.hasOwn(defs, id)) {
      defs[id] = {} // Held open first: a recursive schema comes by here again.
      const { $id: _, ...body } = schema
      defs[id] = move(body)
    }
    return { $ref: pointer(id) }
  }
  const { $id: _, ...body } = root
  const { $defs, ...copy } = move(body) as JsonSchema
  const all = { ...ownDefs($defs), ...defs }
  return Object.keys(all).length === 0 ? copy : { ...copy, $defs: all }
}

/** The `$defs` an author wrote; entries that have an `$id` were hoisted and are references by now. */
function ownDefs (defs: unknown): Record<string, unknown> {
  if (!isSchema(defs)) return {}
  return Object.fromEntries(Object.entries(defs).filter(([name, value]) => !(isSchema(value) && value.$ref === pointer(name))))
}

function pointer (id: string): string {
  return `#/$defs/${encodeURIComponent(id.replaceAll('~', '~0').replaceAll('/', '~1'))}`
}

function collect (schema: JsonSchema, isRoot: boolean, named: Map<string, JsonSchema>): void {
  if (!isRoot && typeof schema.$id === 'string') named.set(schema.$id, schema)
  mapSubschemas(schema, subschema => { collect(subschema, false, named); return subschema })
}

// By node: what is compiled for a resolved schema is kept by its identity, which must not change from call to call.
const resolved = new WeakMap<JsonSchema, JsonSchema>()

/** The schema that a node of `root` stands for: itself, or what its local `$ref` points to. */
export function resolve (schema: JsonSchema, root: JsonSchema): JsonSchema {
  if (typeof schema.$ref !== 'string') return schema
  let target = resolved.get(schema)
  if (target === undefined) {
    target = follow(schema, root)
    resolved.set(schema, target)
  }
  return target
}

function follow (schema: JsonSchema, root: JsonSchema): JsonSchema {
  let node = schema
  for (let step = 0; typeof node.$ref === 'string' && step < 32; step++) {
    const { $ref, ...beside } = node
    const found: unknown = $ref === '#' ? root : root.$defs?.[decodeURIComponent(String($ref).replace('#/$defs/', '')).replaceAll('~1', '/').replaceAll('~0', '~')]
    if (!isSchema(found)) return beside
    // What stands beside a reference holds too; a description there is the nearer one.
    node = Object.keys(beside).length === 0 ? found : { ...found, ...beside }
  }
  return node
}
