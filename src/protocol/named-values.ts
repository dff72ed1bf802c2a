import { isProse, looksIssued } from './looks-issued.js'
import { isSecretName, REDACTED } from './secret-names.js'
import { matchAt, restOfLine, Values, type Bounds } from './value-bounds.js'

/** Decides by a name, and by the value where it is known, whether that is a credential. */
export type IsSecret = (name: string, value?: unknown) => boolean

// A name as fields, headers, parameters and variables have it, in quotes or bare, and what stands between it and its value.
// Every part has a bound and begins where no other can: the time is linear.
const PAIR = /(?:(\\{0,7}["'])([\w$.% [\]-]{1,60})\1|(?<![\w$.-])([\w$.-][\w$.[\]-]{0,59}))\s{0,3}(=>|=(?![=>])|:(?!:|\/\/)|,)\s{0,3}/g
/** Names whose value is the rest of the line. */
const HEADER = /(?:^|[^a-z])(?:authorization|cookie)$/i
/** Names that nobody uses in a sentence with a colon, but for the few words that `isProse` knows. */
const STRONG = /pass|pwd|api.?key|(?:private|access|secret|account).?key|authorization|cookie|connection/i
const SCHEME = /(?:Bearer|Basic|Digest|Token|ApiKey|Negotiate|NTLM|OAuth|Hawk|DPoP|AWS4[\w-]{0,40})[ \t]{1,5}(?=\S)/iy
const COOKIE = /[^\s="'`]{1,200}=/y
/** Of a word as much is looked at. */
const MAX_WORD = 400
const MAX_NUMBER = 40
/** What is said instead of a value. */
const NOTHING = /^(?:null|undefined|true|false|none|nil)$/

/** Lower-case words: what is sorted or looked up by in an address, and no key. */
const WORDS = /^[a-z]+(?:_[a-z]+)*$/
const MAX_WORDS = 30

interface Pair { readonly name: string, readonly quoted: boolean, readonly separator: string, readonly before: string, readonly at: number }
/** The text, and who finds values in it. */
interface Source { readonly text: string, readonly values: Values, readonly isSecret: IsSecret }

/** Takes out what stands behind the name of a credential: `"password":"…"`, `api_key=…`, `X-Api-Key: …`; never a word of a sentence. */
export function redactNamedValues (text: string, isSecret: IsSecret): string {
  const pairs = new RegExp(PAIR)
  const source = { text, values: new Values(text), isSecret }
  const parts: string[] = []
  let done = 0
  for (let found = pairs.exec(text); found !== null; found = pairs.exec(text)) {
    const bounds = secretIn(source, pairOf(text, found, pairs.lastIndex))
    if (bounds === undefined) continue
    parts.push(text.slice(done, bounds.from), shown(bounds, found[1]))
    pairs.lastIndex = done = bounds.to
  }
  return parts.join('') + text.slice(done)
}

/** A number in JSON becomes a string: the text can still be read. */
function shown ({ quote }: Bounds, nameQuote: string | undefined): string {
  return nameQuote !== undefined && quote === undefined ? nameQuote + REDACTED + nameQuote : REDACTED
}

function pairOf (text: string, { index, 1: quote, 2: quoted, 3: bare = '', 4: separator = '' }: RegExpExecArray, at: number): Pair {
  const before = text.charAt(index - 1)
  if (quoted !== undefined) return { name: quoted, quoted: quote !== undefined, separator, before: '', at }
  // In text that was quoted, a line break before a name reads as a letter of it; and `API key` is one name.
  const name = before === '\\' && /^[rnt]\w/.test(bare) ? bare.slice(1) : bare
  return { name: /^(?:key|id|string)$/i.test(name) ? (/[\w-]+ $/.exec(text.slice(Math.max(index - 20, 0), index))?.[0] ?? '') + name : name, quoted: false, separator, before, at }
}

function secretIn (source: Source, pair: Pair): Bounds | undefined {
  const { text, values, isSecret } = source
  const { name, quoted, separator, at } = pair
  if (!isSecret(name)) return separator === '=' && isParameter(source, pair) ? values.at(at) : undefined
  // A list of headers, name and value by turns.
  if (separator === ',') return quoted && (HEADER.test(name) || name.includes('-')) ? values.at(at) : undefined
  const bounds = !quoted && separator === ':' ? HEADER.test(name) ? headerValue(source, pair) : spokenValue(source, pair) : values.at(at)
  if (bounds === undefined) return undefined
  const value = text.slice(bounds.from, Math.min(bounds.to, bounds.from + MAX_NUMBER))
  if (bounds.quote !== undefined) return isSecret(name, value) ? bounds : undefined
  const isCode = separator === '=>' && !quoted && !name.endsWith(']')
  if (isCode || NOTHING.test(value) || (quoted && isProse(value))) return undefined
  return isSecret(name, isNumber(value, quoted) ? Number(value) : value) ? bounds : undefined
}

/** In JSON a number says that it is one; elsewhere a long one may be a code that was sent to somebody. */
function isNumber (value: string, quoted: boolean): boolean {
  return quoted ? /^-?\d+(?:\.\d+)?$/.test(value) : /^\d{1,5}$/.test(value)
}

/** Parameters of an address that are credentials there alone: `?key=`, `&sig=`, and `code` where it is no code of a currency. */
function isParameter ({ text, values }: Source, { name, before, at }: Pair): boolean {
  if (!/^(?:key|sig|code)$/i.test(name)) return false
  const to = values.bareEnd(at)
  if (!/[?&#;/]/.test(before) && text[to] !== '&') return false
  if (/^code$/i.test(name)) return to - at >= 8
  return !/^key$/i.test(name) || to - at > MAX_WORDS || !WORDS.test(text.slice(at, to))
}

/** `Authorization: Bearer …` to the end of the line; the scheme stays. */
function headerValue (source: Source, pair: Pair): Bounds | undefined {
  const { text } = source
  const scheme = matchAt(SCHEME, text, pair.at)
  if (scheme !== undefined) return restOfLine(text, pair.at + scheme.length, pair.before)
  return matchAt(COOKIE, text, pair.at) === undefined ? spokenValue(source, pair) : restOfLine(text, pair.at, pair.before)
}

/** After a colon a sentence may follow: `token: expected a string`, `failed to get token: connect ECONNREFUSED`. */
function spokenValue ({ text, values }: Source, { name, at }: Pair): Bounds | undefined {
  const bounds = values.at(at)
  if (bounds === undefined || bounds.quote !== undefined || /[[{(]/.test(text.charAt(at))) return bounds
  const [begin = ''] = text.slice(bounds.from, Math.min(bounds.to, bounds.from + MAX_WORD)).split(/[\s,]/, 1)
  // What no rule for all names knows is the name of a field whose author says so.
  const isStrong = STRONG.test(name) || !isSecretName(name)
  const isSecret = isStrong ? !isProse(begin) && !/^\w+:\/\//.test(begin) : looksIssued(begin)
  if (!isSecret) return undefined
  return { from: bounds.from, to: begin.length === MAX_WORD ? bounds.to : bounds.from + begin.length }
}
