import { isUtf8 } from 'node:buffer'
import { createRequire } from 'node:module'
import type { ParseError } from 'jsonc-parser'
import secureJson from 'secure-json-parse'
import { fromRow } from './framework-error.js'
import type { ToolError } from '../protocol/tool-error.js'

/** A parsed body, or the failure that it is. An empty body counts as `{}`; of a key sent twice the last one counts. */
export type ReadJson = { value: unknown } | { error: ToolError }

/** Parses the bytes of a JSON body. Bytes that are no UTF-8 are refused: read on, they would become other text in silence. */
export function readJsonBytes (bytes: Buffer): ReadJson {
  const text = bytes.toString('utf8')
  // What is no UTF-8 has become this character; who sent it himself is right.
  if (text.includes('\uFFFD') && !isUtf8(bytes)) return { error: fromRow('INVALID_JSON', 'The body is not UTF-8.', { expected: 'one JSON value in UTF-8' }) }
  return readJson(text)
}

/** Parses a JSON body. Prototype keys are refused, and broken text is told with its position. */
export function readJson (text: string): ReadJson {
  const body = text.charCodeAt(0) === 0xFEFF ? text.slice(1) : text
  if (body.trim() === '') return { value: {} }
  try {
    return { value: secureJson.parse(body) }
  } catch (error) {
    return { error: isJson(body) ? poisoned(error) : broken(body, error) }
  }
}

function isJson (text: string): boolean {
  try { JSON.parse(text); return true } catch { return false }
}

function poisoned (cause: unknown): ToolError {
  return fromRow('POISONED_KEY', 'The body holds a key that is not allowed: __proto__, or constructor with a prototype.', { expected: 'a body without these keys' }, cause)
}

/** V8's own message names no position for a short text, and quotes the text. */
function broken (text: string, cause: unknown): ToolError {
  const offset = firstErrorAt(text)
  const before = text.slice(0, offset)
  const line = before.split('\n').length
  const column = offset - before.lastIndexOf('\n')
  return fromRow('INVALID_JSON', `The body is not JSON: it breaks at position ${offset} (line ${line}, column ${column}).`, { expected: 'one JSON value', hint: 'Build the body with a JSON serialiser.' }, cause)
}

// Loaded for the first body that is broken.
const require = createRequire(import.meta.url)

function firstErrorAt (text: string): number {
  const { parse: findFirstError } = require('jsonc-parser') as typeof import('jsonc-parser')
  const errors: ParseError[] = []
  try {
    findFirstError(text, errors, { disallowComments: true, allowTrailingComma: false, allowEmptyContent: false })
  } catch {
    // Nested deeper than the parser's stack: what is broken then is that it never ends.
  }
  return Math.min(errors[0]?.offset ?? text.length, text.length)
}
