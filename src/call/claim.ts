import { judge, type Objection } from '../policy/honesty.js'
import type { Meta } from '../protocol/envelope.js'
import type { ToolError } from '../protocol/tool-error.js'
import { attempt } from '../upstream/evidence.js'
import { withCallOutcome } from './call-outcome.js'
import { withoutSensitive, withWarnings } from './meta.js'
import type { Prepared } from './prepared.js'
import type { RunningCall } from './running-call.js'

/** What becomes of a call: JSON text of a success that may be claimed, or the failure to say; `refusal` is why a success was refused. */
export type Result = { readonly text: string, readonly warnings: readonly Objection[] } | { readonly error: ToolError, readonly refusal?: Objection }

/** A handler's data as the success that may be claimed, or the failure to say instead. */
export function claim ({ capability, checkOutput, findMarker, modes }: Prepared, data: unknown, state: RunningCall): Result {
  const { text, dropped, broken } = checkOutput(data)
  const { refusal, warnings } = judge({
    name: capability.name,
    effect: capability.effect,
    needsEvidence: capability.evidence === 'upstream',
    modes,
    exchanges: state.ledger.exchanges,
    said: state.saidSoFar,
    broken,
    marker: findMarker?.(data, text)
  })
  if (refusal !== undefined) return { error: withCallOutcome(state, refusal.error, 'claimed'), refusal }
  // A logger of somebody's own may throw, and the data is right all the same.
  if (dropped.length > 0) attempt(() => state.log.warn({ capability: capability.name, fields: dropped.slice(0, 20) }, 'The handler returned fields its output schema does not declare; they were left out.'))
  return { text, warnings }
}

/** What is sent beside the data of a success: the sources that stand behind it, and what its handler declared. */
export function metaOf (state: RunningCall, warnings: readonly Objection[]): Meta | undefined {
  const { ledger: { exchanges }, capability, sensitive } = state
  if (exchanges.length === 0 && state.isSilent) return withWarnings(undefined, warnings)
  const successes = exchanges.filter(({ upstream, declared, success, ownerUncertain }) => declared && success && ownerUncertain !== true && capability.upstreams.includes(upstream))
  if (successes.length === 0 && state.isSilent) return withWarnings(undefined, warnings)
  const { declared } = state
  return withWarnings({
    ...(successes.length > 0 && { sources: [...new Set(successes.map(({ upstream }) => upstream))] }),
    ...(sensitive === undefined ? declared : withoutSensitive(declared, sensitive.redact)),
    ...(successes.some(({ simulated }) => simulated === true) && { simulated: true })
  }, warnings)
}
