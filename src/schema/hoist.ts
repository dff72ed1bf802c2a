import type { JsonSchema } from './infer.js'
import { eachIn, isSchema, mapSubschemas, subschemasOf } from './walk.js'

/**
 * A schema in which each `$id` stands once, under the root's `$defs`, and every reference points there.
 * TypeBox repeats a named schema wherever it is used, which Ajv refuses as two schemas of one name.
 * Tuples come out in the words of 2019-09, and `$schema` is left out: the validator knows one dialect alone.
 */
export function hoist (root: JsonSchema): JsonSchema {
  let copy = hoisted.get(root)
  if (copy === undefined) hoisted.set(root, copy = isSettled(root) ? root : moveNamed(root))
  return copy
}

// Discovery, validation and the linter each start from the same copy.
const hoisted = new WeakMap<JsonSchema, JsonSchema>()

/** Is there nothing to move, so that the schema itself will do? Most have no names, and a copy of each would be kept for as long as the service runs. */
function isSettled (schema: JsonSchema): boolean {
  let settled = true
  const look = (value: unknown): void => { settled &&= value !== undefined && (!isSchema(value) || isSettled(value)) }
  for (const keyword of Object.keys(schema)) {
    if (schema[keyword] === undefined || MOVED.has(keyword)) return false
    eachIn(keyword, schema[keyword], look)
    if (!settled) return false
  }
  return true
}

const MOVED = new Set(['$id', '$ref', '$schema', 'prefixItems'])

function moveNamed (root: JsonSchema): JsonSchema {
  const named = new Map<string, JsonSchema>()
  collect(root, root, named)
  const defs: Record<string, unknown> = {}
  // `base` is where the schema comes to stand: `#` means the nearest schema with a name.
  const move = (schema: JsonSchema, base: string): unknown => {
    const { $schema, ...copy } = mapSubschemas(olderTuple(schema), subschema => place(subschema, base))
    return typeof copy.$ref === 'string' ? { ...copy, ...refer(copy.$ref, base) } : copy
  }
  const refer = (ref: string, base: string): object => {
    if (ref === root.$id) return { $ref: '#' }
    if (ref === '#' || ref.startsWith('#/')) return { $ref: `#${base}${ref.slice(1)}` }
    const [id = '', rest = ''] = named.has(ref) ? [ref] : ref.split(/#(.*)/s)
    if (id === root.$id) return { $ref: `#${rest}` }
    return named.has(id) ? { $ref: `#${pathOf(id)}${rest}`, ...(rest === '' && defaultOf(named.get(id)!)) } : { $ref: ref }
  }
  const place = (schema: JsonSchema, base: string): unknown => {
    const { $id: id, ...body } = schema
    if (typeof id !== 'string' || id === root.$id) return move(schema, base)
    if (!Object.hasOwn(defs, id)) {
      defs[id] = {} // Held open first: a recursive schema comes by here again.
      defs[id] = move(body, pathOf(id))
    }
    return { $ref: `#${pathOf(id)}`, ...defaultOf(schema) }
  }
  const { $id: _, ...body } = root
  const { $defs, ...copy } = move(body, '') as JsonSchema
  const all = { ...ownDefs($defs), ...defs }
  return Object.keys(all).length === 0 ? copy : writeOutRoot({ ...copy, $defs: all })
}

/** A root that only refers to one of its definitions, as `Type.Module` makes it, becomes that definition: readers look for its type. */
function writeOutRoot (root: JsonSchema): JsonSchema {
  if (typeof root.$ref !== 'string' || pointedTo(root.$ref, root) === undefined) return root
  return { ...resolve(root, root), $defs: root.$defs }
}

/** A default stands beside the reference too: Ajv fills in none that it has to look for. */
function defaultOf (schema: JsonSchema): object {
  return schema.default === undefined ? {} : { default: schema.default }
}

/** TypeBox 1.x and others write tuples in the words of 2020-12, which a validator of 2019-09 passes over. */
function olderTuple (schema: JsonSchema): JsonSchema {
  if (!Array.isArray(schema.prefixItems)) return schema
  const { prefixItems, items, ...rest } = schema
  return { ...rest, items: prefixItems, ...(items !== undefined && { additionalItems: items }) }
}

/** The `$defs` an author wrote; entries that were hoisted under the same name are references by now. */
function ownDefs (defs: unknown): Record<string, unknown> {
  if (!isSchema(defs)) return {}
  return Object.fromEntries(Object.entries(defs).filter(([name, value]) => !(isSchema(value) && value.$ref === `#${pathOf(name)}`)))
}

function pathOf (id: string): string {
  return `/$defs/${encodeURIComponent(id.replaceAll('~', '~0').replaceAll('/', '~1'))}`
}

function collect (schema: JsonSchema, root: JsonSchema, named: Map<string, JsonSchema>): void {
  if (schema !== root && typeof schema.$id === 'string' && !named.has(schema.$id)) named.set(schema.$id, schema)
  for (const { schema: subschema } of subschemasOf(schema)) collect(subschema, root, named)
}

// By node: what is compiled for a resolved schema is kept by its identity, which must not change from call to call.
const resolved = new WeakMap<JsonSchema, JsonSchema>()

/** The schema that a node of a hoisted `root` stands for: itself, or what its `$ref` points to. */
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
  const besides: JsonSchema[] = []
  for (let step = 0; typeof node.$ref === 'string' && step < 32; step++) {
    const { $ref, ...beside } = node
    const found = pointedTo($ref, root)
    if (found === undefined) return [...besides, beside].reduceRight(merge, {})
    besides.push(beside)
    node = found
  }
  return besides.reduceRight(merge, node)
}

// A description beside a reference is the nearer one; anything else there holds in addition.
const NOTES = new Set(['title', 'description', 'default', 'examples', 'deprecated', 'readOnly', 'writeOnly', '$comment', '$defs'])

function merge (found: JsonSchema, beside: JsonSchema): JsonSchema {
  const keywords = Object.keys(beside)
  if (keywords.length === 0) return found
  if (keywords.every(keyword => NOTES.has(keyword) || keyword.startsWith('x-'))) return { ...found, ...beside }
  return { ...beside, allOf: [beside.allOf ?? [], found].flat() }
}

/** The schema that a local reference points to, such as `#/$defs/Place`; `undefined` where it is lost. */
export function pointedTo (ref: string, root: JsonSchema): JsonSchema | undefined {
  if (ref !== '#' && !ref.startsWith('#/')) return undefined
  let found: unknown = root
  for (const part of ref.split('/').slice(1)) {
    const key = decode(part).replaceAll('~1', '/').replaceAll('~0', '~')
    found = typeof found === 'object' && found !== null && Object.hasOwn(found, key) ? (found as JsonSchema)[key] : undefined
  }
  return isSchema(found) ? found : undefined
}

function decode (part: string): string {
  try { return decodeURIComponent(part) } catch { return part }
}

/** One node of a hoisted `root` as a schema that can be compiled alone, with all that it refers to. */
export function standalone (node: JsonSchema, root: JsonSchema): JsonSchema {
  if (node === root || (node.$ref === undefined && subschemasOf(node).length === 0)) return node
  // `#` is the root, which the copy is not: there the root is one of the definitions.
  const { $defs = {}, ...body } = root
  const write = (schema: JsonSchema): JsonSchema => {
    const copy = mapSubschemas(schema, write)
    return typeof copy.$ref === 'string' && isSelf(copy.$ref) ? { ...copy, $ref: `#${pathOf('#')}${copy.$ref.slice(1)}` } : copy
  }
  return write({ ...node, $defs: refersToRoot(root) ? { ...$defs, '#': body } : $defs })
}

const isSelf = (ref: string): boolean => /^#(?:$|\/(?!\$defs\/))/.test(ref)

function refersToRoot (schema: JsonSchema): boolean {
  return (typeof schema.$ref === 'string' && isSelf(schema.$ref)) || subschemasOf(schema).some(({ schema: subschema }) => refersToRoot(subschema))
}
