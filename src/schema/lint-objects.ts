import { isClosedAsAWhole, membersOf } from './close.js'
import { resolve } from './hoist.js'
import type { JsonSchema } from './infer.js'
import { isObjectSchema, isSchema } from './walk.js'

/** Why no value, or not the one that was meant, can satisfy an object schema when it is closed; `undefined` where all is well. */
export function lintClosing (schema: JsonSchema, root: JsonSchema): string | undefined {
  if (membersOf(schema).length === 0) return undefined
  const members = membersIn(schema, root)
  const parts = isClosedAsAWhole(schema, root) ? [schema, ...members] : [schema]
  const names = new Set([schema, ...members].flatMap(namesOf))
  const closed = parts.some(part => isClosedByItself(part, part === schema) && names.size > namesOf(part).length)
  return closed ? 'no member of an intersection to be closed by itself: it would refuse the fields of the others. Join them with `Type.Composite`, or leave `additionalProperties` out of them' : undefined
}

/** The required fields that a schema does not declare, though it lets in no other fields. */
export function lintRequired (schema: JsonSchema): string[] {
  const { required, patternProperties, additionalProperties, unevaluatedProperties } = schema
  const isOpen = [additionalProperties, unevaluatedProperties].some(others => others !== undefined && others !== false)
  if (!Array.isArray(required) || !isSchema(schema.properties) || patternProperties !== undefined || isOpen || membersOf(schema).length > 0 || schema.$ref !== undefined) return []
  return required.filter(name => !Object.hasOwn(schema.properties, name))
}

/** Is this an object that declares nothing at all, and so can only be empty? */
export function declaresNothing (schema: JsonSchema): boolean {
  return isObjectSchema(schema) && DECLARING.every(keyword => schema[keyword] === undefined) && membersOf(schema).length === 0
}

const DECLARING = ['properties', 'patternProperties', 'additionalProperties', 'unevaluatedProperties', 'maxProperties', 'const', 'enum', '$ref']

function membersIn (schema: JsonSchema, root: JsonSchema, seen = new Set<JsonSchema>()): JsonSchema[] {
  for (const member of membersOf(schema).map(member => resolve(member, root))) {
    if (seen.has(member)) continue
    seen.add(member)
    membersIn(member, root, seen)
  }
  return [...seen]
}

function namesOf ({ properties }: JsonSchema): string[] {
  return isSchema(properties) ? Object.keys(properties) : []
}

/** `unevaluatedProperties` sees the members of the schema it stands in, and no others. */
function isClosedByItself ({ additionalProperties, unevaluatedProperties }: JsonSchema, isWhole: boolean): boolean {
  return additionalProperties === false || (!isWhole && unevaluatedProperties === false)
}
