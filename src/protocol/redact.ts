import { REDACTED } from './secret-names.js'

export { redactPatterns } from './redact-text.js'
export { isSecretName, REDACTED } from './secret-names.js'

/** Takes the secrets out of a text. */
export type Redactor = (text: string) => string

/** Secrets shorter than this would black out ordinary words. */
export const MIN_SECRET_LENGTH = 4
/** A secret longer than this is more than a regular expression holds: it is looked for as it is and JSON-escaped alone. */
const LONG_SECRET = 4_000

/**
 * A redactor for known secret values: each is found as it is, JSON-escaped, percent-encoded and in base64.
 * Values shorter than `MIN_SECRET_LENGTH` are left alone.
 */
export function createRedactor (secrets: Iterable<string>): Redactor {
  // The longest first: one secret may begin another.
  const known = [...new Set(secrets)].filter(secret => secret.length >= MIN_SECRET_LENGTH).sort((a, b) => b.length - a.length)
  if (known.length === 0) return text => text
  const long = known.filter(secret => secret.length > LONG_SECRET).flatMap(secret => [JSON.stringify(secret).slice(1, -1), secret])
  const pattern = new RegExp(known.filter(secret => secret.length <= LONG_SECRET).flatMap(formsOf).join('|') || '(?!)', 'g')
  return text => long.reduce((rest, secret) => rest.replaceAll(secret, REDACTED), text).replace(pattern, REDACTED)
}

/** A secret as patterns. Padding is left out of them: some writers of base64 leave it out too. */
function formsOf (secret: string): string[] {
  const bare = secret.replace(/(?<=[^]{4})=+$/, '')
  const base64 = toBase64(secret).replace(/=+$/, '')
  return [Array.from(bare, spellingsOf).join(''), ...[base64, base64.replaceAll('+', '-').replaceAll('/', '_')].map(escapeForRegExp)]
}

/** Encoders disagree on which characters they escape (`\/`, `\u003c`, `%27`), so each may stand in any of its spellings. */
function spellingsOf (char: string): string {
  if (/\w/.test(char)) return char
  const percent = Array.from(new TextEncoder().encode(char), byte => `%${byte.toString(16).padStart(2, '0')}`).join('')
  // Up to three backslashes: JSON text is often a string in another JSON text.
  const short = `\\\\{1,3}${escapeForRegExp(JSON.stringify(char).at(-2)!)}`
  const units = Array.from({ length: char.length }, (_, index) => char.charCodeAt(index).toString(16).padStart(4, '0'))
  const long = units.map(unit => `\\\\{1,2}u(?:${unit}|${unit.toUpperCase()})`).join('')
  return `(?:${[escapeForRegExp(char), short, percent, percent.toUpperCase(), long, ...(char === ' ' ? ['\\+'] : [])].join('|')})`
}

function toBase64 (secret: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(secret)))
}

function escapeForRegExp (text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')
}

/** JSON text with the secrets taken out of its strings, keys and numbers; it stays JSON. */
export function redactJson (text: string, redact: Redactor): string {
  // Nearly always there is nothing to take out, and looking is all it costs.
  return redact(text) === text ? text : JSON.stringify(redactValue(JSON.parse(text), redact))
}

function redactValue (value: unknown, redact: Redactor): unknown {
  if (typeof value === 'string') return redact(value)
  if (Array.isArray(value)) return value.map(item => redactValue(item, redact))
  if (typeof value === 'object' && value !== null) return Object.fromEntries(Object.entries(value).map(([key, item]) => [redact(key), redactValue(item, redact)]))
  // A secret of digits alone may be sent back as a number.
  const shown = redact(String(value))
  return shown === String(value) ? value : shown
}
