import type { Capability } from '../capability/define.js'
import { exchangeOutcome, type Exchange } from '../upstream/exchange.js'
import type { Break } from './breaks.js'
import type { StandIn } from './stand-in.js'
import { escalated, toldOf, type Circumstances, type Told } from './told.js'

/** One call against one broken upstream. */
export interface Trial {
  readonly capability: Capability
  readonly upstream: string
  readonly broken: Break
  readonly sent: Pick<StandIn, 'ours' | 'others'>
  /** All that the call asked through our client. */
  readonly exchanges: readonly Exchange[]
}

/** Was the broken upstream asked at all? */
export function isReached ({ sent }: Trial): boolean {
  return sent.ours.length + sent.others.length > 0
}

/** Is what the upstream did no failure for what it was asked? */
export function isHarmless (trial: Trial): boolean {
  const { broken: { harmless }, sent } = trial
  return harmless !== undefined && (sent.others.length > 0 || (harmless === 'read' && !hasWritten(trial)))
}

/** Was the broken upstream asked to change anything? */
export function hasWritten ({ upstream, exchanges, sent }: Trial): boolean {
  return exchanges.some(exchange => exchange.upstream === upstream && exchange.effect === 'write') || sent.others.some(({ method }) => !['GET', 'HEAD', 'OPTIONS'].includes(method))
}

/** Was another write of the call carried out? */
export function hasApplied ({ upstream, exchanges }: Trial): boolean {
  return exchanges.some(exchange => exchange.upstream !== upstream && exchange.effect === 'write' && exchangeOutcome(exchange) === 'applied')
}

/** What the caller may be told, the likeliest first. */
export function expectationOf (trial: Trial): readonly [Told, ...Told[]] {
  const { capability: { effect, idempotent }, broken, sent } = trial
  const circumstances: Circumstances = { effect, idempotent, wrote: hasWritten(trial), applied: hasApplied(trial) }
  const byOthers = sent.others.length > 0
  const [first, ...rest] = (byOthers ? [...broken.told, ...broken.toldByOthers] : broken.told).map(row => toldOf(row, circumstances))
  const told = [first!, ...rest] as const
  // What other clients did is known in part: more caution than the table's is no lie.
  return byOthers && effect === 'write' ? [...told, ...(['unknown', 'partial', 'applied'] as const).flatMap(outcome => told.map(one => escalated(one, outcome)))] : told
}
