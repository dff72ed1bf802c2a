import type { Capability } from '../capability/define.js'

/** Where a caller stands with its calls of one capability, this one counted. */
export interface RateState {
  /** Is this call within the limit? */
  readonly isAllowed: boolean
  readonly max: number
  readonly windowMs: number
  readonly remaining: number
  /** Until the count begins again, in milliseconds. */
  readonly resetMs: number
}

/**
 * Counts one call. `caller` is the same for all calls of one principal, or of one address. `undefined` where no limit holds, or
 * none can be looked up and calls are taken all the same; `'unknown'` where they are not.
 */
export type CountCall = (capability: Capability, caller: string) => Promise<RateState | 'unknown' | undefined>
