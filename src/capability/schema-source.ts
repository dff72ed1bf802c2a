import { publicSchema } from '../schema/close.js'
import { hoist, pointedTo } from '../schema/hoist.js'
import type { JsonSchema } from '../schema/infer.js'
import { isSchema, mapSubschemas, subschemasOf } from '../schema/walk.js'
import type { Capability } from './define.js'
import { inputSchema, outputSchema } from './describe.js'

/** Which of its two schemas a capability is asked for. */
export type Side = 'input' | 'output'

/** One schema of a document, before what has a name in it becomes a component. */
export interface SchemaSource {
  readonly side: Side
  /** Where it stands, in words. */
  readonly owner: string
  /** What names of its own are preceded by, for they mean nothing elsewhere. */
  readonly scope: string
  /** Names given by `$id`. */
  readonly ids: readonly string[]
  /** The name of the whole, if it has one. */
  readonly rootId?: string
  /** As its author wrote it, all names under `$defs`: what one name must mean everywhere. Not there: it may mean something else here. */
  readonly declared?: JsonSchema
  /** As readers see it, all names under `$defs`. */
  readonly published: JsonSchema
}

/** TypeBox numbers recursive schemas without a name as they are made: those names change with the order of imports. */
export const NUMBERED = /^T\d+$/

/** A schema of a capability. */
export function sourceOf (capability: Capability, side: Side): SchemaSource {
  const schema = capability[side]
  return {
    side,
    owner: `the ${side} of ${capability.name}`,
    scope: `${capability.name}_${side}`,
    ...namesIn(schema),
    declared: laterDefinitions(publicSchema(hoist(schema))),
    published: laterDefinitions(side === 'input' ? inputSchema(capability) : outputSchema(capability))
  }
}

/** Schemas that others refer to by `$id`. */
export type SharedSchemas = Readonly<Record<string, unknown>>

/** A schema of a route that is no capability: published as it is, with what it refers to in `shared`. */
export function sourceOfRoute (schema: JsonSchema, shared: SharedSchemas, scope: string): SchemaSource {
  const whole = withShared(schema, shared)
  return { side: 'output', owner: scope, scope, ...namesIn(whole), published: laterDefinitions(publicSchema(hoist(whole))) }
}

function namesIn (schema: JsonSchema): Pick<SchemaSource, 'ids' | 'rootId'> {
  const ids = idsIn(schema).filter(id => !NUMBERED.test(id))
  return { ids, ...(ids.includes(schema.$id) && { rootId: schema.$id }) }
}

function idsIn (schema: JsonSchema): string[] {
  return [...typeof schema.$id === 'string' ? [schema.$id] : [], ...subschemasOf(schema).flatMap(({ schema: subschema }) => idsIn(subschema))]
}

/** The schema with all that it refers to among its definitions. One that is a reference and nothing else is what it refers to. */
function withShared (schema: JsonSchema, shared: SharedSchemas): JsonSchema {
  const reached: Record<string, JsonSchema> = {}
  const write = (node: JsonSchema, base: string | undefined): JsonSchema => {
    const inside = typeof node.$id === 'string' ? node.$id : base
    const copy = mapSubschemas(node, subschema => write(subschema, inside))
    return typeof copy.$ref === 'string' ? { ...copy, $ref: reach(copy.$ref, inside) } : copy
  }
  const reach = (ref: string, base: string | undefined): string => {
    const id = known(ref, shared) ?? known(absolute(ref, base), shared)
    const target = id === undefined ? undefined : pointedTo(`#${ref.split('#')[1] ?? ''}`, shared[id] as JsonSchema)
    if (target === undefined) return ref
    // What a pointer leads to has a name of its own: generators do not follow pointers into a component.
    const name = target === shared[id!] ? id! : `${id}#${ref.split('#')[1]}`
    if (!Object.hasOwn(reached, name)) {
      reached[name] = {} // Held open first: schemas may refer to each other.
      reached[name] = { ...write(target, id), $id: name }
    }
    return name
  }
  const root = write(schema, undefined)
  const { $defs, ...whole } = Object.keys(root).length === 1 && typeof root.$ref === 'string' ? reached[root.$ref] ?? root : root
  return Object.keys(reached).length === 0 ? root : { ...whole, $defs: { ...$defs, ...reached } }
}

/** Definitions in the word of draft-07 as those of later years: each is a component of its own then. */
function laterDefinitions (root: JsonSchema): JsonSchema {
  const { definitions, $defs = {}, ...rest } = root
  if (!isSchema(definitions) || Object.keys(definitions).some(name => Object.hasOwn($defs, name))) return root
  const write = (schema: JsonSchema): JsonSchema => {
    const copy = mapSubschemas(schema, write)
    return typeof copy.$ref === 'string' ? { ...copy, $ref: copy.$ref.replace(/^#\/definitions\//, '#/$defs/') } : copy
  }
  return write({ ...rest, $defs: { ...definitions, ...$defs } })
}

/** The shared schema that a reference begins with, by its id. */
function known (ref: string | undefined, shared: SharedSchemas): string | undefined {
  const id = ref?.split('#', 1)[0]
  return id !== undefined && id !== '' && Object.hasOwn(shared, id) && isSchema(shared[id]) ? id : undefined
}

/** A reference as seen from the schema it stands in: `#/definitions/b` inside `a`, `b.json` inside `https://example.com/a.json`. */
function absolute (ref: string, base: string | undefined): string | undefined {
  if (base === undefined) return undefined
  if (ref.startsWith('#')) return `${base}${ref}`
  return URL.canParse(ref, base) ? new URL(ref, base).href : undefined
}
