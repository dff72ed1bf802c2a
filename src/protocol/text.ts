// White space, C0 and C1 controls, format characters (zero width, bidi) and line separators: all that could break a
// line of a log, or show a reader other text than a program sees.
const UNSAFE = /[\s\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]+/gu

const NOT_VISIBLE = /[^ -~]/

/**
 * Text on one line: each run of white space, control and format characters becomes one space, at most `max` code points.
 * What is cut off shows as `…`, inside the bound.
 */
export function oneLine (text: string, max: number): string {
  // Nearly all of our own texts are one line already, in plain characters: seen at a glance.
  if (text.length <= max && isPlain(text)) return text
  // A long foreign text is cut before the pattern runs over it: two code units a code point at the most, some slack for runs.
  const line = text.slice(0, max * 8).replace(UNSAFE, ' ').trim()
  if (line.length <= max) return line
  const points = Array.from(line)
  return points.length <= max ? line : points.slice(0, max - 1).join('').trimEnd() + '…'
}

/** Is this ASCII's visible characters, and single spaces between them? Four looks that are quick, where one pattern for all of them is not. */
export function isPlain (text: string): boolean {
  return !NOT_VISIBLE.test(text) && !text.includes('  ') && !text.startsWith(' ') && !text.endsWith(' ')
}

/** Is this a name that may stand in answers, logs and metrics: 1 to 64 letters, digits, dots, hyphens or underscores? A URL or a connection string, which may hold a password, is none. */
export function isLabel (value: unknown): boolean {
  return typeof value === 'string' && /^[\w.-]{1,64}$/.test(value)
}
