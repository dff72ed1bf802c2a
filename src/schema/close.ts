import { hoist } from './hoist.js'
import type { JsonSchema } from './infer.js'
import { isObjectSchema, isSchema, mapSubschemas } from './walk.js'

/** Our own keywords; they appear in no schema that leaves the service. */
export const ownKeywords = {
  /** `false`: a wrong value in this field is the user's intent, and a model must not invent another. */
  correctable: 'x-candor-correctable',
  /** The declared error that a wrong value in this field is. */
  code: 'x-candor-code',
  /** `true`: the value is never echoed or logged. */
  sensitive: 'x-candor-sensitive'
} as const

const OWN = new Set<string>(Object.values(ownKeywords))

/** What a schema's members leave to the schema around them. */
const COMPOSED = ['allOf', 'anyOf', 'oneOf', 'then', 'else', 'dependentSchemas']
/** Conditions: they are asked, not obeyed, and stay as the author wrote them. */
const CONDITIONS = ['not', 'if', 'contains', 'propertyNames']

/**
 * The copy of an input schema that is enforced and published: objects closed, integers within what JSON numbers hold exactly.
 * An object is open only where its author says so (`additionalProperties`, `unevaluatedProperties`).
 */
export function closeSchema (schema: JsonSchema): JsonSchema {
  return close(hoist(schema), false) as JsonSchema
}

/** A copy without our own keywords, fit to leave the service. */
export function publicSchema (schema: JsonSchema): JsonSchema {
  const copy = mapSubschemas(schema, publicSchema)
  for (const keyword of OWN) delete copy[keyword]
  return copy
}

function close (schema: JsonSchema, composed: boolean): unknown {
  const whole = composed || isClosedAsAWhole(schema)
  const copy = mapSubschemas(schema, (subschema, keyword) => CONDITIONS.includes(keyword) ? subschema : close(subschema, whole && COMPOSED.includes(keyword)))
  boundInteger(copy)
  if (composed || isSaid(copy)) return copy
  if (isClosedAsAWhole(schema)) copy.unevaluatedProperties = false
  else if (isObjectSchema(schema)) copy.additionalProperties = false
  return copy
}

function isSaid (schema: Record<string, unknown>): boolean {
  return schema.additionalProperties !== undefined || schema.unevaluatedProperties !== undefined
}

/** Are the fields of this object spread over members, so that no member can be closed by itself? */
function isClosedAsAWhole (schema: JsonSchema): boolean {
  if (Array.isArray(schema.allOf)) return isObjectSchema(schema) || schema.allOf.some(member => isSchema(member) && (isObjectSchema(member) || isClosedAsAWhole(member)))
  const branches = ['anyOf', 'oneOf', 'then', 'else', 'dependentSchemas', '$ref'].some(keyword => schema[keyword] !== undefined)
  return branches && isSchema(schema.properties)
}

const INTEGERS = { minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER }

/** Above 2^53 a number has lost its last digits before anybody could look at it. */
function boundInteger (schema: Record<string, unknown>): void {
  const { type } = schema
  if (type !== 'integer' && !(Array.isArray(type) && type.includes('integer') && !type.includes('number'))) return
  if (schema.minimum === undefined && schema.exclusiveMinimum === undefined) schema.minimum = INTEGERS.minimum
  if (schema.maximum === undefined && schema.exclusiveMaximum === undefined) schema.maximum = INTEGERS.maximum
}

/** Is this bound one of ours, about exactness and not about the value? */
export function isExactnessBound (bound: unknown): boolean {
  return bound === INTEGERS.minimum || bound === INTEGERS.maximum
}
