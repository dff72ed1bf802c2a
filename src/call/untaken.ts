import type { Capability } from '../capability/define.js'
import { withFields, type ToolError } from '../protocol/tool-error.js'
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

/** How long a caller is told to wait at least, in milliseconds: a queue may have room again at any moment. */
const QUEUE_WAIT_MS = 1_000

/** The failure of a call that comes while as many run as may, and as many wait. */
export function queueFull ({ name, maxConcurrent }: Pick<Capability, 'name' | 'maxConcurrent'>): ToolError {
  const failure = fromRow('OVERLOADED', `${name} runs ${maxConcurrent} call${maxConcurrent === 1 ? '' : 's'} at a time, and no more can wait.`)
  return withFields(failure, { retryAfterMs: QUEUE_WAIT_MS })
}

/** The failure of a call that comes while the service is stopping. */
export function stopped (effect: 'read' | 'write'): ToolError {
  const failure = fromRow('SERVICE_STOPPING', 'The service is stopping and takes no new calls.')
  return effect === 'write' ? withOutcome(failure, 'not_applied') : failure
}
