import { fromRow } from './framework-error.js'
import type { ToolError } from '../protocol/tool-error.js'

/** The failure of bytes that never became a request, by the code Node gives it. */
export function socketFailure (error: Error & { code?: string }): ToolError {
  switch (error.code) {
    case 'HPE_HEADER_OVERFLOW': return fromRow('HEADERS_TOO_LARGE', 'The headers of the request are too large.', undefined, error)
    case 'ERR_HTTP_REQUEST_TIMEOUT': return fromRow('REQUEST_INCOMPLETE', 'The request did not arrive in time.', undefined, error)
    default: return fromRow('MALFORMED_REQUEST', 'What was sent is not a well-formed HTTP request.', undefined, error)
  }
}
