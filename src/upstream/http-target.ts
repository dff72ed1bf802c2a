import type { ClientRequest } from 'node:http'
import { attempt } from './evidence.js'
import { targetOf, type Target } from './foreign-exchange.js'

/** Where a request of `node:http` goes. Node keeps the port nowhere but in the Host header, which may name another host. */
export function httpTarget (request: ClientRequest): Target {
  const { protocol, host, path } = request
  const url = new URL(`${protocol}//${host.includes(':') && !host.startsWith('[') ? `[${host}]` : host}`)
  const stated = attempt(() => new URL(`${protocol}//${String(request.getHeader('host'))}`))
  const port = stated?.hostname === url.hostname ? stated.port : String(request.socket?.remotePort ?? '')
  url.port = port
  return targetOf(url.origin, path)
}
