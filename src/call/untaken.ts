import type { ToolError } from '../protocol/tool-error.js'
import { nearestFew } from '../schema/nearest.js'
import { withOutcome } from '../upstream/exchange.js'
import { fromRow } from './framework-error.js'

/** The failure of a call that names no capability there is; `names` are those that may be known. */
export function capabilityNotFound (name: string, names: readonly string[], hint: string): ToolError {
  const near = nearestFew(name, names, 3)
  return fromRow('CAPABILITY_NOT_FOUND', `There is no capability '${name}' here.`, {
    did_you_mean: near[0],
    candidates: near.length > 0 ? near : [...names].sort().slice(0, 20),
    hint
  })
}

/** The failure of a call that comes while the service is stopping. */
export function stopped (effect: 'read' | 'write'): ToolError {
  const failure = fromRow('SERVICE_STOPPING', 'The service is stopping and takes no new calls.')
  return effect === 'write' ? withOutcome(failure, 'not_applied') : failure
}
