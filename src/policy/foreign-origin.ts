import { isIP } from 'node:net'

/** What a request says of where it comes from. */
export interface Origins {
  host?: string
  origin?: string
  'sec-fetch-site'?: string | string[]
}

/**
 * Does a request come from another site's page? Its `Origin` has to be the service's own; where the service is bound to this
 * machine alone, the `Host` too: a page whose name was made to point here sends both, its own. `bind` is the address listened at, `allowedHosts` the names
 * that the service is known by; where they are given, it has no others.
 */
export function isForeign (headers: Origins, bind: string | undefined, allowedHosts?: readonly string[]): boolean {
  const { host = '', origin } = headers
  if (headers['sec-fetch-site'] === 'cross-site') return true
  const name = read(`http://${host}`)?.hostname
  const isOwn = isOwnName(name) || allowedHosts?.includes(name ?? '') === true
  if (origin !== undefined && !(isOwn && isSame(origin, host))) return true
  return (isLoopback(bind) || allowedHosts !== undefined) && !isOwn
}

function isSame (origin: string, host: string): boolean {
  const from = read(origin)
  // With the scheme of the origin, so that its default port may be said or not.
  return from !== undefined && from.host !== '' && from.host === read(`${from.protocol}//${host}`)?.host
}

/** Names that nobody else's page can have. */
function isOwnName (name: string | undefined): boolean {
  return name === 'localhost' || isIP(name?.replace(/^\[|\]$/g, '') ?? '') > 0
}

function isLoopback (address: string | undefined): boolean {
  return address === '::1' || address?.startsWith('127.') === true
}

function read (url: string): URL | undefined {
  try { return new URL(url) } catch { return undefined }
}
