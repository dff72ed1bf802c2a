import type { ErrorObject } from 'ajv/dist/2019.js'
import { isExactnessBound } from './close.js'
import { withArticle } from './describe-value.js'
import type { JsonSchema } from './infer.js'

/** How many allowed values are listed; the rest are counted. */
const LISTED = 20

/** A list of allowed values for a reader: the first twenty and the total. */
export function listValues (values: readonly unknown[]): string {
  const shown = values.slice(0, LISTED).map(value => JSON.stringify(value)).join(', ')
  const more = values.length > LISTED ? `, … (${values.length} in all)` : ''
  return values.length === 1 ? shown : `one of ${shown}${more}`
}

/** What a type keyword wants, with articles: `a string or null`. */
export function expectedType (type: unknown): string {
  return [type].flat().map(name => withArticle(String(name))).join(' or ')
}

// An example of each form says more than its name.
const FORMATS: Record<string, string> = {
  date: "a date like '2026-03-31'",
  'date-time': "a date and time with its zone like '2026-03-31T14:30:00Z'",
  time: "a time with its zone like '14:30:00Z'",
  duration: "a duration like 'P1DT2H'",
  email: "an e-mail address like 'name@example.com'",
  hostname: "a host name like 'example.com'",
  ipv4: "an IPv4 address like '192.0.2.1'",
  ipv6: "an IPv6 address like '2001:db8::1'",
  uri: "a URL like 'https://example.com/path'",
  'uri-reference': "a URL or a path like '/path'",
  url: "a URL like 'https://example.com/path'",
  uuid: "a UUID like '123e4567-e89b-42d3-a456-426614174000'",
  regex: "a regular expression like '^a+$'",
  'json-pointer': "a JSON pointer like '/a/0'",
  byte: "base64 text like 'aGk='"
}

const plural = (count: number, one: string): string => `${count} ${one}${count === 1 ? '' : 's'}`
const atLeast = (count: number, one: string): string => `at least ${plural(count, one)}`
const atMost = (count: number, one: string): string => `at most ${plural(count, one)}`

type Wording = (params: Record<string, any>, schema: JsonSchema) => string

/** A range says both its ends, so that one correction is enough. */
const range: Wording = (_, schema) => {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema
  const type = withArticle(schema.type === 'integer' ? 'integer' : 'number')
  const parts = [
    minimum !== undefined && !isExactnessBound(minimum) && `at least ${minimum}`,
    exclusiveMinimum !== undefined && `above ${exclusiveMinimum}`,
    maximum !== undefined && !isExactnessBound(maximum) && `at most ${maximum}`,
    exclusiveMaximum !== undefined && `below ${exclusiveMaximum}`
  ].filter(part => typeof part === 'string')
  return `${type} ${parts.join(' and ')}`
}

/** Beyond 2^53 the last digits are gone before anybody could look at them. */
const bound: Wording = (params, schema) => isExactnessBound(params.limit)
  ? 'an integer within ±9007199254740991; send a larger one as a string, where the field allows it'
  : range(params, schema)

const WORDINGS: Record<string, Wording> = {
  type: params => expectedType(params.type),
  enum: params => listValues(params.allowedValues),
  const: params => listValues([params.allowedValue]),
  minimum: bound,
  maximum: bound,
  exclusiveMinimum: range,
  exclusiveMaximum: range,
  multipleOf: params => `a multiple of ${params.multipleOf}`,
  minLength: params => params.limit === 1 ? 'a non-empty string' : `a string of ${atLeast(params.limit, 'character')}`,
  maxLength: params => `a string of ${atMost(params.limit, 'character')}`,
  pattern: (params, schema) => typeof schema.description === 'string' ? `${schema.description} (pattern ${params.pattern})` : `a string matching ${params.pattern}`,
  format: params => FORMATS[params.format] ?? `a string of format ${params.format}`,
  minItems: params => `an array of ${atLeast(params.limit, 'item')}`,
  maxItems: params => `an array of ${atMost(params.limit, 'item')}`,
  uniqueItems: params => `an array without repeated items (items ${params.j} and ${params.i} are equal)`,
  contains: params => `an array with ${atLeast(params.minContains, 'matching item')}`,
  minProperties: params => `an object with ${atLeast(params.limit, 'field')}`,
  maxProperties: params => `an object with ${atMost(params.limit, 'field')}`,
  dependentRequired: params => `${params.missingProperty} too, wherever ${params.property} is given`,
  not: () => 'a value that the schema does not exclude'
}

/** What would satisfy a violated rule, as text. */
export function expectation (error: Pick<ErrorObject, 'keyword' | 'params' | 'message'>, schema: JsonSchema): string {
  const wording = Object.hasOwn(WORDINGS, error.keyword) ? WORDINGS[error.keyword] : undefined
  return wording === undefined ? String(error.message ?? `a value that satisfies ${error.keyword}`) : wording(error.params, schema)
}

// A missing field, an unknown field and a wrong type are mistakes in writing the call; these are about what was meant.
const VALUE_RULES = new Set([
  'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf', 'minLength', 'maxLength', 'pattern', 'format', 'enum', 'const',
  'minItems', 'maxItems', 'uniqueItems', 'contains', 'minProperties', 'maxProperties'
])

/** Is this rule about the value, and not about how the call is written? */
export function isValueRule (keyword: string): boolean {
  return VALUE_RULES.has(keyword)
}
