import { typeOf } from '../schema/describe-value.js'
import type { JsonSchema } from '../schema/infer.js'
import { isSchema, mapSubschemas } from '../schema/walk.js'

/**
 * The same constraints in the words of 2020-12 that generators and models read best: tuples as `prefixItems`, literal
 * unions as one `enum`, a nullable type as two types, records as `additionalProperties`. Names (`$id`, `$schema`) are left out.
 */
export function modernSchema (schema: JsonSchema): JsonSchema {
  const { $id, $schema, ...copy } = mapSubschemas(schema, modernSchema)
  return foldNull(foldLiterals(openRecord(tuple(nullable(copy)))))
}

/** A word of OpenAPI 3.0 that Ajv obeys, and 2020-12 does not know. */
function nullable ({ nullable, ...schema }: JsonSchema): JsonSchema {
  return nullable === true && schema.type !== undefined ? { ...schema, type: oneOrMany([schema.type, 'null'].flat()) } : schema
}

function tuple (schema: JsonSchema): JsonSchema {
  if (!Array.isArray(schema.items)) return schema
  const { items, additionalItems, ...rest } = schema
  return { ...rest, prefixItems: items, ...(additionalItems !== undefined && { items: additionalItems }) }
}

/** TypeBox's pattern for "any key". */
const ANY_KEY = '^(.*)$'

/** Generators know `additionalProperties`, and pass over patterns. Beside declared fields the two mean different things. */
function openRecord (schema: JsonSchema): JsonSchema {
  const { patternProperties, properties, additionalProperties = false, ...rest } = schema
  if (!isSchema(patternProperties) || properties !== undefined || additionalProperties !== false) return schema
  const patterns = Object.keys(patternProperties)
  return patterns.length === 1 && patterns[0] === ANY_KEY ? { ...rest, additionalProperties: patternProperties[ANY_KEY] } : schema
}

const ANNOTATIONS = ['title', 'description', 'default', 'examples', 'deprecated', 'readOnly', 'writeOnly']
const LITERAL = ['const', 'enum', 'type', ...ANNOTATIONS]

function isLiteral (branch: JsonSchema): boolean {
  return Object.keys(branch).every(keyword => LITERAL.includes(keyword)) && (Object.hasOwn(branch, 'const') || Array.isArray(branch.enum) || branch.type === 'null')
}

function valuesOf (branch: JsonSchema): unknown[] {
  if (Object.hasOwn(branch, 'const')) return [branch.const]
  return branch.enum ?? [null]
}

interface Union { branches: readonly JsonSchema[], rest: JsonSchema }

/** The union that a schema is, if it is nothing else: what stands beside it only describes it. */
function unionOf (schema: JsonSchema): Union | undefined {
  const { anyOf, oneOf, ...rest } = schema
  const branches: unknown = anyOf === undefined ? oneOf : oneOf === undefined ? anyOf : undefined
  if (!Array.isArray(branches) || branches.length === 0 || !branches.every(isSchema)) return undefined
  return Object.keys(rest).every(keyword => keyword === 'type' || ANNOTATIONS.includes(keyword)) ? { branches, rest } : undefined
}

function foldLiterals (schema: JsonSchema): JsonSchema {
  const union = unionOf(schema)
  if (union === undefined || !union.branches.every(isLiteral)) return schema
  const { branches, rest } = union
  const types = branches.flatMap(branch => branch.type ?? valuesOf(branch).map(typeOf))
  const said = branches.filter(branch => typeof branch.description === 'string').map(branch => `${valuesOf(branch).map(value => JSON.stringify(value)).join(', ')}: ${branch.description}`)
  return { type: oneOrMany(types), ...describedBy(rest, [rest.description, ...said]), enum: [...new Set(branches.flatMap(valuesOf))] }
}

/** Keywords that hold for a value of any type: beside them, null would have to satisfy them too. */
const FOR_ANY_TYPE = ['$ref', 'enum', 'const', 'anyOf', 'oneOf', 'allOf', 'not', 'if']

function foldNull (schema: JsonSchema): JsonSchema {
  const union = unionOf(schema)
  if (union === undefined || union.branches.length !== 2 || union.rest.type !== undefined) return schema
  const nothing = union.branches.find(branch => branch.type === 'null' && isLiteral(branch))
  const value = union.branches.find(branch => branch !== nothing)!
  if (nothing === undefined || value.type === undefined || FOR_ANY_TYPE.some(keyword => keyword in value)) return schema
  return describedBy({ ...value, ...union.rest, type: oneOrMany([value.type, 'null'].flat()) }, [union.rest.description, value.description, nothing.description])
}

function oneOrMany (types: readonly string[]): string | string[] {
  const distinct = [...new Set(types)]
  return distinct.length === 1 ? distinct[0]! : distinct
}

/** What the folded parts said of themselves is kept: a model reads nothing else of them. */
function describedBy (schema: JsonSchema, texts: readonly unknown[]): JsonSchema {
  const description = joinSentences(texts)
  return description === '' ? schema : { ...schema, description }
}

/** Puts texts one after the other, each once; what is no text is left out. */
export function joinSentences (texts: readonly unknown[]): string {
  const distinct = [...new Set(texts.filter(text => typeof text === 'string' && text !== ''))] as string[]
  return distinct.map((text, index) => index === distinct.length - 1 || /[.!?…:;]$/.test(text) ? text : `${text}.`).join(' ')
}
