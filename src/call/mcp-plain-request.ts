import { isSchema as isObject } from '../schema/walk.js'
import type { RpcId } from './mcp-running.js'

/** A call or a list, said in so plain a form that the SDK would have nothing to decide. */
export interface PlainRequest {
  readonly id: RpcId
  readonly era: 'legacy' | 'modern'
  /** Of a call; without it the tools are asked for. */
  readonly call?: { readonly name: string, readonly arguments?: unknown }
}

/** What a request says outside its body. */
export type McpHeaders = Readonly<Record<string, unknown>>

const MODERN = '2026-07-28'
const LEGACY = new Set<unknown>([undefined, '2025-03-26', '2025-06-18', '2025-11-25'])
const JSON_ONLY = /^application\/json(?:; ?charset=utf-8)?$/i
// Of other names a header may be written in another way than the body.
const PLAIN_NAME = /^[a-z][a-z0-9_]{0,47}$/
const VERSION_KEY = 'io.modelcontextprotocol/protocolVersion'
const CLIENT_KEY = 'io.modelcontextprotocol/clientInfo'
const CAPABILITIES_KEY = 'io.modelcontextprotocol/clientCapabilities'

/**
 * Reads a request that can be answered without the SDK; `undefined` for everything else, whatever is unusual about it:
 * batches, progress, other methods, mistakes. What is answered here is answered as the SDK would, word for word.
 */
export function readPlainRequest (headers: McpHeaders, body: unknown): PlainRequest | undefined {
  if (!isObject(body) || !hasOnly(body, REQUEST_KEYS) || body.jsonrpc !== '2.0' || !isId(body.id) || !acceptsBoth(headers)) return undefined
  const { id, method, params = {} } = body
  if (!isObject(params) || (method !== 'tools/call' && method !== 'tools/list')) return undefined
  const era = eraOf(headers, method, params)
  if (era === undefined) return undefined
  if (method === 'tools/list') return hasOnly(params, LIST_KEYS) ? { id, era } : undefined
  const { name, arguments: given } = params
  if (!hasOnly(params, CALL_KEYS) || typeof name !== 'string' || !PLAIN_NAME.test(name) || !(given === undefined || isObject(given))) return undefined
  return { id, era, call: { name, arguments: given } }
}

const REQUEST_KEYS = new Set(['jsonrpc', 'id', 'method', 'params'])
const LIST_KEYS = new Set(['_meta'])
const CALL_KEYS = new Set(['name', 'arguments', '_meta'])
const META_KEYS = new Set([VERSION_KEY, CLIENT_KEY, CAPABILITIES_KEY])
const CLIENT_KEYS = new Set(['name', 'version'])

function hasOnly (value: object, keys: ReadonlySet<string>): boolean {
  for (const key of Object.keys(value)) if (!keys.has(key)) return false
  return true
}

function isId (id: unknown): id is RpcId {
  return typeof id === 'string' || Number.isSafeInteger(id)
}

function acceptsBoth ({ accept, 'content-type': type }: McpHeaders): boolean {
  return typeof accept === 'string' && accept.includes('application/json') && accept.includes('text/event-stream') && (type === 'application/json' || (typeof type === 'string' && JSON_ONLY.test(type)))
}

/** The revision's line, where headers and envelope agree on it. */
function eraOf (headers: McpHeaders, method: string, { _meta, name }: Record<string, unknown>): PlainRequest['era'] | undefined {
  const version = headers['mcp-protocol-version']
  if (_meta === undefined) return LEGACY.has(version) ? 'legacy' : undefined
  if (version !== MODERN || headers['mcp-method'] !== method || headers['mcp-name'] !== name || !isObject(_meta) || !hasOnly(_meta, META_KEYS)) return undefined
  const { [CLIENT_KEY]: client, [CAPABILITIES_KEY]: capabilities } = _meta
  const isPlain = _meta[VERSION_KEY] === MODERN && isObject(client) && hasOnly(client, CLIENT_KEYS) && typeof client.name === 'string' && typeof client.version === 'string' &&
    isObject(capabilities) && Object.keys(capabilities).length === 0
  return isPlain ? 'modern' : undefined
}
