/** Where a value stands in a text: without the quotes around it. */
export interface Bounds { readonly from: number, readonly to: number, readonly quote?: string }

const QUOTE = /\\{0,7}["'`]/y
/** A part of a connection string may hold spaces: it ends where the next part begins, or the text. */
const PART_END = /[;"'`\r\n&<>]/g
const NEXT_PART = /;\s{0,5}(?:[\w ]{1,30}=|$)/y
const MAX_PART = 200
/** A backslash ends a bare value where it is an escape of the text around it. */
const BARE_END = /[&\s"'`<>;]|\\[rnt"'`\\]/g
/** Brackets that are closed further away were none. */
const MAX_BRACKETS = 2_000

/**
 * Finds values in one text. What ends one value may end the next that is asked for: it is kept, so that a text in which
 * every value reaches to its end is not read again for each.
 */
export class Values {
  readonly #text: string
  #closing: Map<number, number> | undefined
  #part = { from: 0, to: -1 }
  #bare = { from: 0, to: -1, trimmed: -1 }

  constructor (text: string) {
    this.#text = text
  }

  /** The value that begins at a place of the text: in quotes, escaped or not, in brackets, or bare. */
  at (at: number): Bounds | undefined {
    const text = this.#text
    const quote = matchAt(QUOTE, text, at)
    if (quote !== undefined) return { from: at + quote.length, to: endOfQuoted(text, at + quote.length, quote), quote }
    const to = this.#endOfBrackets(at) ?? this.#endOfPart(at) ?? this.bareEnd(at)
    return to > at ? { from: at, to } : undefined
  }

  /** The end of a bare value, without the punctuation of the text around it. */
  bareEnd (at: number): number {
    const { from, to } = this.#bare
    if (at < from || at > to) {
      const end = endAt(BARE_END, this.#text, at)
      let trimmed = end
      while (trimmed > at && '),.]}'.includes(this.#text[trimmed - 1]!)) trimmed--
      this.#bare = { from: at, to: end, trimmed }
    }
    return Math.max(at, this.#bare.trimmed)
  }

  #endOfPart (at: number): number | undefined {
    const { from, to } = this.#part
    if (at < from || at > to) this.#part = { from: at, to: endAt(PART_END, this.#text, at) }
    const end = this.#part.to
    return end > at && end - at <= MAX_PART && matchAt(NEXT_PART, this.#text, end) !== undefined ? end : undefined
  }

  #endOfBrackets (at: number): number | undefined {
    if (!'[{('.includes(this.#text.charAt(at) || ' ')) return undefined
    this.#closing ??= closingOf(this.#text)
    const end = this.#closing.get(at)
    return end === undefined || end - at > MAX_BRACKETS ? undefined : end
  }
}

/** The rest of the line, as far as the quotation goes that it may stand in. */
export function restOfLine (text: string, at: number, before: string): Bounds {
  const ends = /["'`]/.test(before) ? /[\r\n"'`]|\\+[rn"'`]/g : /[\r\n]|\\+[rn]/g
  return { from: at, to: endAt(ends, text, at) }
}

export function matchAt (pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at
  return pattern.exec(text)?.[0]
}

function endAt (pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at
  return pattern.exec(text)?.index ?? text.length
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

/** Every opening bracket of a text that is closed, and where. */
function closingOf (text: string): Map<number, number> {
  const closing = new Map<number, number>()
  const open: number[] = []
  for (const { 0: bracket, index } of text.matchAll(/[[{(\]})]/g)) {
    if ('[{('.includes(bracket)) open.push(index)
    else if (open.length > 0) closing.set(open.pop()!, index + 1)
  }
  return closing
}
