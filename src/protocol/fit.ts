import type { ErrorBody } from './envelope.js'
import { isPlain, oneLine } from './text.js'

/** Bounds of a failure on the wire: the text joins a model's transcript and is paid for again on every later turn. */
export const limits = { keys: 20, textPoints: 500, bodyBytes: 4096 } as const

const KEY_POINTS = 64

/** Details that go first where a failure is too long, in this order. */
const GO_FIRST = ['api_error', 'candidates', 'hint', 'received', 'expected', 'did_you_mean', 'upstream_status', 'phase', 'upstream', 'rule', 'rejected']

/** Details an agent cannot do without: they never go. */
const STAY = new Set([
  'request_id', 'next_action', 'retry_after', 'retry_after_source', 'retry_after_capped', 'outcome', 'operation_id', 'status_endpoint', 'credentials', 'field'
])

/** The failure envelope as JSON text, within `limits`. */
export function fitFailure (error: ErrorBody): string {
  return fittingFailure(error) ?? cutFailure(error)
}

/** Nearly every failure is short, and its texts are one line already: written at once, without copies. `undefined` for any other. */
function fittingFailure ({ code, message, category, retryable, details }: ErrorBody): string | undefined {
  const keys = Object.keys(details)
  if (keys.length > limits.keys || !isPlain(code) || !isFitting(message, limits.textPoints)) return undefined
  let text = `{"success":false,"error":{"code":${quoted(code)},"message":${quoted(message)},"category":${quoted(category)},"retryable":${retryable},"details":{`
  let separator = ''
  for (const key of keys) {
    const value = details[key]!
    if (!isFitting(key, KEY_POINTS) || !isFitting(value, limits.textPoints)) return undefined
    text += `${separator}${quoted(key)}:${quoted(value)}`
    separator = ','
  }
  text += '}}}'
  return text.length <= limits.bodyBytes ? text : undefined
}

function isFitting (text: string, max: number): boolean {
  return text.length <= max && isPlain(text)
}

function quoted (text: string): string {
  return text.includes('"') || text.includes('\\') ? JSON.stringify(text) : `"${text}"`
}

function cutFailure (error: ErrorBody): string {
  const message = oneLine(error.message, limits.textPoints)
  const details: Record<string, string> = {}
  for (const key of Object.keys(error.details)) details[oneLine(key, KEY_POINTS)] = oneLine(error.details[key]!, limits.textPoints)
  let leaving: string[] | undefined
  const dropOne = (): boolean => {
    leaving ??= goOrder(Object.keys(details))
    const key = leaving.shift()
    if (key !== undefined) delete details[key]
    return key !== undefined
  }
  while (Object.keys(details).length > limits.keys && dropOne());
  let text = write(error, message, details)
  while (byteLength(text) > limits.bodyBytes && dropOne()) text = write(error, message, details)
  // What stays is short but for what an author puts there: only then are the texts themselves cut.
  for (let points = limits.textPoints >> 1; byteLength(text) > limits.bodyBytes; points >>= 1) {
    for (const key of Object.keys(details)) if (key !== 'request_id') details[key] = oneLine(details[key]!, points)
    text = write(error, oneLine(message, points), details)
  }
  return text
}

/** All details that may go, the first to go first: the listed ones, then the author's, last declared first. */
function goOrder (keys: string[]): string[] {
  const own = keys.filter(key => !STAY.has(key) && !GO_FIRST.includes(key))
  return [...GO_FIRST.filter(key => keys.includes(key)), ...own.reverse()]
}

function write ({ code, category, retryable }: ErrorBody, message: string, details: Record<string, string>): string {
  return JSON.stringify({ success: false, error: { code, message, category, retryable, details } })
}

function byteLength (text: string): number {
  // A UTF-16 unit is three bytes of UTF-8 at the most.
  return text.length * 3 <= limits.bodyBytes ? text.length : new TextEncoder().encode(text).length
}
