import dns from 'node:dns'
import net from 'node:net'
import { buildConnector } from 'undici'
import { createToolError, type ToolError } from '../protocol/tool-error.js'

// What no caller may reach through a tool: this host and network, link-local, shared and documentation ranges,
// multicast, and the two cloud metadata services that hide among public addresses.
const NOT_PUBLIC_V4 = `0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 168.63.129.16/32 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24
  192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4`
// Of IPv6 only this is public, without the ranges that lead on to IPv4 or to nobody. What maps IPv4 lies outside of it.
const PUBLIC_V6 = '2000::/3'
const NOT_PUBLIC_V6 = '2001::/23 2001:db8::/32 2002::/16 3fff::/20'

const publicV6 = blockList(PUBLIC_V6)
const notPublic = blockList(`${NOT_PUBLIC_V4} ${NOT_PUBLIC_V6}`)

/** Is this text a network such as `10.0.0.0/8` or `fd00::/8`? */
export function isNetwork (text: unknown): text is string {
  const [, address = '', bits = ''] = /^([\d.]+|[\da-f:]+)\/(\d{1,3})$/i.exec(String(text)) ?? []
  const family = net.isIP(address)
  return family !== 0 && Number(bits) <= (family === 4 ? 32 : 128)
}

/** May a target chosen by a caller have this address? A public one, or one in the networks the author adds. */
export function createGuard (networks: readonly string[] = []): (address: string) => boolean {
  const added = blockList(networks.join(' '))
  return address => {
    // An IPv6 address with a zone is local to this host.
    const family = address.includes('%') ? 0 : net.isIP(address)
    if (family === 0) return false
    const type = family === 4 ? 'ipv4' : 'ipv6'
    if (added.check(address, type)) return true
    return (family === 4 || publicV6.check(address, type)) && !notPublic.check(address, type)
  }
}

/**
 * Connects only where `allows` says so. What is checked is the address that is connected to, not a name that may be
 * looked up once more; redirects come through here too, and a connection that is used again was checked before.
 */
export function guardedConnector (timeout: number, allows: (address: string) => boolean): buildConnector.connector {
  const lookup: net.LookupFunction = (hostname, options, callback) => {
    dns.lookup(hostname, { ...options, all: true }, (error, addresses) => {
      if (error !== null) return callback(error, [])
      const allowed = addresses.filter(({ address }) => allows(address))
      const [first] = allowed
      if (first === undefined) callback(targetNotAllowed(), [])
      else if (options.all === true) callback(null, allowed)
      else callback(null, first.address, first.family)
    })
  }
  const connect = buildConnector({ timeout, lookup } as buildConnector.BuildOptions)
  return (options, callback) => {
    // An address is not looked up.
    if (net.isIP(options.hostname) !== 0 && !allows(options.hostname)) callback(targetNotAllowed(), null)
    else connect(options, callback)
  }
}

/** The address of a target as a caller gave it, checked before anything is looked up. Throws what the caller is told. */
export function readTargetUrl (text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const isWeb = url !== undefined && (url.protocol === 'http:' || url.protocol === 'https:')
  if (!isWeb || url.username !== '' || url.password !== '') throw targetNotAllowed()
  return url
}

/** One text for all reasons: it must not tell which names lead into the inner network. */
function targetNotAllowed (): ToolError {
  return createToolError({
    code: 'TARGET_NOT_ALLOWED',
    category: 'INPUT_ERROR',
    message: 'This tool does not open that address.',
    details: { hint: 'Give a whole http: or https: URL of a public host, without a user name.' }
  })
}

function blockList (networks: string): net.BlockList {
  const list = new net.BlockList()
  for (const network of networks.split(/\s+/).filter(isNetwork)) {
    const [address, bits] = network.split('/') as [string, string]
    list.addSubnet(address, Number(bits), net.isIPv4(address) ? 'ipv4' : 'ipv6')
  }
  return list
}
