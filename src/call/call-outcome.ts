import type { Log } from '../capability/call.js'
import { createToolError, type ToolError } from '../protocol/tool-error.js'
import type { WriteOutcome } from '../protocol/write-outcome.js'
import { callOutcome, withOutcome } from '../upstream/exchange.js'
import type { CallState } from './state.js'

/** How a call ended that does not succeed: as its handler said, by a bug, or after the handler said that it was done. */
export type Ended = 'declared' | 'bug' | 'claimed'

/** A failure of a call, with what the writes of the call did. */
export function withCallOutcome (state: CallState, error: ToolError, ended: Ended): ToolError {
  const { capability: { effect, idempotent }, ledger: { exchanges } } = state
  if (effect === 'read') return error
  const outcome = error.details.outcome === 'unknown' ? 'unknown' : outcomeOf(state, ended)
  return withOutcome(error, outcome, { idempotent, status409: exchanges.some(({ effect, status }) => effect === 'write' && status === 409) })
}

/** The failure of a call whose time is over. */
export function timedOut ({ capability: { name }, deadline: { timeoutMs }, queued }: CallState): ToolError {
  return createToolError({
    code: 'REQUEST_TIMEOUT',
    category: 'SERVICE_ERROR',
    status: 504,
    message: queued ? `It was not the turn of this call of ${name} within its ${timeoutMs} ms.` : `${name} was not done within its ${timeoutMs} ms.`
  })
}

/** Nobody is told what a write did: the log must know. */
export function logGone (log: Log, state: CallState): void {
  const { capability: { name, effect } } = state
  const outcome = effect === 'write' ? outcomeOf(state, 'declared') : undefined
  const level = outcome === undefined || outcome === 'not_applied' ? 'info' : 'warn'
  log[level]({ capability: name, code: 'CALLER_GONE', ...(outcome !== undefined && { outcome }) }, 'The caller went away before the call ended.')
}

/**
 * What the writes of a call that does not succeed did. Without a recorded write exchange, nothing was written only if it
 * can be known: not where the handler says that it is done, where one that declares no upstreams broke off, or where one is
 * still at work, as it may yet send by other clients than ours, which end with the call.
 */
function outcomeOf ({ capability, ledger: { exchanges }, deadline, queued, running = false }: CallState, ended: Ended): WriteOutcome {
  if (queued) return 'not_applied'
  const brokeOff = deadline.ended !== undefined
  const runsOn = running || exchanges.some(({ foreign, endedAt }) => foreign === true && (brokeOff || endedAt === undefined))
  const isUnseen = capability.upstreams.length === 0 && (ended === 'bug' || brokeOff)
  const recorded = callOutcome(exchanges)
  if (runsOn && recorded === 'not_applied') return 'unknown'
  return recorded ?? (ended === 'claimed' || isUnseen || runsOn ? 'unknown' : 'not_applied')
}
