import { OWN_PREFIX, ownKeywords } from './close.js'
import { formats } from './compile.js'
import { quote } from './describe-value.js'
import type { JsonSchema } from './infer.js'
import { nearest } from './nearest.js'
import { eachInner, isSchema } from './walk.js'

const TYPES = ['string', 'number', 'integer', 'boolean', 'null', 'array', 'object']

/** What is wrong with the keywords of one schema by themselves, each as the end of "expected …". `mayBeNothing`: a handler may return nothing. */
export function lintKeywords (schema: JsonSchema, mayBeNothing: boolean): string[] {
  return [...lintTypes(schema.type, mayBeNothing), ...lintFormat(schema), ...lintOwn(schema), ...lintForms(schema), ...lintInner(schema)]
}

// TypeBox has types for what JSON cannot hold. The nearest that it can, for an author who reaches for them.
const INSTEAD: Record<string, string> = {
  Date: "use Type.String({ format: 'date-time' })",
  bigint: "use Type.String({ pattern: '^-?\\\\d{1,40}$', maxLength: 41 })",
  Uint8Array: "use Type.String({ format: 'byte' })",
  undefined: 'use Type.Optional, or Type.Null',
  void: 'use Type.Optional, or Type.Null',
  RegExp: 'use Type.String({ pattern })'
}

function lintTypes (type: unknown, mayBeNothing: boolean): string[] {
  if (type === undefined || (mayBeNothing && (type === 'void' || type === 'undefined'))) return []
  if (TYPES.includes(type as string)) return []
  const types: unknown[] = [type].flat()
  if (types.length === 0) return ['`type` to name a type, got an empty list']
  return types.filter(name => !TYPES.includes(name as string)).map(name => {
    const advice = typeof name === 'string' && Object.hasOwn(INSTEAD, name) ? `: ${INSTEAD[name]}` : ''
    return `\`type\` to be one JSON has (${TYPES.join(', ')}), got ${quote(name)}${advice}`
  })
}

function lintFormat ({ format }: JsonSchema): string[] {
  if (format === undefined || formats.includes(format)) return []
  return [`\`format\` to be one of ${formats.join(', ')}, got ${quote(format)}${didYouMean(format, formats)}`]
}

const OWN: readonly string[] = Object.values(ownKeywords)

function lintOwn (schema: JsonSchema): string[] {
  const given = Object.keys(schema).filter(keyword => keyword.startsWith(OWN_PREFIX))
  if (given.length === 0) return given
  const unknown = given.filter(keyword => !OWN.includes(keyword))
  const flags = given.filter(keyword => (keyword === ownKeywords.correctable || keyword === ownKeywords.sensitive) && typeof schema[keyword] !== 'boolean')
  return [
    ...unknown.map(keyword => `keywords that begin with ${OWN_PREFIX} to be ${OWN.join(', ')}, got \`${keyword}\`${didYouMean(keyword, OWN)}`),
    ...flags.map(keyword => `\`${keyword}\` to be a boolean, got ${quote(schema[keyword])}`)
  ]
}

interface Form { readonly is: (value: unknown) => boolean, readonly name: string }

const number: Form = { is: Number.isFinite, name: 'a number' }
const count: Form = { is: value => Number.isInteger(value) && Number(value) >= 0, name: 'a whole number, 0 or more' }
const list: Form = { is: Array.isArray, name: 'an array' }
const filled: Form = { is: value => Array.isArray(value) && value.length > 0, name: 'an array of at least one' }
const map: Form = { is: isSchema, name: 'an object' }

// The validator would refuse such a schema too, but on the first call.
const FORMS: ReadonlyMap<string, Form> = new Map(Object.entries<Form>({
  minimum: number,
  maximum: number,
  exclusiveMinimum: number,
  exclusiveMaximum: number,
  multipleOf: { is: value => Number.isFinite(value) && Number(value) > 0, name: 'a number above 0' },
  minLength: count,
  maxLength: count,
  minItems: count,
  maxItems: count,
  minProperties: count,
  maxProperties: count,
  minContains: count,
  maxContains: count,
  uniqueItems: { is: value => typeof value === 'boolean', name: 'a boolean' },
  required: { is: value => Array.isArray(value) && value.every(name => typeof name === 'string'), name: 'an array of field names' },
  enum: filled,
  allOf: filled,
  anyOf: filled,
  oneOf: filled,
  examples: list,
  properties: map,
  patternProperties: map
}))

function lintForms (schema: JsonSchema): string[] {
  const wrong = Object.keys(schema).filter(keyword => FORMS.get(keyword)?.is(schema[keyword]) === false)
  return wrong.map(keyword => `\`${keyword}\` to be ${FORMS.get(keyword)!.name}, got ${quote(schema[keyword])}`)
}

/** The validator would let everything through there. */
function lintInner (schema: JsonSchema): string[] {
  const found: string[] = []
  eachInner(schema, (value, keyword, key) => {
    if (isSchema(value) || typeof value === 'boolean' || (keyword === 'dependencies' && Array.isArray(value))) return
    found.push(`\`${keyword}${key === '' ? '' : `/${key}`}\` to be a schema, got ${quote(value)}`)
  })
  return found
}

/** The end of a sentence that names the spelling which was meant; empty where none is near. */
export function didYouMean (word: unknown, words: readonly string[]): string {
  const near = typeof word === 'string' ? nearest(word, words) : undefined
  return near === undefined ? '' : `. Did you mean \`${near}\`?`
}
