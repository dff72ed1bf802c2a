import { STATUS_CODES } from 'node:http'
import type { Answer } from '../protocol/answer.js'
import type { ToolError } from '../protocol/tool-error.js'
import { fromRow } from './framework-error.js'

/** The failure of bytes that never became a request, by the code Node gives it. */
export function socketFailure (error: Error & { code?: string }): ToolError {
  switch (error.code) {
    case 'HPE_HEADER_OVERFLOW': return fromRow('HEADERS_TOO_LARGE', 'The headers of the request are too large.', undefined, error)
    case 'ERR_HTTP_REQUEST_TIMEOUT': return fromRow('REQUEST_INCOMPLETE', 'The request did not arrive in time.', undefined, error)
    case 'HPE_INVALID_EOF_STATE': return fromRow('REQUEST_INCOMPLETE', 'The request ended before it was whole.', undefined, error)
    default: return fromRow('MALFORMED_REQUEST', 'What was sent is not a well-formed HTTP request.', undefined, error)
  }
}

/** An answer as the bytes of HTTP/1.1, for a socket on which nothing was begun. It is the last on its connection. */
export function wireAnswer ({ status, headers, body }: Answer): string {
  const lines = Object.entries({ ...headers, 'content-length': String(Buffer.byteLength(body)), connection: 'close' }).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`
}

const refused = new WeakSet<object>()

/** Marks a socket as answered for good: what becomes of a request on it is no news. */
export function refuse (socket: object): void {
  refused.add(socket)
}

/** Was this socket told already why its request goes no further? */
export function isRefused (socket: object): boolean {
  return refused.has(socket)
}
