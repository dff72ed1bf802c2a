import { isProse, looksIssued } from './looks-issued.js'
import { isSecretName, REDACTED } from './secret-names.js'
import { matchAt, restOfLine, valueAt, type Bounds } from './value-bounds.js'

/** Decides by a name whether its value is a credential. */
export type IsSecret = (name: string) => boolean

// A name as fields, headers, parameters and variables have it, in quotes or bare, and what stands between it and its value.
// Every part has a bound and begins where no other can: the time is linear.
const PAIR = /(?:(\\{0,7}["'])([\w$.% [\]-]{1,60})\1|(?<![\w$.-])([\w$.-][\w$.[\]-]{0,59}))\s{0,3}(=>|=(?![=>])|:(?!:|\/\/)|,)\s{0,3}/g
/** Names whose value is the rest of the line. */
const HEADER = /(?:^|[^a-z])(?:authorization|cookie)$/i
/** Names that nobody uses in a sentence with a colon, but for the few words that `isProse` knows. */
const STRONG = /pass|pwd|api.?key|(?:private|access|secret|account).?key|authorization|cookie|connection/i
const SCHEME = /(?:Bearer|Basic|Digest|Token|ApiKey|Negotiate|NTLM|OAuth|Hawk|DPoP|AWS4[\w-]{0,40})[ \t]{1,5}(?=\S)/iy
const COOKIE = /[^\s="'`]{1,200}=/y
/** What is said instead of a value. */
const NOTHING = /^(?:null|undefined|true|false|none|nil)$/

interface Pair { readonly name: string, readonly quoted: boolean, readonly separator: string, readonly before: string, readonly at: number }

/** Takes out what stands behind the name of a credential: `"password":"…"`, `api_key=…`, `X-Api-Key: …`; never a word of a sentence. */
export function redactNamedValues (text: string, isSecret: IsSecret): string {
  const pairs = new RegExp(PAIR)
  let clean = ''
  let done = 0
  for (let found = pairs.exec(text); found !== null; found = pairs.exec(text)) {
    const bounds = secretIn(text, pairOf(text, found, pairs.lastIndex), isSecret)
    if (bounds === undefined) continue
    clean += text.slice(done, bounds.from) + shown(bounds, found[1])
    pairs.lastIndex = done = bounds.to
  }
  return clean + text.slice(done)
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

function secretIn (text: string, pair: Pair, isSecret: IsSecret): Bounds | undefined {
  const { name, quoted, separator, at } = pair
  if (!isSecret(name)) return separator === '=' && isParameter(text, pair) ? valueAt(text, at) : undefined
  // A list of headers, name and value by turns.
  if (separator === ',') return quoted && (HEADER.test(name) || name.includes('-')) ? valueAt(text, at) : undefined
  if (!quoted && separator === ':') return HEADER.test(name) ? headerValue(text, pair) : spokenValue(text, pair)
  const bounds = valueAt(text, at)
  if (bounds === undefined || bounds.quote !== undefined) return bounds
  const value = text.slice(bounds.from, bounds.to)
  const isCode = separator === '=>' && !quoted && !name.endsWith(']')
  return isCode || NOTHING.test(value) || (quoted && isProse(value)) ? undefined : bounds
}

/** Parameters of an address that are credentials there alone: `?key=`, `&sig=`, and `code` where it is no code of a currency. */
function isParameter (text: string, { name, before, at }: Pair): boolean {
  if (!/^(?:key|sig|code)$/i.test(name)) return false
  const { from, to } = valueAt(text, at) ?? { from: at, to: at }
  const isQuery = /[?&#;/]/.test(before) || text[to] === '&'
  return isQuery && (name.toLowerCase() !== 'code' || to - from >= 8)
}

/** `Authorization: Bearer …` to the end of the line; the scheme stays. */
function headerValue (text: string, pair: Pair): Bounds | undefined {
  const scheme = matchAt(SCHEME, text, pair.at)
  if (scheme !== undefined) return restOfLine(text, pair.at + scheme.length, pair.before)
  return matchAt(COOKIE, text, pair.at) === undefined ? spokenValue(text, pair) : restOfLine(text, pair.at, pair.before)
}

/** After a colon a sentence may follow: `token: expected a string`, `failed to get token: connect ECONNREFUSED`. */
function spokenValue (text: string, { name, at }: Pair): Bounds | undefined {
  const bounds = valueAt(text, at)
  if (bounds === undefined || bounds.quote !== undefined || /[[{(]/.test(text.charAt(at))) return bounds
  const [word = ''] = text.slice(bounds.from, bounds.to).split(/[\s,]/, 1)
  // What no rule for all names knows is the name of a field whose author says so.
  const isStrong = STRONG.test(name) || !isSecretName(name)
  const isSecret = isStrong ? !isProse(word) && !/^\w+:\/\//.test(word) : looksIssued(word)
  return isSecret ? { from: bounds.from, to: bounds.from + word.length } : undefined
}
