import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate } from 'node:zlib'
import { tooLarge, type WireResponse } from './transport.js'

/** A body as data: parsed JSON, `undefined` where it is empty, text where JSON was not asked for; or why it is none, for the log. */
export type ReadBody = { data: unknown } | { problem: Error, text: string }

/** A header as one text, where it was sent. */
export function headerText (headers: WireResponse['headers'], name: string): string | undefined {
  const value = headers[name]
  return Array.isArray(value) ? value.join(', ') : value
}

/**
 * Reads the body of an answer: decompressed within `maxBytes`, a byte order mark taken off, parsed. Never rejects, and
 * gives a promise only where there is something to decompress.
 * JSON is what was asked for, unless the request's own `accept` header names something else.
 */
export function readBody (response: WireResponse, asked: Readonly<Record<string, string>> | undefined, maxBytes: number): ReadBody | Promise<ReadBody> {
  const { headers, body } = response
  const encoding = headerText(headers, 'content-encoding')?.trim().toLowerCase() ?? ''
  if (encoding === '' || encoding === 'identity' || body.length === 0) return parse(body, headers, asked)
  return decode(body, encoding, maxBytes).then(decoded => decoded instanceof Error ? { problem: decoded, text: '' } : parse(decoded, headers, asked))
}

const decoder = new TextDecoder()

function parse (bytes: Buffer, headers: WireResponse['headers'], asked: Readonly<Record<string, string>> | undefined): ReadBody {
  const text = decoder.decode(bytes)
  if (text.trim() === '') return { data: undefined }
  if (asked !== undefined && !wantsJson(asked) && !isJsonType(headers)) return { data: text }
  try {
    return { data: JSON.parse(text) }
  } catch {
    return { problem: new Error(`The answer is not JSON${isJsonType(headers) ? '' : ', nor does its content type say so'}.`), text }
  }
}

const decoders = { gzip: promisify(gunzip), 'x-gzip': promisify(gunzip), deflate: promisify(inflate), br: promisify(brotliDecompress) }

async function decode (body: Buffer, encoding: string, maxBytes: number): Promise<Buffer | Error> {
  if (!Object.hasOwn(decoders, encoding)) return new Error('The answer is compressed in a way that was not asked for.')
  try {
    return await decoders[encoding as keyof typeof decoders](body, { maxOutputLength: maxBytes })
  } catch (error) {
    return (error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE' ? tooLarge(maxBytes) : new Error('The answer\'s compression is broken.', { cause: error })
  }
}

function wantsJson (asked: Readonly<Record<string, string>>): boolean {
  return !Object.entries(asked).some(([name, value]) => name.toLowerCase() === 'accept' && !/json|\*\/\*/i.test(value))
}

/** JSON, or something written in JSON. */
function isJsonType (headers: WireResponse['headers']): boolean {
  const type = headerText(headers, 'content-type')
  return type !== undefined && /^\s*(?:application|text)\/(?:[\w!#$&^.-]+\+)?json\s*(?:;|$)/i.test(type)
}
