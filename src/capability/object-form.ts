import { expectationOf } from '../schema/phrases.js'
import type { JsonSchema } from '../schema/infer.js'
import { expectationText } from '../schema/rules.js'
import { literals } from '../schema/unions.js'
import { isSchema } from '../schema/walk.js'
import { combine, partsOf, type Combined, type Union } from './combine.js'
import { modernSchema } from './modern-schema.js'

/** What is said of one field, together. */
export interface Field { readonly schema: JsonSchema, readonly required: boolean }
/** All fields of an object, whichever of its members declares them. */
export type Fields = ReadonlyMap<string, Field>

/** The fields of an object. What a union or a condition declares may be sent; it must be only where every branch requires it. */
export function fieldsOf ({ rules, unions }: Combined): Fields {
  const { properties = {}, required = [], then, else: otherwise, dependentSchemas = {} } = rules
  const own = Object.entries(properties).filter(([, schema]) => schema !== false).map(([name, schema]): [string, Field] => [name, { schema: asSchema(schema), required: false }])
  const given = [
    ...unions.map(({ branches }) => eitherOf(branches.filter(branch => branch !== false).map(branchFields))),
    eitherOf([then, otherwise].map(branchFields)),
    ...Object.values(dependentSchemas).map(schema => eitherOf([branchFields(schema), new Map()]))
  ]
  const fields = new Map(own)
  for (const name of new Set(given.flatMap(group => [...group.keys()]))) {
    const found = given.map(group => group.get(name)).filter(field => field !== undefined)
    fields.set(name, { schema: fields.get(name)?.schema ?? anyOf(found.map(field => field.schema)), required: found.some(field => field.required) })
  }
  for (const name of required) fields.set(name, { schema: fields.get(name)?.schema ?? {}, required: true })
  return fields
}

function branchFields (branch: unknown): Fields {
  return isSchema(branch) ? fieldsOf(combine(branch)) : new Map()
}

function eitherOf (branches: readonly Fields[]): Fields {
  return new Map([...new Set(branches.flatMap(branch => [...branch.keys()]))].map(name => {
    const found = branches.map(branch => branch.get(name)).filter(field => field !== undefined)
    return [name, { schema: anyOf(found.map(field => field.schema)), required: found.length === branches.length && found.every(field => field.required) }]
  }))
}

function anyOf (schemas: readonly JsonSchema[]): JsonSchema {
  const [first = {}, ...more] = new Map(schemas.map(schema => [JSON.stringify(schema), schema])).values()
  return more.length === 0 ? first : modernSchema({ anyOf: [first, ...more] })
}

function asSchema (schema: unknown): JsonSchema {
  return isSchema(schema) ? schema : {}
}

/**
 * What undeclared fields must satisfy: `false` where there may be none, `true` where they may be anything, `undefined` where nothing is said.
 * Members close an object together: one that is open lets them in.
 */
export function othersOf (schema: JsonSchema): boolean | JsonSchema | undefined {
  const parts = partsOf(schema)
  const own = parts.flatMap(({ additionalProperties, unevaluatedProperties }) => [additionalProperties, unevaluatedProperties]).filter(rule => rule !== undefined)
  const choices = parts.flatMap(({ anyOf, oneOf }) => [anyOf, oneOf]).filter(Array.isArray).map(branches => branches.filter(branch => branch !== false).map(branch => isSchema(branch) ? othersOf(branch) : undefined))
  const conditional = parts.flatMap(({ then, else: otherwise, dependentSchemas }) => [then, otherwise, ...Object.values(dependentSchemas ?? {})]).filter(isSchema).map(othersOf)
  const patterns = parts.flatMap(({ patternProperties }) => Object.values(patternProperties ?? {}))
  const open = [...own, ...choices.flat(), ...conditional, ...patterns].filter(rule => rule !== false && rule !== undefined)
  const isClosed = own.includes(false) || choices.some(branches => branches.every(rule => rule === false))
  if (open.some(rule => rule === true || Object.keys(rule as JsonSchema).length === 0)) return true
  if (open.length > 0 && (isClosed || own.length > 0)) return anyOf(open as JsonSchema[])
  return isClosed ? false : open.length > 0 ? true : undefined
}

/** A union over the fields of an object as a sentence: which fields go together. */
export function unionWords ({ exact, branches }: Union): string {
  const forms = branches.filter(branch => branch !== false)
  const all = forms.map(branchFields)
  return `${exact ? 'Exactly one' : 'At least one'} of these forms: ${forms.map((branch, index) => formText(branch, all[index]!, all)).join(' or ')}`
}

const OF_A_FORM = ['type', 'properties', 'required', 'description']

function formText (branch: unknown, fields: Fields, all: readonly Fields[]): string {
  if (!isSchema(branch)) return 'any fields'
  const { rules, unions } = combine(branch)
  const parts = [...fields].map(([name, { schema, required }]) => `${name}${required ? '' : '?'}${valueText(name, schema, all)}`)
  const more = Object.keys(rules).some(keyword => !OF_A_FORM.includes(keyword)) || unions.length > 0
  if (more) return JSON.stringify(branch)
  if (parts.length === 0) return 'no fields'
  return rules.properties === undefined ? `with ${parts.join(' and ')}` : `{ ${parts.join(', ')} }`
}

/** Only what another form says otherwise: the rest stands at the field itself. */
function valueText (name: string, schema: JsonSchema, all: readonly Fields[]): string {
  const others = all.map(fields => fields.get(name)).filter(field => field !== undefined).map(field => JSON.stringify(field.schema))
  const values = literals(schema, schema)
  if (values !== undefined) return `: ${values.map(value => JSON.stringify(value)).join(' | ')}`
  return new Set(others).size > 1 ? `: ${expectationText(expectationOf(schema, schema))}` : ''
}
