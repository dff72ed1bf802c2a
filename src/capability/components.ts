import type { JsonSchema } from '../schema/infer.js'
import { mapSubschemas } from '../schema/walk.js'
import { modernSchema } from './modern-schema.js'
import { NUMBERED, type SchemaSource, type Side } from './schema-source.js'

/** The schemas of a document, with what has a name standing once, under that name. */
export interface Components {
  /** A schema of the document; each reference in it points to a component. */
  schemaOf (source: SchemaSource): JsonSchema
  /** All components that the schemas given out so far refer to, by name. */
  all (): Record<string, JsonSchema>
}

interface Definitions { readonly [key: string]: JsonSchema }

/** A schema taken apart into its definitions; the root is one of them. */
interface Part extends Pick<SchemaSource, 'side' | 'owner' | 'scope'> {
  /** Names that mean the same in all declared schemas. */
  readonly shared: ReadonlySet<string>
  readonly rootKey: string
  readonly declared: Definitions
  /** Does a name of this schema mean the same everywhere? */
  readonly isBinding: boolean
  readonly published: Definitions
  readonly names: Map<string, string>
}

interface Claim { readonly form: string, readonly owner: string }

/**
 * Prepares the components of a document over all its declared schemas. `own` are components of the document itself.
 * Throws a `TypeError` that names both places where one `$id` stands for two declared shapes.
 */
export function createComponents (sources: readonly SchemaSource[], own: Definitions): Components {
  const parts = new Map(sources.map(source => [source, partOf(source)]))
  const inputForms = sharedForms([...parts.values()])
  const claims = new Map<string, Claim>(Object.keys(own).map(name => [name, { form: '', owner: 'the document itself' }]))
  const components = new Map(Object.entries(own))

  const place = (part: Part, key: string): string => {
    const known = part.names.get(key)
    if (known !== undefined) return known
    const form = formOf(part.published, key, part.rootKey)
    const wanted = part.shared.has(key) ? sharedName(key, part.side, form, inputForms) : scopedName(part, key)
    const name = part.isBinding ? wanted : freeName(claims, wanted, form)
    part.names.set(key, name) // Held open first: a recursive schema comes by here again.
    if (claim(claims, name, { form, owner: part.owner })) components.set(name, modernSchema(write(part, part.published[key]!)))
    return name
  }
  const write = (part: Part, schema: JsonSchema): JsonSchema => {
    const copy = mapSubschemas(schema, subschema => write(part, subschema))
    const target = targetOf(copy.$ref, part.rootKey)
    if (target !== undefined && Object.hasOwn(part.published, target.key)) copy.$ref = `#/components/schemas/${place(part, target.key)}${target.rest}`
    return copy
  }

  return {
    schemaOf (source) {
      const part = parts.get(source) ?? partOf(source)
      return modernSchema(write(part, isReferred(part) ? { $ref: '#' } : part.published[part.rootKey]!))
    },
    all: () => sorted(Object.fromEntries(components))
  }
}

function partOf ({ side, owner, scope, ids, rootId = '', declared, published }: SchemaSource): Part {
  return {
    side,
    owner,
    scope,
    shared: new Set(ids),
    rootKey: rootId,
    declared: definitions(declared ?? {}, rootId),
    isBinding: declared !== undefined,
    published: definitions(published, rootId),
    names: new Map()
  }
}

function definitions ({ $defs, ...root }: JsonSchema, rootKey: string): Definitions {
  return { ...$defs, [rootKey]: root }
}

/** Has the root a name, or does it refer to itself? Then it is a component. */
function isReferred ({ rootKey, published }: Part): boolean {
  return rootKey !== '' || Object.values(published).some(schema => keysIn(schema, rootKey).includes(rootKey))
}

/** Checks that each shared name has one shape, and says how inputs publish it: closed, which the same schema in an output is not. */
function sharedForms (parts: readonly Part[]): ReadonlyMap<string, string> {
  const claims = new Map<string, Claim>()
  const forms = new Map<string, string>()
  for (const { side, owner, shared, rootKey, declared, published } of parts) {
    for (const key of shared) {
      claim(claims, key, { form: formOf(declared, key, rootKey), owner })
      if (side === 'input') forms.set(key, formOf(published, key, rootKey))
    }
  }
  return forms
}

/** Takes a name, or finds it taken by the same; `true` the first time. */
function claim (claims: Map<string, Claim>, name: string, { form, owner }: Claim): boolean {
  const taken = claims.get(name)
  if (taken === undefined) claims.set(name, { form, owner })
  else if (taken.form !== form) throw new TypeError(`Expected schemas of one name to have one shape, got two named '${name}': one in ${taken.owner}, another in ${owner}. Give one of them another \`$id\`.`)
  return taken === undefined
}

/** The name, or one like it where another shape has it. */
function freeName (claims: ReadonlyMap<string, Claim>, wanted: string, form: string): string {
  const isFree = (name: string): boolean => (claims.get(name)?.form ?? form) === form
  let name = wanted
  for (let count = 2; !isFree(name); count++) name = `${wanted}_${count}`
  return name
}

function sharedName (id: string, side: Side, form: string, inputForms: ReadonlyMap<string, string>): string {
  const differs = side === 'output' && (inputForms.get(id) ?? form) !== form
  return legal(id) + (differs ? 'Output' : '')
}

function scopedName ({ scope, rootKey, published }: Part, key: string): string {
  if (key === rootKey) return scope
  return `${scope}_${NUMBERED.test(key) ? Object.keys(published).filter(name => NUMBERED.test(name)).indexOf(key) + 1 : legal(key)}`
}

/** The characters OpenAPI allows in the name of a component. */
function legal (name: string): string {
  return name.replace(/[^\w.-]+/g, '_')
}

/** A definition and all it refers to, as comparable text. */
function formOf (definitions: Definitions, key: string, rootKey: string): string {
  const reached = new Map<string, JsonSchema>()
  const reach = (name: string): void => {
    const schema = definitions[name]
    if (schema === undefined || reached.has(name)) return
    reached.set(name, schema)
    keysIn(schema, rootKey).forEach(reach)
  }
  reach(key)
  // The order of keywords says nothing, and a root is itself whether it is reached as `#` or by its name.
  return JSON.stringify([...reached.values()], (keyword, value) => {
    if (keyword === '$ref') return targetOf(value, rootKey) ?? value
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? sorted(value) : value
  })
}

function sorted<T> (record: Readonly<Record<string, T>>): Record<string, T> {
  return Object.fromEntries(Object.entries(record).sort(([a], [b]) => a < b ? -1 : 1))
}

/** The definition that a local reference points to, and the rest of the way into it; `undefined` for any other reference. */
function targetOf (ref: unknown, rootKey: string): { key: string, rest: string } | undefined {
  if (typeof ref !== 'string' || !/^#(?:\/|$)/.test(ref)) return undefined
  const [, name, rest] = /^#\/\$defs\/([^/]+)(.*)$/.exec(ref) ?? []
  if (name === undefined) return { key: rootKey, rest: ref.slice(1) }
  return { key: decodeURIComponent(name).replaceAll('~1', '/').replaceAll('~0', '~'), rest: rest! }
}

function keysIn (schema: JsonSchema, rootKey: string): string[] {
  const keys = [targetOf(schema.$ref, rootKey)?.key].filter(key => key !== undefined)
  mapSubschemas(schema, subschema => { keys.push(...keysIn(subschema, rootKey)); return subschema })
  return keys
}
