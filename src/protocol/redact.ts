import type { Search } from './redact-automaton.js'
import { formsOf, headsOf, type Form } from './redact-forms.js'
import { createSearch, Spans } from './redact-search.js'
import { decode, isPlain, type Decoded } from './redact-spelling.js'
import { REDACTED } from './secret-names.js'

export { redactPatterns } from './redact-text.js'
export { isSecretName, REDACTED } from './secret-names.js'

/** Takes the secrets out of a text. */
export type Redactor = (text: string) => string

/** Secrets shorter than this would black out ordinary words. */
export const MIN_SECRET_LENGTH = 4
/** A secret longer than this is found as it is and escaped alone, by its beginning. */
const MAX_WHOLE = 4_096
const BRIEF_HEAD = 32

/** Values of which there may be many, and which may be long: found as they are and escaped, by their first 32 characters. */
export interface RedactorOptions { readonly briefly?: Iterable<string> }

/**
 * A redactor for known secret values: each is found as it is, escaped for JSON or percent-encoded any number of times, in
 * hex, and in base64 alone or within something longer. Values shorter than `MIN_SECRET_LENGTH` are left alone. Its time is
 * linear, whatever the secrets and the text are.
 */
export function createRedactor (secrets: Iterable<string>, { briefly = [] }: RedactorOptions = {}): Redactor {
  const [known, brief] = [secrets, briefly].map(values => [...new Set(values)].filter(({ length }) => length >= MIN_SECRET_LENGTH)) as [string[], string[]]
  if (known.length + brief.length === 0) return text => text
  let search: Search | undefined
  return text => {
    if (text === '') return text
    search ??= createSearch(merged([...known.flatMap(secret => secret.length > MAX_WHOLE ? headsOf(secret, MAX_WHOLE) : formsOf(secret)), ...brief.flatMap(value => headsOf(value, BRIEF_HEAD))]))
    const spans = new Spans()
    search(text, (from, to) => spans.add(from, to))
    if (!isPlain(text)) {
      const { text: decoded, source } = decodeOnce(text)
      search(decoded, (from, to) => spans.add(...source(from, Math.min(to, decoded.length))))
    }
    return spans.replaceIn(text, REDACTED)
  }
}

function merged (forms: readonly Form[]): Form[] {
  const reaches = new Map<string, number>()
  for (const { text, reach } of forms) reaches.set(text, Math.max(reach, reaches.get(text) ?? 0))
  return Array.from(reaches, ([text, reach]) => ({ text, reach }))
}

let last: { original: string, decoded: Decoded } | undefined

/** One redactor after the other is handed the same line. */
function decodeOnce (original: string): Decoded {
  if (last?.original !== original) last = { original, decoded: decode(original) }
  return last.decoded
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
