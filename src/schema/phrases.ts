import { oneLine } from '../protocol/text.js'
import { isExactnessBound } from './close.js'
import { plural, quote, withArticle } from './describe-value.js'
import { formatPhrase } from './formats.js'
import { resolve } from './hoist.js'
import type { JsonSchema } from './infer.js'
import { expectationText, expectedType, MAX_WORDS, oneOf, type Expectation } from './rules.js'
import { literals, typesOf } from './unions.js'
import { isSchema } from './walk.js'

/** Of the fields an object must have, in a sentence about it. */
const MAX_NAMES = 20

const known = new WeakMap<JsonSchema, Expectation>()

/**
 * What would satisfy a schema, whole: type, bounds, lengths, form, allowed values, an example.
 * All of it, and not the one rule that was broken: one correction has to be enough.
 */
export function expectationOf (node: JsonSchema, root: JsonSchema): Expectation {
  const schema = resolve(node, root)
  let expectation = known.get(schema)
  if (expectation === undefined) {
    const allowed = literals(schema, root)
    expectation = allowed !== undefined ? oneOf(allowed) : arrayOfListed(schema, root) ?? { lead: phrase(schema, root, 0) }
    known.set(schema, expectation)
  }
  return expectation
}

/** What any of several schemas would accept: `a date like "2026-03-31" or null`. */
export function eitherOf (schemas: readonly JsonSchema[], root: JsonSchema): Expectation {
  return { lead: eitherPhrase(schemas, root, 0) }
}

function eitherPhrase (schemas: readonly JsonSchema[], root: JsonSchema, depth: number): string {
  const phrases = [...new Set(schemas.map(schema => phrase(resolve(schema, root), root, depth + 1)))]
  // Nothing at all is the last that is meant.
  phrases.sort((a, b) => Number(a === 'null') - Number(b === 'null'))
  const or = phrases.some(phrase => phrase.includes(', ')) ? ', or ' : ' or '
  return phrases.length <= 4 && depth < 3 ? phrases.join(or) : expectedType([...new Set(schemas.flatMap(schema => typesOf(schema, root)))])
}

function phrase (schema: JsonSchema, root: JsonSchema, depth: number): string {
  const allowed = literals(schema, root)
  if (allowed !== undefined) return expectationText(oneOf(allowed))
  const branches = schema.anyOf ?? schema.oneOf
  if (schema.type === undefined && schema.properties === undefined && Array.isArray(branches) && branches.every(isSchema)) return eitherPhrase(branches, root, depth)
  const types = typesOf(schema, root)
  if (types.length > 5) return untyped(schema, root)
  return types.map(type => Object.hasOwn(PHRASES, type) ? PHRASES[type]!(schema, root) : withArticle(type)).join(' or ')
}

const PHRASES: Readonly<Record<string, (schema: JsonSchema, root: JsonSchema) => string>> = {
  string: stringPhrase,
  number: schema => numberPhrase(schema, 'number'),
  integer: schema => numberPhrase(schema, 'integer'),
  array: arrayPhrase,
  object: objectPhrase
}

function untyped ({ const: value, enum: values, not }: JsonSchema, root: JsonSchema): string {
  if (value !== undefined) return oneLine(quote(value), MAX_WORDS)
  if (Array.isArray(values)) return expectationText(oneOf(values))
  return isSchema(not) ? `a value other than ${expectationText(expectationOf(not, root), MAX_WORDS)}` : 'a value'
}

function stringPhrase ({ format, pattern, minLength, maxLength, description, examples }: JsonSchema): string {
  const size = sized('a string', minLength, maxLength, 'character')
  const form = format !== undefined ? formatPhrase(format) : pattern !== undefined ? `${size} that matches ${oneLine(pattern, MAX_WORDS)}` : size
  const long = format !== undefined && size !== 'a string' ? `, ${size}` : ''
  // A pattern says which characters; what they mean stands in the description.
  const words = pattern !== undefined && typeof description === 'string' ? ` (${oneLine(description, MAX_WORDS).replace(/\.$/, '')})` : ''
  return `${form}${long}${format === undefined ? likeExample(examples) : ''}${words}`
}

function likeExample (examples: unknown): string {
  const [example] = [examples].flat()
  return typeof example === 'string' && example !== '' && example.length <= 60 ? ` like ${quote(example)}` : ''
}

/** A range says both its ends, so that one correction is enough. */
function numberPhrase (schema: JsonSchema, noun: string): string {
  const said = (keyword: string): unknown => isExactnessBound(schema[keyword]) ? undefined : schema[keyword]
  const [low, high, above, below] = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'].map(said)
  const bounds = low !== undefined && high !== undefined
    ? [low === high ? `equal to ${low}` : `from ${low} to ${high}`]
    : [low !== undefined && `of at least ${low}`, high !== undefined && `${low === undefined && above === undefined ? 'of ' : ''}at most ${high}`]
  const ends = [above !== undefined && `above ${above}`, ...bounds, below !== undefined && `below ${below}`].filter(part => typeof part === 'string')
  const step = schema.multipleOf === undefined ? '' : `${ends.length > 0 ? ', ' : ' that is '}a multiple of ${schema.multipleOf}`
  return `${withArticle(noun)}${ends.length > 0 ? ` ${ends.join(' and ')}` : ''}${step}`
}

function arrayPhrase (schema: JsonSchema, root: JsonSchema): string {
  const { items, minItems, maxItems, uniqueItems } = schema
  const whole = sized('an array', minItems, maxItems, itemNoun(schema, root))
  const places = Array.isArray(items) && items.length <= 4 && items.every(isSchema) ? `: ${items.map(item => phrase(resolve(item, root), root, 1)).join(', ')}` : ''
  return `${whole}${places}${uniqueItems === true ? ', none of them twice' : ''}`
}

function objectPhrase (schema: JsonSchema, root: JsonSchema): string {
  const members = [schema, ...Array.isArray(schema.allOf) ? schema.allOf.filter(isSchema).map(member => resolve(member, root)) : []]
  const required = [...new Set(members.flatMap(member => member.required ?? []))].map(name => oneLine(String(name), 64))
  if (required.length === 0) return sized('an object', schema.minProperties, schema.maxProperties, 'field')
  return `an object with ${required.length === 1 ? 'the field' : 'the fields'} ${required.slice(0, MAX_NAMES).join(', ')}${required.length > MAX_NAMES ? ', …' : ''}`
}

/** Beyond 2^53 the last digits of a number are gone before anybody could look at them. */
export const exactInteger = `an integer within ±${Number.MAX_SAFE_INTEGER}`

const NOUNS = new Set(['string', 'number', 'integer', 'boolean', 'object', 'array'])

function itemNoun ({ items, additionalItems }: JsonSchema, root: JsonSchema): string {
  const [type, ...others] = isSchema(items) ? typesOf(items, root) : []
  return type !== undefined && others.length === 0 && NOUNS.has(type) && additionalItems === undefined ? type : 'item'
}

/** `an array of 1 to 5 strings`, `a non-empty string`; without bounds `an array of strings`, `a string`. */
function sized (whole: string, min: number | undefined, max: number | undefined, noun: string): string {
  const [article, ...words] = whole.split(' ')
  if (min === 1 && max === undefined) return `a non-empty ${words.join(' ')}${noun === 'character' || noun === 'item' || noun === 'field' ? '' : ` of ${noun}s`}`
  if (max === undefined && (min ?? 0) === 0) return NOUNS.has(noun) ? `${article} ${words.join(' ')} of ${noun}s` : whole
  if (max === undefined) return `${whole} of at least ${plural(min!, noun)}`
  if ((min ?? 0) === 0) return `${whole} of at most ${plural(max, noun)}`
  return `${whole} of ${min === max ? plural(max, noun) : `${min} to ${plural(max, noun)}`}`
}

/** An array of listed values says them; more than the count of its items is then rarely wrong. */
function arrayOfListed (schema: JsonSchema, root: JsonSchema): Expectation | undefined {
  const values = isSchema(schema.items) ? literals(schema.items, root) : undefined
  if (values === undefined || schema.type !== 'array') return undefined
  return { lead: `${phrase(schema, root, 0)}, each ${values.length === 1 ? '' : 'one of '}`, items: values.map(value => oneLine(quote(value), MAX_WORDS)) }
}
