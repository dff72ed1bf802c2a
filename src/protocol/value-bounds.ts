/** Where a value stands in a text: without the quotes around it. */
export interface Bounds { readonly from: number, readonly to: number, readonly quote?: string }

const QUOTE = /\\{0,7}["'`]/y
/** A part of a connection string may hold spaces: it ends where the next part begins, or the text. */
const PART = /[^;"'`\r\n&<>]{1,200}(?=;\s{0,5}(?:[\w ]{1,30}=|$))/y
/** A backslash ends a bare value where it is an escape of the text around it. */
const BARE = /(?:[^&\s"'`<>;\\]|\\(?![rnt"'`\\]))+/y
/** Brackets that are never closed were none. */
const MAX_BRACKETS = 2_000

/** The value that begins at a place of a text: in quotes, escaped or not, in brackets, or bare. */
export function valueAt (text: string, at: number): Bounds | undefined {
  const quote = matchAt(QUOTE, text, at)
  if (quote !== undefined) return { from: at + quote.length, to: endOfQuoted(text, at + quote.length, quote), quote }
  const to = /[[{(]/.test(text.charAt(at)) ? endOfBrackets(text, at) : undefined
  if (to !== undefined) return { from: at, to }
  const bare = matchAt(PART, text, at) ?? matchAt(BARE, text, at)?.replace(/[),.\]}]+$/, '')
  return bare === undefined || bare === '' ? undefined : { from: at, to: at + bare.length }
}

/** The rest of the line, as far as the quotation goes that it may stand in. */
export function restOfLine (text: string, at: number, before: string): Bounds {
  const ends = /["'`]/.test(before) ? /[\r\n"'`]|\\+[rn"'`]/g : /[\r\n]|\\+[rn]/g
  ends.lastIndex = at
  return { from: at, to: ends.exec(text)?.index ?? text.length }
}

export function matchAt (pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at
  return pattern.exec(text)?.[0]
}

/** Text that was quoted again has each quote behind 1, 3 or 7 backslashes; one that stands in the value behind one more level. */
function endOfQuoted (text: string, from: number, quote: string): number {
  const level = quote.length - 1
  for (let at = text.indexOf(quote.at(-1)!, from); at !== -1; at = text.indexOf(quote.at(-1)!, at + 1)) {
    let backslashes = 0
    while (at - backslashes > from && text[at - backslashes - 1] === '\\') backslashes++
    if (backslashes % (2 * (level + 1)) === level) return at - level
  }
  // It was cut.
  return text.length
}

function endOfBrackets (text: string, from: number): number | undefined {
  let open = 0
  for (let at = from; at < text.length && at < from + MAX_BRACKETS; at++) {
    if ('[{('.includes(text[at]!)) open++
    else if (']})'.includes(text[at]!) && --open === 0) return at + 1
  }
  return undefined
}
