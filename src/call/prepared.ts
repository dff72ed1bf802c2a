import type { Capability } from '../capability/define.js'
import { modesOf, type HonestyModes, type HonestyOptions } from '../capability/honesty-rules.js'
import { createMarkerSearch, type FindMarker, type MockMarker } from '../policy/mock-markers.js'
import { CallQueue } from './call-queue.js'
import { createInputCheck, type CheckInput } from './input.js'
import { createOutputCheck, type CheckOutput } from './output.js'
import { createSensitiveKeeper, type KeepSensitive } from './sensitive.js'

/** A capability ready to be called: everything about it that can be worked out once, at its first call. */
export interface Prepared {
  readonly capability: Capability
  readonly checkInput: CheckInput
  readonly keepSensitive: KeepSensitive
  readonly checkOutput: CheckOutput
  readonly modes: HonestyModes
  /** Left out where no answer of this capability can be marked as made up, or nobody asks. */
  readonly findMarker: FindMarker | undefined
  /** Where its calls wait for their turn; left out where any number may run at a time. */
  readonly queue: CallQueue | undefined
}

/** How a service checks the successes of its capabilities. */
export interface HonestySettings {
  readonly honesty?: HonestyOptions
  readonly mockMarkers?: readonly MockMarker[]
}

/**
 * Prepares a capability; schemas are compiled on its first call. `overstayed` is told of handlers that hold one of its
 * `maxConcurrent` places long after their calls ended.
 */
export function prepare (capability: Capability, settings: HonestySettings = {}, overstayed?: () => void): Prepared {
  return new PreparedCapability(capability, settings, overstayed)
}

type Parts = Pick<Prepared, 'checkInput' | 'keepSensitive' | 'checkOutput' | 'findMarker'>

/** Nothing is made before the first call: of a thousand capabilities most are never called. */
class PreparedCapability implements Prepared {
  readonly capability: Capability
  readonly modes: HonestyModes
  readonly queue: CallQueue | undefined
  readonly #settings: HonestySettings
  #made: Parts | undefined

  constructor (capability: Capability, settings: HonestySettings, overstayed: (() => void) | undefined) {
    const { maxConcurrent, maxQueued, honesty } = capability
    this.capability = capability
    this.modes = modesOf(settings.honesty, honesty)
    this.queue = maxConcurrent === undefined ? undefined : new CallQueue(maxConcurrent, maxQueued, overstayed)
    this.#settings = settings
  }

  get checkInput (): CheckInput { return this.#parts.checkInput }
  get keepSensitive (): KeepSensitive { return this.#parts.keepSensitive }
  get checkOutput (): CheckOutput { return this.#parts.checkOutput }
  get findMarker (): FindMarker | undefined { return this.#parts.findMarker }

  get #parts (): Parts {
    const { capability, modes } = this
    this.#made ??= {
      checkInput: createInputCheck(capability),
      keepSensitive: createSensitiveKeeper(capability),
      checkOutput: createOutputCheck(capability),
      findMarker: modes['mock-marker'] === 'off' ? undefined : createMarkerSearch(capability.output, this.#settings.mockMarkers)
    }
    return this.#made
  }
}
