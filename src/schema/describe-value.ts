import { isSecretName } from '../protocol/redact.js'
import { oneLine } from '../protocol/text.js'
import { ownKeywords } from './close.js'
import type { JsonSchema } from './infer.js'

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

/** What came, for a reader: a short scalar itself, else its type; nothing but the type where the field is a secret. */
export function describeReceived (value: unknown, field: string, schema: JsonSchema | undefined): string {
  const secret = schema?.[ownKeywords.sensitive] === true || isSecretName(field)
  const type = typeOf(value)
  if (type === 'null') return 'null'
  if (type === 'array') return `an array of ${(value as unknown[]).length}`
  if (type === 'object' || secret) return withArticle(type)
  if (type !== 'string') return String(value)
  const text = value as string
  return text.length <= MAX_ECHO ? JSON.stringify(oneLine(text, MAX_ECHO)) : `a string of ${Array.from(text).length} characters`
}

/** The path of a property, as a JavaScript reader writes it. */
export function propertyPath (parent: string, key: string): string {
  if (/^[A-Za-z_$][\w$-]{0,63}$/.test(key)) return parent === '' ? key : `${parent}.${key}`
  return `${parent}[${JSON.stringify(oneLine(key, 64))}]`
}

/** The path of an array's item. */
export function itemPath (parent: string, index: number): string {
  return `${parent}[${index}]`
}
