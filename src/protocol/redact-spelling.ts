/** A text as it reads without its escapes, and where in the text each part of that stands. */
export interface Decoded {
  readonly text: string
  /** The place of the original that a place of `text` came from. */
  source (from: number, to: number): readonly [from: number, to: number]
}

const MARK = /[\\%+]/
const PERCENT = /%(?:25){0,8}([\da-f]{2})/iy
const PERCENT_BACKSLASH = /%(?:25){0,8}5c/iy
const ESCAPED = /u([\da-fA-F]{4})|x([\da-fA-F]{2})|[^%+]/sy
const CONTROLS: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f', v: '\v' }

/** Has a text no escapes, so that it is its own decoded form? */
export function isPlain (text: string): boolean {
  return !MARK.test(text)
}

/**
 * Undoes percent-encoding and the escapes of JSON and JavaScript, however often they were laid over each other. What is
 * lost with that (backslashes, the difference of `+` and a space) is lost in every spelling of a text alike.
 */
export function decode (original: string): Decoded {
  const parts = new Parts()
  const marks = new RegExp(MARK, 'g')
  let done = 0
  for (let mark = marks.exec(original); mark !== null; mark = marks.exec(original)) {
    const escape = escapeAt(original, mark.index)
    if (escape === undefined) continue
    parts.add(original.slice(done, mark.index), done)
    // What an escape stood for is spelled as it would be without one.
    parts.add(escape.text.replace('+', ' '), mark.index, escape.to)
    marks.lastIndex = done = escape.to
  }
  parts.add(original.slice(done), done)
  return parts.join()
}

class Parts {
  readonly #texts: string[] = []
  readonly #starts: number[] = []
  readonly #froms: number[] = []
  /** Where an escape ends; 0 for what stands as it is. */
  readonly #ends: number[] = []
  #length = 0

  add (text: string, from: number, end: number = 0): void {
    if (text === '') return
    this.#texts.push(text)
    this.#starts.push(this.#length)
    this.#froms.push(from)
    this.#ends.push(end)
    this.#length += text.length
  }

  join (): Decoded {
    return {
      text: this.#texts.join(''),
      source: (from, to) => {
        const [first, last] = [this.#partAt(from), this.#partAt(to - 1)]
        return [this.#froms[first]! + (this.#ends[first] === 0 ? from - this.#starts[first]! : 0), this.#ends[last] || this.#froms[last]! + to - this.#starts[last]!]
      }
    }
  }

  #partAt (place: number): number {
    let [low, high] = [0, this.#starts.length - 1]
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if (this.#starts[middle]! <= place) low = middle
      else high = middle - 1
    }
    return low
  }
}

interface Escape { readonly text: string, readonly to: number }

function escapeAt (text: string, at: number): Escape | undefined {
  if (text[at] === '+') return { text: ' ', to: at + 1 }
  const end = pastBackslashes(text, at)
  return end > at ? escapedAt(text, end) : percentAt(text, at)
}

/** Their number says how often a text was quoted; they may be encoded themselves. */
function pastBackslashes (text: string, from: number): number {
  let at = from
  for (;;) {
    PERCENT_BACKSLASH.lastIndex = at
    if (text[at] === '\\') at++
    else if (text[at] === '%' && PERCENT_BACKSLASH.test(text)) at = PERCENT_BACKSLASH.lastIndex
    else return at
  }
}

function escapedAt (text: string, at: number): Escape {
  ESCAPED.lastIndex = at
  const found = ESCAPED.exec(text)
  if (found === null) return { text: '', to: at }
  const digits = found[1] ?? found[2]
  return { text: digits === undefined ? CONTROLS[found[0]] ?? found[0] : String.fromCharCode(parseInt(digits, 16)), to: at + found[0].length }
}

/** One character of UTF-8, or a byte that is none. */
function percentAt (text: string, at: number): Escape | undefined {
  const first = byteAt(text, at)
  if (first === undefined) return undefined
  const more = first.byte >= 0xf0 ? 3 : first.byte >= 0xe0 ? 2 : first.byte >= 0xc2 ? 1 : 0
  let code = more === 0 ? first.byte : first.byte & (0x3f >> more)
  let { to } = first
  for (let index = 0; index < more; index++) {
    const next = byteAt(text, to)
    if (next === undefined || (next.byte & 0xc0) !== 0x80) return { text: String.fromCharCode(first.byte), to: first.to }
    code = (code << 6) | (next.byte & 0x3f)
    to = next.to
  }
  return code > 0x10ffff ? { text: String.fromCharCode(first.byte), to: first.to } : { text: String.fromCodePoint(code), to }
}

function byteAt (text: string, at: number): { byte: number, to: number } | undefined {
  PERCENT.lastIndex = at
  const found = PERCENT.exec(text)
  return found === null ? undefined : { byte: parseInt(found[1]!, 16), to: PERCENT.lastIndex }
}
