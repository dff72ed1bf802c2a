import { readHost } from './origins.js'

/**
 * Does a request name several hosts: two `Host` headers, or another host in its target than in the header? Whatever stands before the
 * service may have gone by the other one.
 */
export function namesSeveralHosts (rawHeaders: readonly string[], target: string): boolean {
  const hosts = rawHeaders.filter((_, index) => index % 2 === 1 && isHost(rawHeaders[index - 1]!))
  if (hosts.length > 1) return true
  const absolute = /^([a-z][a-z\d+.-]*:)\/\/([^/?#]*)/i.exec(target)
  if (absolute === null || hosts.length === 0) return false
  const [, scheme, authority] = absolute
  const named = readHost(authority!, scheme)
  return named === undefined || named.host !== readHost(hosts[0]!, scheme)?.host
}

function isHost (name: string): boolean {
  return name.length === 4 && name.toLowerCase() === 'host'
}
