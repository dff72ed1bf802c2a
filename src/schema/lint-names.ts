import type { JsonSchema } from './infer.js'
import { eachInner, isSchema } from './walk.js'

/** A schema with an `$id`, and whose it is. */
export interface Named { readonly id: string, readonly schema: JsonSchema, readonly owner: string }

/** All schemas with an `$id`, as their author wrote them. */
export function namesIn (schema: JsonSchema, owner: string, found: Named[] = []): Named[] {
  if (typeof schema.$id === 'string') found.push({ id: schema.$id, schema, owner })
  eachInner(schema, inner => { if (isSchema(inner)) namesIn(inner, owner, found) })
  return found
}

/** Pairs of different schemas under one `$id`, the first of each. A name is how a schema is found: it can have one shape only. */
export function clashes (names: readonly Named[]): Array<readonly [Named, Named]> {
  const first = new Map<string, Named & { form?: string }>()
  const found = new Map<string, readonly [Named, Named]>()
  for (const named of names) {
    const known = first.get(named.id)
    if (known === undefined) first.set(named.id, { ...named })
    else if (known.schema !== named.schema && (known.form ??= formOf(known.schema)) !== formOf(named.schema) && !found.has(named.id)) found.set(named.id, [known, named])
  }
  return [...found.values()]
}

/** TypeBox numbers recursive schemas without a name as they are made: such a name means nothing outside its own schema. */
export function isNumbered (id: string): boolean {
  return /^T\d+$/.test(id)
}

/** A schema as text that does not depend on the order of its keywords. */
function formOf (schema: JsonSchema): string {
  return JSON.stringify(schema, (_, value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => a < b ? -1 : 1)) : value)
}

// As TypeBox brands what it has to decode; the registry is shared by all its copies.
const TRANSFORM = Symbol.for('TypeBox.Transform')

/** Does the schema itself want its values decoded? Nothing decodes them here. */
export function isTransform (schema: JsonSchema): boolean {
  return TRANSFORM in schema
}

/** Does the schema, or one in it? */
export function hasTransform (schema: JsonSchema): boolean {
  let found = isTransform(schema)
  eachInner(schema, inner => { found ||= isSchema(inner) && hasTransform(inner) })
  return found
}
