import { typeOf } from '../schema/describe-value.js'
import { resolve } from '../schema/hoist.js'
import type { JsonSchema } from '../schema/infer.js'
import { expectedType, listValues } from '../schema/rules.js'
import { literals } from '../schema/unions.js'
import { isObjectSchema, isSchema } from '../schema/walk.js'
import { joinSentences, modernSchema } from './modern-schema.js'

/** One field in a line, for a reader who fills it in without reading the schema. */
export interface FieldHint {
  name: string
  /** `string`, `number`, `integer`, `boolean`, `object` or `array`; of several, the first that is not null. */
  type: string
  /** A value as text, JSON unless it is a string; missing where the schema gives none. */
  example?: string
  /** What the schema says, with the allowed values, the other types and the default folded in; may be empty. */
  description: string
}

/** The fields of an object, those that must be sent apart from those that may be. */
export interface FieldSummary {
  required: FieldHint[]
  optional: FieldHint[]
}

/** Says in lines what a published schema says in full. Of a schema that is no object nothing is said. */
export function summarise (root: JsonSchema): FieldSummary {
  const summary: FieldSummary = { required: [], optional: [] }
  for (const [name, { schema, required }] of fieldsOf(root, root)) summary[required ? 'required' : 'optional'].push(hintOf(name, schema, root))
  return summary
}

interface Field { readonly schema: JsonSchema, readonly required: boolean }
type Fields = ReadonlyMap<string, Field>

/** The fields of an object schema and of its members: all of `allOf` count together, of a union each branch by itself. */
function fieldsOf (node: unknown, root: JsonSchema): Fields {
  if (!isSchema(node)) return new Map()
  const schema = resolve(node, root)
  const { properties = {}, required = [], allOf = [], anyOf = [], oneOf = [], dependentSchemas = {} } = schema
  const own = Object.entries(properties).filter(([, field]) => field !== false).map(([name, field]): [string, Field] => [name, { schema: isSchema(field) ? field : {}, required: false }])
  const groups: Fields[] = [
    new Map(own),
    ...allOf.map((member: unknown) => fieldsOf(member, root)),
    ...[anyOf, oneOf, [schema.then, schema.else], ...Object.values(dependentSchemas).map(member => [member, true])].map(branches => eitherOf(branches.map((branch: unknown) => fieldsOf(branch, root))))
  ]
  // An open object may require a field that it says nothing of.
  const names = new Set([...groups.flatMap(group => [...group.keys()]), ...required as string[]])
  return new Map([...names].map(name => {
    const found = groups.map(group => group.get(name)).filter(field => field !== undefined)
    return [name, { schema: found[0]?.schema ?? {}, required: required.includes(name) || found.some(field => field.required) }]
  }))
}

/** The fields of a union: required is what every branch requires. */
function eitherOf (branches: readonly Fields[]): Fields {
  const names = new Set(branches.flatMap(branch => [...branch.keys()]))
  return new Map([...names].map(name => {
    const found = branches.map(branch => branch.get(name)).filter(field => field !== undefined)
    const schemas = found.map(field => field.schema)
    return [name, { schema: schemas.length === 1 ? schemas[0]! : { anyOf: schemas }, required: found.length === branches.length && found.every(field => field.required) }]
  }))
}

function hintOf (name: string, node: JsonSchema, root: JsonSchema): FieldHint {
  const schema = modernSchema(resolve(node, root))
  const values = literals(schema, root)
  const types = [...new Set(typesOf(schema, root))]
  const [example] = [...[schema.examples].flat(), schema.default, ...values ?? []].filter(value => value !== undefined)
  return {
    name,
    type: types.find(type => type !== 'null') ?? types[0] ?? 'object',
    ...(example !== undefined && { example: asText(example) }),
    description: describe(schema, values, types, root)
  }
}

function describe (schema: JsonSchema, values: readonly unknown[] | undefined, types: readonly string[], root: JsonSchema): string {
  const each = isSchema(schema.items) ? literals(modernSchema(resolve(schema.items, root)), root) : undefined
  return joinSentences([
    schema.description,
    values !== undefined ? valuesSentence(values) : typeSentence(types),
    each !== undefined && `Each ${listValues(each)}`,
    schema.default !== undefined && `Default ${JSON.stringify(schema.default)}`
  ])
}

function valuesSentence (values: readonly unknown[]): string {
  return values.length === 1 ? `Always ${listValues(values)}` : capital(listValues(values))
}

/** One type is told in `type`; none at all means that nothing is said about it. */
function typeSentence (types: readonly string[]): string | undefined {
  if (types.length === 1) return undefined
  return types.length === 0 ? 'Any JSON value' : capital(expectedType(types))
}

function typesOf (node: JsonSchema, root: JsonSchema): string[] {
  const schema = resolve(node, root)
  if (schema.type !== undefined) return [schema.type].flat()
  const values = literals(schema, root)
  if (values !== undefined) return values.map(typeOf)
  if (isObjectSchema(schema)) return ['object']
  return [...schema.anyOf ?? [], ...schema.oneOf ?? [], ...schema.allOf ?? []].filter(isSchema).flatMap(member => typesOf(member, root))
}

function asText (value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function capital (text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
