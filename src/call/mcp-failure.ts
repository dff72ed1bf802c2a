import { isSchema as isObject } from '../schema/walk.js'

/** JSON-RPC's own numbers; what a transport refuses has the first of those it leaves free. */
const NUMBERS: Readonly<Record<string, number>> = { INVALID_JSON: -32700, POISONED_KEY: -32600, INTERNAL_ERROR: -32603 }
const REFUSED = -32000

/**
 * The JSON-RPC error for what would be the envelope anywhere else: no client of MCP reads one before it has a result.
 * `request` is what was sent, as far as it could be read: the answer names its id.
 */
export function rpcFailure (envelope: unknown, request: unknown): string {
  const { code, message } = errorIn(envelope)
  return rpcError(NUMBERS[String(code)] ?? REFUSED, typeof message === 'string' ? message : 'The request was refused.', request)
}

/** A JSON-RPC error, as text. */
export function rpcError (code: number, message: string, request: unknown): string {
  return JSON.stringify({ jsonrpc: '2.0', error: { code, message }, id: idOf(request) })
}

function errorIn (envelope: unknown): Record<string, unknown> {
  try {
    const { error } = JSON.parse(String(envelope))
    return isObject(error) ? error : {}
  } catch {
    return {}
  }
}

function idOf (request: unknown): string | number | null {
  const { id, method } = isObject(request) ? request : {} as Record<string, unknown>
  return typeof method === 'string' && (typeof id === 'string' || typeof id === 'number') ? id : null
}
