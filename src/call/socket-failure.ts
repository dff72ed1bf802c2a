import { STATUS_CODES, type IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Answer } from '../protocol/answer.js'
import type { ToolError } from '../protocol/tool-error.js'
import { withOutcome } from '../upstream/exchange.js'
import { fromRow } from './framework-error.js'
import { effectOf } from './plain.js'
import { stateOf } from './waiting-requests.js'

/** The failure of bytes that never became a request, or not all of `incoming`, by the code Node gives it. */
export function socketFailure (error: Error & { code?: string }, incoming?: IncomingMessage): ToolError {
  switch (error.code) {
    case 'HPE_HEADER_OVERFLOW': return fromRow('HEADERS_TOO_LARGE', 'The headers of the request are too large.', undefined, error)
    case 'ERR_HTTP_REQUEST_TIMEOUT': return incomplete('The request did not arrive in time.', error, incoming)
    case 'HPE_INVALID_EOF_STATE': return incomplete('The request ended before it was whole.', error, incoming)
    default: return fromRow('MALFORMED_REQUEST', 'What was sent is not a well-formed HTTP request.', undefined, error)
  }
}

/** It may be sent again: what it did, if it was a write, has to be said. A handler that reads the body itself may have begun. */
function incomplete (message: string, error: Error, incoming?: IncomingMessage): ToolError {
  const failure = fromRow('REQUEST_INCOMPLETE', message, undefined, error)
  if (incoming === undefined) return withOutcome(failure, 'not_applied')
  const state = stateOf(incoming)
  if (state === undefined || effectOf(incoming.method!) === 'read') return failure
  return withOutcome(failure, state === 'waiting' ? 'not_applied' : 'unknown')
}

/** An answer as the bytes of HTTP/1.1, for a socket on which nothing was begun. It is the last on its connection. */
export function wireAnswer ({ status, headers, body }: Answer): string {
  const lines = Object.entries({ ...headers, 'content-length': String(Buffer.byteLength(body)), connection: 'close' }).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`
}

/** Sends an answer and reads on for a moment, so that the caller sees it and not a reset; then the socket is gone, whatever the caller does. */
export function endWith (socket: Duplex, answer: Answer): void {
  refuse(socket)
  socket.end(wireAnswer(answer))
  socket.resume()
  setTimeout(() => socket.destroy(), 1_000).unref()
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
