import { isLocalName, isLoopback, nameOf, readHost, readOrigin } from './origins.js'

/** What a request says of where it comes from, and of whom it asks. */
export interface Sender {
  /** Whom the caller asks; behind a proxy, what the proxy says of that. */
  host: string
  /** Whom this very request names, as `Host`. */
  hostHeader?: string
  /** `https` or `http`; behind a proxy, what the proxy says. */
  scheme?: string
  origin?: string
  fetchSite?: string | string[]
}

/** Whom a service knows. */
export interface Acquaintances {
  /** The address that it listens at. */
  bind?: string
  /** Names that it is reached by; where they are given, it has no others beside `localhost` and addresses. */
  hosts?: readonly string[]
  /** Whose pages may call, beside its own. */
  origins?: { readonly isAny: boolean, has: (origin: string) => boolean }
}

/**
 * What is foreign about a request: a page of another site sends it; or it is for a host that the service does not have, which is
 * what a page does whose name was made to point here.
 */
export function foreignPart (sender: Sender, known: Acquaintances): 'host' | 'origin' | undefined {
  const { origin, fetchSite } = sender
  if (isForeignHost(sender, known)) return 'host'
  if (origin !== undefined && known.origins?.has(origin) === true) return undefined
  if (origin !== undefined && !(isOwnHost(sender.host, known) && isSame(origin, sender))) return 'origin'
  // Sent twice, it is one text with both. Without an origin nobody can say whose page it was.
  return /\bcross-site\b/i.test(String(fetchSite)) && known.origins?.isAny !== true ? 'origin' : undefined
}

/**
 * A proxy's word is not enough: whoever reaches the service without one can say it too, and where only this machine can call, a page
 * in a browser here. Whoever names no host, as HTTP/1.0 may, is no browser.
 */
function isForeignHost ({ host, hostHeader = host }: Sender, known: Acquaintances): boolean {
  if (!isLoopback(known.bind) && known.hosts === undefined) return false
  return [host, hostHeader].some(name => name !== '' && !isOwnHost(name, known))
}

function isOwnHost (host: string, { hosts = [] }: Acquaintances): boolean {
  const url = readHost(host)
  if (url === undefined) return false
  const name = nameOf(url)
  return isLocalName(name) || hosts.some(own => own.replace(/\.$/, '') === name)
}

/** The scheme may be better than ours, where a proxy takes TLS away and does not say so; never worse. */
function isSame (origin: string, { host, scheme }: Sender): boolean {
  const from = readOrigin(origin)
  if (from === undefined || !(from.protocol === 'https:' || (from.protocol === 'http:' && scheme !== 'https'))) return false
  return from.host === readHost(host, from.protocol)?.host
}
