import { resolve, standalone } from '../schema/hoist.js'
import type { JsonSchema } from '../schema/infer.js'
import { isSchema } from '../schema/walk.js'
import type { SchemaSource } from './schema-source.js'

/** A field of a query, of headers or of a path, as a schema of its own. */
export interface Field { readonly source: SchemaSource, readonly required: boolean }

/** A path of Fastify's as OpenAPI writes it, and the parameters in it. */
export interface RoutePath { readonly path: string, readonly names: readonly string[] }

/** What a segment of a path may hold: `::` is a colon, `:name` and `:name(pattern)` a parameter, `*` the rest. */
const PART = /::|:(\w+)(?:\((?:[^()]|\([^()]*\))*\))?\??|\*/g

/** What `*` is called in a document: validators and generators take no name without letters. */
export const WILDCARD = 'wildcard'

/** The paths under which a route is reached: two where its last parameter may be missing. */
export function pathsOf (url: string): RoutePath[] {
  const whole = written(url)
  return /:\w+\?$/.test(url) ? [whole, written(url.replace(/\/:\w+\?$/, '') || '/')] : [whole]
}

function written (url: string): RoutePath {
  const names: string[] = []
  const path = url.replace(PART, (part: string, name: string | undefined) => {
    if (part === '::') return ':'
    names.push(name ?? WILDCARD)
    return `{${name ?? WILDCARD}}`
  })
  return { path, names }
}

/** The fields that a schema of an object speaks of, by name; whether one is required, all branches of a choice decide. */
export function fieldsOf (source: SchemaSource): ReadonlyMap<string, Field> {
  const root = source.published
  const fields = new Map<string, Field>()
  const collect = (node: JsonSchema, binding: boolean, seen: readonly JsonSchema[]): void => {
    const schema = resolve(node, root)
    if (seen.includes(schema)) return
    const needed: unknown[] = binding && Array.isArray(schema.required) ? schema.required : []
    for (const [name, property] of Object.entries<unknown>(schema.properties ?? {})) {
      const required = needed.includes(name) || fields.get(name)?.required === true
      const published = isSchema(property) ? standalone(property, root) : {}
      fields.set(name, { required, source: { ...source, scope: `${source.scope}_${name}`, rootId: undefined, published } })
    }
    for (const keyword of ['allOf', 'anyOf', 'oneOf']) {
      for (const member of (schema[keyword] ?? []) as JsonSchema[]) collect(member, binding && keyword === 'allOf', [...seen, schema])
    }
  }
  collect(root, true, [])
  return fields
}
