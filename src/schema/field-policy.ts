import { isSecretName } from '../protocol/redact.js'
import { ownKeywords } from './close.js'
import { fieldSchemas, itemSchema } from './declared.js'
import { resolve } from './hoist.js'
import type { JsonSchema } from './infer.js'
import { isSchema, subschemasOf } from './walk.js'

/** What an author's own keywords say of a field, and of all that lies in it. */
export interface FieldPolicy {
  /** Its value is never echoed or logged. */
  readonly sensitive: boolean
  /** A wrong value is what somebody meant, and not for a model to correct. */
  readonly uncorrectable: boolean
  /** The declared error that a wrong value is. */
  readonly code: string | undefined
}

/** Where no keyword stands. */
export const ordinary: FieldPolicy = { sensitive: false, uncorrectable: false, code: undefined }

/** The policy of a value, from its schema and the policy of what it lies in. What is secret stays so further in; of the other keywords the inner one counts. */
export function fieldPolicy (schema: JsonSchema, root: JsonSchema, outer: FieldPolicy): FieldPolicy {
  const { sensitive, correctable, code } = ownKeywords
  let said = saidBy.get(schema)
  if (said === undefined) saidBy.set(schema, said = sayings(schema, root))
  if (said.length === 0) return outer
  const known = said.map(member => member[correctable]).filter(value => typeof value === 'boolean')
  return {
    sensitive: outer.sensitive || said.some(member => member[sensitive] === true),
    uncorrectable: known.length === 0 ? outer.uncorrectable : known.includes(false),
    code: said.map(member => member[code]).find(value => typeof value === 'string') ?? outer.code
  }
}

const saidBy = new WeakMap<JsonSchema, readonly JsonSchema[]>()

const KEYWORDS = Object.values(ownKeywords)

/** The schema and its members that carry a keyword of ours. A union's branch that keeps a secret keeps it for the whole. */
function sayings (node: JsonSchema, root: JsonSchema, depth: number = 0): JsonSchema[] {
  const schema = resolve(node, root)
  const own = KEYWORDS.some(keyword => schema[keyword] !== undefined) ? [schema] : []
  const members = depth > 8 ? [] : ['allOf', 'anyOf', 'oneOf'].flatMap(keyword => schema[keyword] ?? []).filter(isSchema)
  return members.length === 0 ? own : [...own, ...members.flatMap(member => sayings(member, root, depth + 1))]
}

const PATH = /\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\]|([^.[\]]+)/g

/** The policy of the field at a path as `propertyPath` and `itemPath` write it. */
export function policyAt (root: JsonSchema, path: string): FieldPolicy {
  let schemas = [root]
  let policy = ordinary
  for (const [, index, quoted, name] of path.matchAll(PATH)) {
    const next = index !== undefined
      ? schemas.map(schema => itemSchema(schema, Number(index)))
      : schemas.flatMap(schema => fieldSchemas(schema, root, quoted === undefined ? name! : readQuoted(quoted)))
    schemas = next.filter(isSchema).map(schema => resolve(schema, root))
    for (const schema of schemas) policy = fieldPolicy(schema, root, policy)
  }
  return policy
}

/** An author may write a path by hand. */
function readQuoted (text: string): string {
  try { return JSON.parse(text) } catch { return text }
}

/** Is there any field whose wrong value is not for a model to correct? */
export function hasUncorrectable (root: JsonSchema): boolean {
  return root[ownKeywords.correctable] === false || subschemasOf(root).some(({ schema }) => hasUncorrectable(schema))
}

/** Does a value of this schema hold anything that is never echoed: a sensitive field, or one with a name like a credential's? */
export function holdsSecret (node: JsonSchema, root: JsonSchema, seen: Set<JsonSchema> = new Set()): boolean {
  const schema = resolve(node, root)
  if (seen.has(schema)) return false
  seen.add(schema)
  if (schema[ownKeywords.sensitive] === true) return true
  return subschemasOf(schema).some(({ schema: inner, keyword, key }) => keyword !== '$defs' && ((keyword === 'properties' && isSecretName(key)) || holdsSecret(inner, root, seen)))
}
