import type { Capability } from '../capability/define.js'

/** Where OAuth's metadata of this service stands: for the service, and for `/mcp`, where clients look by themselves. */
export const METADATA_PATHS = ['/.well-known/oauth-protected-resource', '/.well-known/oauth-protected-resource/mcp'] as const

/** The metadata of RFC 9728. */
export interface ResourceMetadata {
  resource: string
  authorization_servers: string[]
  scopes_supported: string[]
  bearer_methods_supported: ['header']
  resource_name: string
}

/** A name or an address with or without a port: whatever else a caller may write there, quotes among it, a URL would keep. */
const PLAIN_HOST = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i

/** The URL that `/mcp` is known by: as configured, else as it was asked for; `undefined` where that makes no URL of a plain host. */
export function resourceOf (configured: string | undefined, { protocol, host }: { protocol: string, host: string }, base: string): string | undefined {
  if (configured !== undefined) return configured
  const url = `${protocol}://${host}${base}/mcp`
  return PLAIN_HOST.test(host) && /^https?$/.test(protocol) && URL.canParse(url) ? new URL(url).href : undefined
}

/** Where the metadata of a resource stands. Under a prefix, or behind a proxy that takes one away, it is found by this address alone. */
export function metadataUrlOf (resource: string): string {
  return new URL(resource).href.replace(/\/+$/, '').replace(/\/mcp$/, '') + METADATA_PATHS[1]
}

/** What callers are told of where to get a token, and for what. */
export function metadataOf (resource: string, name: string, issuer: string, capabilities: readonly Capability[]): ResourceMetadata {
  const scopes = capabilities.filter(({ hidden }) => !hidden).flatMap(({ scopes }) => scopes)
  return { resource, authorization_servers: [issuer], scopes_supported: [...new Set(scopes)].sort(), bearer_methods_supported: ['header'], resource_name: name }
}

/** Is this a URL that a resource may be known by? */
export function isResource (resource: unknown): boolean {
  if (typeof resource !== 'string' || !URL.canParse(resource)) return false
  const { protocol, hash, username, search } = new URL(resource)
  return ['https:', 'http:'].includes(protocol) && hash === '' && username === '' && search === ''
}
