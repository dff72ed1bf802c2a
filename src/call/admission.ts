import { challengeOf } from '../policy/challenge.js'
import { mayCall, missingScopes } from '../policy/principal.js'
import type { RateState } from '../policy/rate-counter.js'
import { responseHeaders } from '../protocol/headers.js'
import { withFields, type ToolError } from '../protocol/tool-error.js'
import { withOutcome } from '../upstream/exchange.js'
import { countedBy, type Caller } from './caller.js'
import { fromRow } from './framework-error.js'
import type { Prepared } from './prepared.js'
import type { Service } from './service.js'
import { capabilityNotFound, stopped } from './untaken.js'

/** What stands before a call: the capability, or why it is not taken; and headers that the answer carries either way. */
export type Admission = { readonly headers?: Record<string, string> } & ({ readonly prepared: Prepared } | { readonly failure: ToolError, readonly prepared?: Prepared })

/** What a door says of itself. */
export interface AtDoor {
  readonly isStopping: boolean
  /** Where this door lists what can be called. */
  readonly hint: string
}

/**
 * May this caller call this capability now? The same at every door, before the input is looked at: there is such a capability,
 * the caller may know of it, the service takes calls, and the caller has not made too many. A promise only where calls are counted.
 */
export function admit (service: Service, name: string, caller: Caller, door: AtDoor): Admission | Promise<Admission> {
  const prepared = service.capabilities.get(name)
  const isAllowed = prepared !== undefined && mayCall(prepared.capability, caller.principal)
  // To whom it is hidden, it does not exist.
  if (prepared === undefined || (!isAllowed && prepared.capability.hidden)) return { failure: capabilityNotFound(name, namesFor(service, caller), door.hint) }
  if (!isAllowed) return { prepared, ...lacking(prepared, caller) }
  if (door.isStopping) return { prepared, failure: stopped(prepared.capability.effect) }
  return service.countCall === undefined ? { prepared } : counted(service, prepared, caller)
}

/** The capabilities that a caller may hear of. */
function namesFor ({ capabilities }: Service, { principal }: Caller): string[] {
  return [...capabilities.values()].filter(({ capability }) => !capability.hidden && mayCall(capability, principal)).map(({ capability }) => capability.name)
}

function lacking ({ capability }: Prepared, { principal }: Caller): { failure: ToolError, headers?: Record<string, string> } {
  const { name, scopes } = capability
  if (principal === undefined) return { failure: fromRow('UNAUTHORIZED', `A call of ${name} needs credentials.`) }
  const missing = missingScopes(capability, principal)
  return {
    failure: fromRow('FORBIDDEN', `These credentials do not allow a call of ${name}.`, { expected: `the scope${missing.length === 1 ? '' : 's'} ${missing.join(' ')}` }),
    headers: { 'www-authenticate': challengeOf({ error: 'insufficient_scope', scopes }) }
  }
}

async function counted (service: Service, prepared: Prepared, caller: Caller): Promise<Admission> {
  const { capability } = prepared
  const counted = countedBy(caller)
  const state = await service.countCall!(capability, counted)
  if (state === undefined) return { prepared }
  if (state === 'unknown') return { prepared, failure: unsent(fromRow('SERVICE_UNAVAILABLE', 'How many calls were made cannot be looked up at the moment.'), prepared) }
  const headers = rateHeaders(state)
  if (state.isAllowed) return { prepared, headers }
  return { prepared, headers, failure: unsent(tooMany(state, prepared, service.waits.spread(`limit ${capability.name} ${counted}`, state.resetMs)), prepared) }
}

function tooMany ({ max, windowMs }: RateState, { capability: { name } }: Prepared, retryAfterMs: number): ToolError {
  const failure = fromRow('RATE_LIMIT_EXCEEDED', `${name} takes ${max} calls of one caller in ${Math.ceil(windowMs / 1_000)} s.`)
  return withFields(failure, { retryAfterMs })
}

function unsent (failure: ToolError, { capability: { effect } }: Prepared): ToolError {
  return effect === 'write' ? withOutcome(failure, 'not_applied') : failure
}

/** The fields of draft-ietf-httpapi-ratelimit-headers-11. A wait that was spread ends after `t`, never before. */
function rateHeaders ({ max, windowMs, remaining, resetMs }: RateState): Record<string, string> {
  const seconds = (ms: number): number => Math.ceil(ms / 1_000)
  return {
    [responseHeaders.rateLimitPolicy]: `"default";q=${max};w=${seconds(windowMs)}`,
    [responseHeaders.rateLimit]: `"default";r=${remaining};t=${seconds(resetMs)}`
  }
}
