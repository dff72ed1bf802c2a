import type { Principal } from '../capability/call.js'

/** Who asks: as authentication found out, and from where. */
export interface Caller {
  readonly principal: Principal | undefined
  /** Counted where nobody is known. */
  readonly address: string
}

/** A request as the doors know it, and Fastify makes it. */
interface KnownRequest { readonly ip: string }

/** Who makes a request. The address is asked for where it is counted: the system is asked for it. */
export class RequestCaller implements Caller {
  readonly principal: Principal | undefined
  readonly #request: KnownRequest

  constructor (request: KnownRequest) {
    this.principal = principalOf(request)
    this.#request = request
  }

  get address (): string { return this.#request.ip }
}

// By request: the doors that ask know requests, whatever they are made of.
const known = new WeakMap<object, Principal>()

/** Keeps who makes a request. */
export function knowPrincipal (request: object, principal: Principal): void {
  known.set(request, principal)
}

/** Who makes a request; `undefined` where nobody was asked, or nothing was sent to a route that is open to all. */
export function principalOf (request: object): Principal | undefined {
  return known.get(request)
}

/** The name a caller is counted by: no principal can have the one of an address. */
export function countedBy ({ principal, address }: Caller): string {
  return principal === undefined ? `address ${address}` : `principal ${principal.id}`
}
