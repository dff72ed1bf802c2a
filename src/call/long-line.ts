/** A longer line of a log costs more than it says. */
const MAX_LINE = 262_144
/** Of one text, of all, and of the fields of one object. */
const MAX_TEXT = 8_192
const MAX_TEXTS = 65_536
const MAX_FIELDS = 50
const MAX_DEPTH = 8

const LEFT_OUT = '[left out: too long]'

export function isLongLine (line: string): boolean {
  return line.length > MAX_LINE
}

/** A record of the log in short: texts are whole or left out, as half a secret would be known to nobody. */
export function shortened (record: unknown, length: number): unknown {
  let room = MAX_TEXTS
  return { ...shorten(record, 0) as object, shortened: `The line had ${length} characters.` }

  function shorten (value: unknown, depth: number): unknown {
    if (typeof value === 'string') return fits(value) ? value : LEFT_OUT
    if (typeof value !== 'object' || value === null) return value
    if (depth === MAX_DEPTH) return LEFT_OUT
    if (Array.isArray(value)) return value.slice(0, MAX_FIELDS).map(item => shorten(item, depth + 1))
    return Object.fromEntries(Object.entries(value).slice(0, MAX_FIELDS).filter(([key]) => fits(key)).map(([key, item]) => [key, shorten(item, depth + 1)]))
  }

  function fits (text: string): boolean {
    if (text.length > MAX_TEXT || room < text.length) return false
    // Empty ones are counted too.
    room -= text.length + 1
    return true
  }
}
