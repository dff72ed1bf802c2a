import { attempt, get, isPlain, itemsOf } from './evidence.js'

/** Response headers as this folder reads them: names in lower case, a value for each time one was sent. */
export type PlainHeaders = Readonly<Record<string, readonly string[]>>

/** A body as far as it can be understood: parsed JSON or text, and neither for a stream, a picture or nothing. */
export interface ForeignBody {
  readonly json?: unknown
  readonly text?: string
}

const MAX_HEADERS = 256
/** An answer that says what is wrong is short; more is somebody's page or data. */
const MAX_BODY_LENGTH = 16_384

/** Headers of any client: a record, a `Headers`, a map or pairs. What cannot be read is left out. */
export function readHeaders (headers: unknown): PlainHeaders {
  const found = typeof headers === 'object' && headers !== null ? attempt(() => Symbol.iterator in headers ? readPairs(headers as Iterable<unknown>) : readRecord(headers)) : undefined
  return found ?? Object.create(null)
}

function readRecord (headers: object): PlainHeaders {
  const found: Record<string, string[]> = Object.create(null)
  for (const name of Object.keys(headers).slice(0, MAX_HEADERS)) {
    const value = get(headers, name)
    if (value !== undefined) add(found, name, value)
  }
  return found
}

function readPairs (pairs: Iterable<unknown>): PlainHeaders {
  const found: Record<string, string[]> = Object.create(null)
  let left = MAX_HEADERS
  for (const pair of pairs) {
    const [name, value] = itemsOf(pair, 2)
    if (typeof name === 'string') add(found, name, value)
    if (--left === 0) break
  }
  return found
}

function add (found: Record<string, string[]>, name: string, value: unknown): void {
  const values = found[name.toLowerCase()] ??= []
  if (typeof value === 'string') values.push(value)
  else values.push(...(attempt(() => Array.isArray(value)) === true ? itemsOf(value, MAX_HEADERS) : [value]).filter(item => typeof item === 'string' || typeof item === 'number').map(String))
}

/** A body of any client: text, bytes or parsed JSON. */
export function readBody (body: unknown, headers: PlainHeaders): ForeignBody {
  if (isPlain(body) || attempt(() => Array.isArray(body)) === true || typeof body === 'number' || typeof body === 'boolean') return { json: body }
  const whole = typeof body === 'string' ? body : decode(body)
  if (whole === undefined || whole.length > MAX_BODY_LENGTH) return { text: whole?.slice(0, MAX_BODY_LENGTH) }
  const text = whole.replace(/^\uFEFF/, '').trim()
  const isJson = /^[[{]/.test(text) || (headers['content-type']?.[0] ?? '').includes('json')
  const json: unknown = isJson ? attempt(() => JSON.parse(text)) : undefined
  return json === undefined ? { text } : { json }
}

function decode (body: unknown): string | undefined {
  return attempt(() => {
    // One byte more than is read, so that a body that is too long shows as such.
    if (ArrayBuffer.isView(body)) return new TextDecoder().decode(new Uint8Array(body.buffer, body.byteOffset, Math.min(body.byteLength, MAX_BODY_LENGTH + 1)))
    return body instanceof ArrayBuffer ? new TextDecoder().decode(new Uint8Array(body, 0, Math.min(body.byteLength, MAX_BODY_LENGTH + 1))) : undefined
  })
}

const WORD_FIELDS = new Set(['code', 'Code', 'type', '__type', 'reason', 'status', 'error', 'errorCode', 'error_code', 'error_type', 'name'])

/** The machine-readable words of a JSON body: whole values of the fields where APIs put codes, never words out of a sentence. */
export function wordsOf (json: unknown): ReadonlySet<string> {
  const words = new Set<string>()
  let budget = 200
  function collect (value: unknown, depth: number): void {
    if (depth > 5) return
    for (const item of itemsOf(value, 20)) collect(item, depth + 1)
    if (!isPlain(value)) return
    for (const key of attempt(() => Object.keys(value)) ?? []) {
      if (--budget < 0) return
      const item = get(value, key)
      // AWS puts a namespace in front: `com.amazonaws.dynamodb.v20120810#ThrottlingException`.
      if (typeof item === 'string' && WORD_FIELDS.has(key)) words.add(item.slice(item.indexOf('#') + 1))
      else collect(item, depth + 1)
    }
  }
  collect(json, 0)
  return words
}

// The most telling first; `error`, `errors` and `detail` may hold the text or an object or list that holds it.
const MESSAGE_FIELDS = ['message', 'Message', 'detail', 'error_description', 'error_message', 'errorMessage', 'description', 'reason', 'msg', 'error', 'errors', 'fault', 'faultstring', 'title']

/** The sentence in which a JSON body says what is wrong, where it has one in a usual place. */
export function messageOf (json: unknown, depth: number = 0): string | undefined {
  if (typeof json === 'string') return json.trim() === '' ? undefined : json
  if (depth > 3) return undefined
  const [first] = itemsOf(json, 1)
  if (first !== undefined) return messageOf(first, depth + 1)
  if (!isPlain(json)) return undefined
  for (const field of MESSAGE_FIELDS) {
    const message = messageOf(get(json, field), depth + 1)
    if (message !== undefined) return message
  }
  return undefined
}
