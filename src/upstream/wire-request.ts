import { createToolError, type ToolError } from '../protocol/tool-error.js'
import type { RequestOptions } from './request.js'
import { encodeQuery, lowerCased, PathValueError, requestAddress, type Address, type Target } from './target.js'
import type { WireRequest } from './transport.js'

const TRACEPARENT = /^[\da-f]{2}-[\da-f]{32}-[\da-f]{16}-[\da-f]{2}(?:-[\w-]*)?$/

/**
 * One request of a handler as it goes over the wire. Throws the caller's `INVALID_INPUT` or `TARGET_NOT_ALLOWED` for a
 * value that would lead elsewhere, and a `TypeError` for what an author cannot mean; either way nothing is sent.
 */
export function wireRequest (target: Target, method: string, path: string, options: RequestOptions, traceparent?: string): WireRequest {
  const { json, form, body } = options
  if (Number(json !== undefined) + Number(form !== undefined) + Number(body !== undefined) > 1) throw new TypeError('Expected at most one of `json`, `form` and `body`.')
  const address = addressOf(target, path, options)
  const headers: Record<string, string> = { ...target.headers }
  headers.accept ??= 'application/json'
  if (json !== undefined) headers['content-type'] ??= 'application/json'
  if (form !== undefined) headers['content-type'] ??= 'application/x-www-form-urlencoded'
  // A trace is no business of a stranger's, and what is none is passed on to nobody.
  if (traceparent !== undefined && !target.open && TRACEPARENT.test(traceparent)) headers.traceparent ??= traceparent
  if (options.headers !== undefined) Object.assign(headers, lowerCased(options.headers))
  return {
    origin: address.origin,
    method,
    path: address.path,
    headers,
    body: json !== undefined ? JSON.stringify(json) : form !== undefined ? encodeQuery(form) : body
  }
}

function addressOf (target: Target, path: string, { params, query }: RequestOptions): Address {
  try {
    return requestAddress(target, path, params, query)
  } catch (error) {
    throw error instanceof PathValueError ? wrongValue(error) : error
  }
}

function wrongValue (cause: PathValueError): ToolError {
  return createToolError({
    code: 'INVALID_INPUT',
    category: 'INPUT_ERROR',
    retryable: true,
    message: `The value for ${cause.parameter} cannot be part of an address: "", "." and ".." are not allowed.`,
    details: { field: cause.parameter },
    cause
  })
}
