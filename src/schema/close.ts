import { hoist, resolve } from './hoist.js'
import type { JsonSchema } from './infer.js'
import { isObjectSchema, isSchema, mapSubschemas, subschemasOf } from './walk.js'

/** Our own keywords; they appear in no schema that leaves the service. */
export const ownKeywords = {
  /** `false`: a wrong value in this field is the user's intent, and a model must not invent another. */
  correctable: 'x-candor-correctable',
  /** The declared error that a wrong value in this field is. */
  code: 'x-candor-code',
  /** `true`: the value is never echoed or logged. */
  sensitive: 'x-candor-sensitive'
} as const

/** What all our own keywords begin with. */
export const OWN_PREFIX = 'x-candor-'

/** Keywords whose schemas speak of the same object as the schema around them. */
const COMPOSED = ['allOf', 'anyOf', 'oneOf', 'then', 'else', 'dependentSchemas', 'dependencies']
/** Conditions: they are asked, not obeyed, and stay as the author wrote them. */
export const CONDITIONS = ['not', 'if', 'contains', 'propertyNames']

/**
 * The copy of an input schema that is enforced and published: objects closed, integers within what JSON numbers hold exactly.
 * An object is open only where its author says so (`additionalProperties`, `unevaluatedProperties`).
 */
export function closeSchema (schema: JsonSchema): JsonSchema {
  const root = hoist(schema)
  return close(root, { root, composed: false, inside: [] })
}

/** A copy without our own keywords, fit to leave the service. */
export function publicSchema (schema: JsonSchema): JsonSchema {
  const copy = mapSubschemas(schema, publicSchema)
  return Object.fromEntries(Object.entries(copy).filter(([keyword]) => !keyword.startsWith(OWN_PREFIX)))
}

interface Place {
  readonly root: JsonSchema
  /** Is this part of an object that is closed as a whole, by a schema around it? */
  readonly composed: boolean
  /** References that are being written out. */
  readonly inside: readonly string[]
}

function close (node: JsonSchema, place: Place): JsonSchema {
  const whole = place.composed || isSaid(node) || isClosedAsAWhole(node, place.root)
  const { schema, inside } = whole ? writeOut(node, place) : { schema: node, inside: [] }
  const copy = mapSubschemas(schema, (subschema, keyword) => {
    if (CONDITIONS.includes(keyword)) return subschema
    const composed = whole && COMPOSED.includes(keyword)
    return close(subschema, { root: place.root, composed, inside: composed ? inside : [] })
  })
  boundInteger(copy)
  if (place.composed || isSaid(node)) return copy
  if (whole) return { ...copy, unevaluatedProperties: false }
  return declaresItself(node) ? { ...copy, additionalProperties: false } : copy
}

function isSaid (schema: JsonSchema): boolean {
  return schema.additionalProperties !== undefined || schema.unevaluatedProperties !== undefined
}

/**
 * A reference that is one part of an object, written out: the definition itself is closed, for those who use it alone,
 * and would refuse the fields of the other parts.
 */
function writeOut (node: JsonSchema, { root, inside }: Place): { schema: JsonSchema, inside: readonly string[] } {
  const { $ref } = node
  if (typeof $ref !== 'string' || inside.includes($ref)) return { schema: node, inside }
  const { $defs, ...schema } = resolve(node, root)
  return { schema, inside: [...inside, $ref] }
}

/** Is the schema an object of its own, and not just a choice among objects? */
function declaresItself (schema: JsonSchema): boolean {
  return isObjectSchema(schema) && (isSchema(schema.properties) || isSchema(schema.patternProperties) || partsOf(schema).length === 0)
}

/** The keywords over which the fields of an object are spread, beside its own `properties`. */
function partsOf (schema: JsonSchema): string[] {
  return [...COMPOSED, '$ref'].filter(keyword => schema[keyword] !== undefined)
}

/** Are the fields of this object spread over members, so that no member can be closed by itself? */
export function isClosedAsAWhole (schema: JsonSchema, root: JsonSchema): boolean {
  const parts = partsOf(schema)
  if (parts.length === 0) return false
  if (isSchema(schema.properties) || isSchema(schema.patternProperties)) return true
  // A bare union is closed branch by branch, a bare reference where it points to.
  if (parts.length === 1 && ['anyOf', 'oneOf', '$ref'].includes(parts[0]!)) return false
  return describesObject(schema, root, new Set())
}

/** Does a schema, or one of the members it is composed of, describe an object? */
function describesObject (node: JsonSchema, root: JsonSchema, seen: Set<JsonSchema>): boolean {
  const schema = resolve(node, root)
  if (isObjectSchema(schema)) return true
  if (seen.has(schema)) return false
  seen.add(schema)
  return membersOf(schema).some(member => describesObject(member, root, seen))
}

/** The schemas that speak of the same object as this one. */
export function membersOf (schema: JsonSchema): JsonSchema[] {
  if (!COMPOSED.some(keyword => keyword in schema)) return []
  return subschemasOf(schema).filter(({ keyword }) => COMPOSED.includes(keyword)).map(({ schema }) => schema)
}

/** Above 2^53 a number has lost its last digits before anybody could look at it. */
function boundInteger (schema: Record<string, unknown>): void {
  const { type, minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema
  if (type !== 'integer' && !(Array.isArray(type) && type.includes('integer') && !type.includes('number'))) return
  if (![minimum, exclusiveMinimum].some(bound => Number(bound ?? -Infinity) >= Number.MIN_SAFE_INTEGER)) schema.minimum = Number.MIN_SAFE_INTEGER
  if (![maximum, exclusiveMaximum].some(bound => Number(bound ?? Infinity) <= Number.MAX_SAFE_INTEGER)) schema.maximum = Number.MAX_SAFE_INTEGER
}

/** Is this bound one of ours, about exactness and not about the value? */
export function isExactnessBound (bound: unknown): boolean {
  return bound === Number.MIN_SAFE_INTEGER || bound === Number.MAX_SAFE_INTEGER
}
