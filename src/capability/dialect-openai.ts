import type { JsonSchema } from '../schema/infer.js'
import { isSchema, subschemasOf } from '../schema/walk.js'
import type { Capability } from './define.js'
import { commonFormats, ruleKeywords, scalarTypes, toolWords } from './dialect-vocabulary.js'
import { loosen, type Vocabulary } from './loosen.js'

/** A tool of OpenAI's Chat Completions. `strict`: the model can write nothing but what the schema allows. */
export interface OpenaiTool {
  type: 'function'
  function: { name: string, description: string, parameters: JsonSchema, strict: boolean }
}

const vocabulary: Vocabulary = { keywords: ruleKeywords, formats: commonFormats, listed: scalarTypes, names: /^/ }
const strictVocabulary: Vocabulary = {
  keywords: new Set(['enum', 'pattern', 'format', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf', 'minItems', 'maxItems']),
  formats: new Set(['date-time', 'time', 'date', 'duration', 'email', 'hostname', 'ipv4', 'ipv6', 'uuid']),
  listed: scalarTypes,
  names: /^/
}

/** Longer descriptions of functions are refused. */
const MAX_DESCRIPTION = 1024

/** The tool of a capability whose input has this plain schema. */
export function openaiTool (capability: Capability, plain: JsonSchema): OpenaiTool {
  const strict = isStrict(plain) && isSmall(plain)
  const { description: words, ...schema } = strict ? requireAll(loosen(plain, strictVocabulary)) : loosen(plain, vocabulary)
  const description = toolWords(capability, words)
  const isLong = description.length > MAX_DESCRIPTION
  return {
    type: 'function',
    function: {
      name: capability.name,
      description: isLong ? cut(capability.description) : description,
      parameters: isLong ? { ...schema, description } : schema,
      strict
    }
  }
}

function cut (text: string): string {
  return text.length <= MAX_DESCRIPTION ? text : `${text.slice(0, MAX_DESCRIPTION - 1)}…`
}

/** Is every object closed, every value of a known type, and nothing optional that could not be sent as null instead? */
function isStrict (schema: JsonSchema): boolean {
  const { type, properties, required = [], additionalProperties, anyOf } = schema
  if (type === undefined && anyOf === undefined) return false
  if (isSchema(properties)) {
    if (additionalProperties !== false) return false
    if (!Object.entries<JsonSchema>(properties).every(([name, field]) => required.includes(name) || isNullable(field))) return false
  }
  return subschemasOf(schema).every(({ schema: subschema }) => isStrict(subschema))
}

function isNullable ({ type, anyOf }: JsonSchema): boolean {
  return [type].flat().includes('null') || (Array.isArray(anyOf) && anyOf.some(isNullable))
}

function requireAll (schema: JsonSchema): JsonSchema {
  const { properties, items, anyOf } = schema
  return {
    ...schema,
    ...(isSchema(properties) && { properties: Object.fromEntries(Object.entries<JsonSchema>(properties).map(([name, field]) => [name, requireAll(field)])), required: Object.keys(properties) }),
    ...(isSchema(items) && { items: requireAll(items) }),
    ...(Array.isArray(anyOf) && { anyOf: anyOf.map(requireAll) })
  }
}

interface Size { readonly depth: number, readonly fields: number, readonly values: number, readonly chars: number, readonly longest: number }

const LIMITS: Size = { depth: 10, fields: 5000, values: 1000, chars: 120_000, longest: 15_000 }

function isSmall (schema: JsonSchema): boolean {
  const size = sizeOf(schema)
  return (Object.keys(LIMITS) as Array<keyof Size>).every(measure => size[measure] <= LIMITS[measure])
}

function sizeOf (schema: JsonSchema): Size {
  const names = Object.keys(schema.properties ?? {})
  const values: unknown[] = schema.enum ?? []
  const listed = values.join('').length
  const inner = subschemasOf(schema).map(({ schema: subschema }) => sizeOf(subschema))
  const sum = (measure: keyof Size): number => inner.reduce((total, size) => total + size[measure], 0)
  return {
    depth: Math.max(0, ...inner.map(({ depth }) => depth)) + (isSchema(schema.properties) ? 1 : 0),
    fields: names.length + sum('fields'),
    values: values.length + sum('values'),
    chars: names.join('').length + listed + sum('chars'),
    // Of a list of up to 250 values the length does not matter.
    longest: Math.max(values.length > 250 ? listed : 0, ...inner.map(({ longest }) => longest))
  }
}
