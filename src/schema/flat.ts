import { hoist } from './hoist.js'
import type { JsonSchema } from './infer.js'
import { isSchema } from './walk.js'

const SCALARS = new Set<unknown>(['string', 'number', 'integer', 'boolean', 'null'])

/**
 * An object schema whose declared fields are all of a scalar type, with "no other fields"; `undefined` for any other schema.
 * A plain object that keeps it is sent as it is: there is nothing in it to leave out, and nothing that JSON would lose.
 */
export function closedFlat (schema: JsonSchema): JsonSchema | undefined {
  const { type, properties, patternProperties } = schema
  if (type !== 'object' || !isSchema(properties) || patternProperties !== undefined) return undefined
  return Object.values(properties).every(field => isSchema(field) && SCALARS.has(field.type)) ? { ...hoist(schema), additionalProperties: false } : undefined
}

/** Is this an object without a class, which says nothing else of itself to JSON? */
export function isPlainObject (value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
}
