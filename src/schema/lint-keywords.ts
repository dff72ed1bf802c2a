import { OWN_PREFIX, ownKeywords } from './close.js'
import { formats } from './compile.js'
import { quote } from './describe-value.js'
import type { JsonSchema } from './infer.js'
import { nearest } from './nearest.js'
import { isSchema } from './walk.js'

const TYPES = ['string', 'number', 'integer', 'boolean', 'null', 'array', 'object']

/** What is wrong with the keywords of one schema by themselves, each as the end of "expected …". `mayBeNothing`: a handler may return nothing. */
export function lintKeywords (schema: JsonSchema, mayBeNothing: boolean): string[] {
  const found: string[] = []
  lintTypes(schema.type, mayBeNothing, found)
  lintFormat(schema.format, found)
  for (const keyword of Object.keys(schema)) {
    if (keyword.startsWith(OWN_PREFIX)) lintOwn(keyword, schema[keyword], found)
    else lintForm(keyword, schema[keyword], found)
  }
  return found
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

function lintTypes (type: unknown, mayBeNothing: boolean, found: string[]): void {
  if (type === undefined || (mayBeNothing && (type === 'void' || type === 'undefined'))) return
  if (TYPES.includes(type as string)) return
  const types: unknown[] = [type].flat()
  if (types.length === 0) found.push('`type` to name a type, got an empty list')
  for (const name of types) {
    if (TYPES.includes(name as string)) continue
    const advice = typeof name === 'string' && Object.hasOwn(INSTEAD, name) ? `: ${INSTEAD[name]}` : ''
    found.push(`\`type\` to be one JSON has (${TYPES.join(', ')}), got ${quote(name)}${advice}`)
  }
}

function lintFormat (format: unknown, found: string[]): void {
  if (format === undefined || formats.includes(format as string)) return
  found.push(`\`format\` to be one of ${formats.join(', ')}, got ${quote(format)}${didYouMean(format, formats)}`)
}

const OWN: readonly string[] = Object.values(ownKeywords)

function lintOwn (keyword: string, value: unknown, found: string[]): void {
  if (!OWN.includes(keyword)) found.push(`keywords that begin with ${OWN_PREFIX} to be ${OWN.join(', ')}, got \`${keyword}\`${didYouMean(keyword, OWN)}`)
  else if (keyword !== ownKeywords.code && typeof value !== 'boolean') found.push(`\`${keyword}\` to be a boolean, got ${quote(value)}`)
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

function lintForm (keyword: string, value: unknown, found: string[]): void {
  const form = FORMS.get(keyword)
  if (form?.is(value) === false) found.push(`\`${keyword}\` to be ${form.name}, got ${quote(value)}`)
}

/** What stands where a schema has to stand, and is none: the validator would let everything through there. */
export function lintInner (value: unknown, keyword: string, key: string, error: (text: string) => void): void {
  if (typeof value === 'boolean' || (keyword === 'dependencies' && Array.isArray(value))) return
  error(`\`${keyword}${key === '' ? '' : `/${key}`}\` to be a schema, got ${quote(value)}`)
}

/** The end of a sentence that names the spelling which was meant; empty where none is near. */
export function didYouMean (word: unknown, words: readonly string[]): string {
  const near = typeof word === 'string' ? nearest(word, words) : undefined
  return near === undefined ? '' : `. Did you mean \`${near}\`?`
}
