import { readHost } from './origins.js'

/**
 * Does a request name several hosts: two `Host` headers, or another host in its target than in the header? Whatever stands before the
 * service may have gone by the other one.
 */
export function namesSeveralHosts (rawHeaders: readonly string[], target: string): boolean {
  let host: string | undefined
  for (let name = 0; name < rawHeaders.length; name += 2) {
    if (!isHost(rawHeaders[name]!)) continue
    if (host !== undefined) return true
    host = rawHeaders[name + 1]!
  }
  // Nearly every target is a path.
  if (target.charCodeAt(0) === SLASH) return false
  const absolute = /^([a-z][a-z\d+.-]*:)\/\/([^/?#]*)/i.exec(target)
  if (absolute === null || host === undefined) return false
  const [, scheme, authority] = absolute
  const named = readHost(authority!, scheme)
  return named === undefined || named.host !== readHost(host, scheme)?.host
}

const SLASH = 0x2f

function isHost (name: string): boolean {
  return name.length === 4 && name.toLowerCase() === 'host'
}
