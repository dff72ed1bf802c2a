import type { JsonSchema } from '../schema/infer.js'
import { isSchema } from '../schema/walk.js'
import { joinSentences } from './modern-schema.js'
import { jsonWords, ruleWords } from './rule-words.js'

/** What a vendor's schemas may say. */
export interface Vocabulary {
  /** Rules about values, and notes; what a schema is built with is known to all. */
  readonly keywords: ReadonlySet<string>
  readonly formats: ReadonlySet<string>
  /** The types whose values may be listed. */
  readonly listed: ReadonlySet<string>
  /** How fields may be named. */
  readonly names: RegExp
}

const BUILT_WITH = new Set(['type', 'properties', 'required', 'additionalProperties', 'items', 'anyOf', 'description'])

/** A plain schema in a vendor's words: each rule it has no word for becomes a sentence of the description beside it. */
export function loosen (schema: JsonSchema, vocabulary: Vocabulary): JsonSchema {
  const inner = (value: unknown): unknown => isSchema(value) ? loosen(value, vocabulary) : value
  const copy: Record<string, unknown> = {}
  const words: Array<string | undefined> = []
  for (const [keyword, value] of Object.entries(schema)) {
    // A map of fields, which may be named like keywords: they come below.
    if (keyword === 'properties') continue
    if (!BUILT_WITH.has(keyword) && !isKnown(keyword, value, schema, vocabulary)) words.push(ruleWords(keyword, value))
    else copy[keyword] = keyword === 'anyOf' ? value.map(inner) : inner(value)
  }
  if (isSchema(schema.properties)) words.push(...nameFields(copy, schema, vocabulary))
  const description = joinSentences([schema.description, ...words])
  return description === '' ? copy : { ...copy, description }
}

function isKnown (keyword: string, value: any, { type }: JsonSchema, { keywords, formats, listed }: Vocabulary): boolean {
  if (!keywords.has(keyword)) return false
  if (keyword === 'format') return formats.has(value)
  if (keyword === 'pattern') return isPortable(value)
  return keyword !== 'enum' || listed.has(type)
}

/**
 * Is this pattern read alike by every engine? Vendors check them with engines without look-around, named groups, back references and
 * Unicode classes, and refuse the whole request over one they cannot read.
 */
export function isPortable (pattern: string): boolean {
  return !/\(\?(?!:)|\\[1-9kpPuxcXZzAGKNQE]/.test(pattern.replaceAll('\\\\', ''))
}

/** Fields as the vendor may name them; one with a name it refuses is told in words, and let in unnamed. */
function nameFields (copy: Record<string, unknown>, { properties, required = [] }: JsonSchema, vocabulary: Vocabulary): string[] {
  const [named, unnamed] = [true, false].map(fits => Object.entries<JsonSchema>(properties).filter(([name]) => vocabulary.names.test(name) === fits)) as [Array<[string, JsonSchema]>, Array<[string, JsonSchema]>]
  copy.properties = Object.fromEntries(named.map(([name, field]) => [name, loosen(field, vocabulary)]))
  if (unnamed.length === 0) return []
  const owed = unnamed.map(([name]) => name).filter(name => required.includes(name))
  const rest = required.filter((name: string) => !owed.includes(name))
  if (rest.length > 0) copy.required = rest
  else delete copy.required
  copy.additionalProperties = true
  return [jsonWords({ properties: Object.fromEntries(unnamed), ...(owed.length > 0 && { required: owed }) })]
}
