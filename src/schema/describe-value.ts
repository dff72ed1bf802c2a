import { isSecretName, redactPatterns } from '../protocol/redact.js'
import { ownKeywords } from './close.js'
import type { JsonSchema } from './infer.js'

/** A longer text is not echoed: its length says enough. */
const MAX_ECHO = 40

/** The JSON type of a value: what `typeof` says, but for null and arrays. */
export function typeOf (value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}

/** `a string`, `an integer`; null and nothing take no article. */
export function withArticle (type: string): string {
  if (type === 'null' || type === 'undefined') return type
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`
}

/** `1 item`, `2 items`. */
export function plural (count: number, one: string): string {
  return `${count} ${one}${count === 1 ? '' : 's'}`
}

// Control, format and separator characters: unseen, they are often what is wrong.
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu

/** A value as JSON in which every character can be seen. */
export function quote (value: unknown): string {
  return String(JSON.stringify(value)).replace(UNSEEN, char => Array.from({ length: char.length }, (_, index) => `\\u${char.charCodeAt(index).toString(16).padStart(4, '0')}`).join(''))
}

/** What came, for a reader: the type, and the value where it is a short scalar; the type alone where it is a secret, or looks like one. */
export function describeValue (value: unknown, isSecret: boolean): string {
  const type = typeOf(value)
  if (type === 'null') return 'null'
  if (type === 'array' && !isSecret) return describeArray(value as unknown[])
  if (type === 'number' && !Number.isFinite(value)) return 'a number that is not finite'
  if (['array', 'object', 'undefined'].includes(type) || isSecret) return withArticle(type)
  if (type !== 'string') return `the ${type} ${value}`
  return describeText(value as string)
}

function describeArray ({ length }: readonly unknown[]): string {
  return length === 0 ? 'an empty array' : `an array of ${plural(length, 'item')}`
}

/** What came in a field, for a reader: its name and its schema tell whether it is a secret. */
export function describeReceived (value: unknown, field: string, schema: JsonSchema | undefined): string {
  return describeValue(value, schema?.[ownKeywords.sensitive] === true || isSecretName(field))
}

function describeText (text: string): string {
  if (text === '') return 'an empty string'
  // Told by its length in code points, without spreading a megabyte.
  if (text.length > MAX_ECHO || looksSecret(text)) return `a string of ${plural(pointsIn(text), 'character')}`
  return `the string ${quote(text)}`
}

// Keys and tokens as they are issued: a known beginning, or one long run that mixes letters and digits.
const ISSUED = /\b(?:sk|pk|rk|ghp|gho|ghs|glpat|xox[abprs]|AKIA|AIza|eyJ)[\w.-]{8,}/
const RUN = /[\w+/=]{20,}/

function looksSecret (text: string): boolean {
  if (ISSUED.test(text) || redactPatterns(text) !== text) return true
  const [run = ''] = RUN.exec(text) ?? []
  return /\d/.test(run) && /[a-z]/i.test(run)
}

/** How many code points a text has. */
export function pointsIn (text: string): number {
  let points = 0
  for (let index = 0; index < text.length; index++) {
    points++
    if (text.codePointAt(index)! > 0xFFFF) index++
  }
  return points
}

/** The path of a property, as a JavaScript reader writes it. */
export function propertyPath (parent: string, key: string): string {
  if (/^[A-Za-z_$][\w$-]{0,63}$/.test(key)) return parent === '' ? key : `${parent}.${key}`
  const points = Array.from(key.slice(0, 140))
  return `${parent}[${quote(points.length > 64 ? `${points.slice(0, 63).join('')}…` : key)}]`
}

/** The path of an array's item. */
export function itemPath (parent: string, index: number): string {
  return `${parent}[${index}]`
}
