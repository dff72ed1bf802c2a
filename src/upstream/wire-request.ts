import { createToolError, type ToolError } from '../protocol/tool-error.js'
import type { RequestOptions } from './request.js'
import { encodeQuery, PathValueError, requestPath, type Target } from './target.js'
import type { WireRequest } from './transport.js'

/**
 * One request of a handler as it goes over the wire. Throws the caller's `INVALID_INPUT` for a value that would lead to
 * another path, and a `TypeError` for what an author cannot mean; either way nothing is sent.
 */
export function wireRequest (target: Target, method: string, path: string, options: RequestOptions, limits: { timeoutMs: number, maxBytes: number }): WireRequest {
  const { params, query, headers = {}, json, form, body } = options
  if ([json, form, body].filter(one => one !== undefined).length > 1) throw new TypeError('Expected at most one of `json`, `form` and `body`.')
  const type = json !== undefined ? 'application/json' : form !== undefined ? 'application/x-www-form-urlencoded' : undefined
  const given = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
  return {
    origin: target.origin,
    method,
    path: pathOf(target, path, params, query),
    headers: { accept: 'application/json', ...(type !== undefined && { 'content-type': type }), ...target.headers, ...given },
    body: json !== undefined ? JSON.stringify(json) : form !== undefined ? encodeQuery(form) : body,
    ...limits
  }
}

function pathOf (target: Target, path: string, params: RequestOptions['params'], query: RequestOptions['query']): string {
  try {
    return requestPath(target, path, params, query)
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
