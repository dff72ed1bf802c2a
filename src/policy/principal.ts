import type { Principal } from '../capability/call.js'
import type { Capability } from '../capability/define.js'

/** Makes a principal that no handler can change: one object may stand for many requests. */
export function createPrincipal (id: string, scopes: readonly string[], claims: Readonly<Record<string, unknown>>): Principal {
  return Object.freeze({ id, scopes: Object.freeze([...scopes]), claims: Object.freeze({ ...claims }) })
}

/** The scopes of a capability that a caller lacks; empty where it may be called. */
export function missingScopes ({ scopes }: Pick<Capability, 'scopes'>, principal: Principal | undefined): string[] {
  return scopes.filter(scope => principal?.scopes.includes(scope) !== true)
}

/** May this caller call it, and so hear of it? */
export function mayCall (capability: Pick<Capability, 'scopes'>, principal: Principal | undefined): boolean {
  return capability.scopes.length === 0 || missingScopes(capability, principal).length === 0
}
