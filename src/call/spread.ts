import type { Waits } from '../policy/waits.js'
import type { Spread } from '../protocol/answer.js'
import type { ToolError } from '../protocol/tool-error.js'

/** Spreads the wait of a failed call among those who wait for the same: an upstream, or else the capability itself. */
export function spreadFor (waits: Waits, { details: { upstream } }: ToolError, capability: string): Spread {
  const key = upstream === undefined || upstream === 'unlabelled' ? `capability ${capability}` : `upstream ${upstream}`
  return ms => waits.spread(key, ms)
}
