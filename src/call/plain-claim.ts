import { modesOf, type HonestyModes, type HonestyOptions } from '../capability/honesty-rules.js'
import { judge, noDeclarations, type BrokenData, type Declarations, type Judgement, type Objection } from '../policy/honesty.js'
import type { FindMarker } from '../policy/mock-markers.js'
import type { Meta } from '../protocol/envelope.js'
import type { ToolError } from '../protocol/tool-error.js'
import type { Directory } from '../upstream/directory.js'
import { callOutcome, withOutcome } from '../upstream/exchange.js'
import { Ledger } from '../upstream/ledger.js'
import type { Observer } from '../upstream/observer.js'
import type { Effect } from './plain.js'

/** By what the successes of plain routes are checked. */
export interface PlainRules {
  readonly directory: Directory
  /** Every configured upstream: a plain route declares none of its own. */
  readonly labels: readonly string[]
  readonly honesty: HonestyOptions | undefined
  readonly findMarker: FindMarker | undefined
}

/** One request of a plain route: what it sent, and whether the success it claims may be claimed. */
export class PlainClaim implements Observer {
  readonly #rules: PlainRules
  readonly #ledger = new Ledger()
  readonly #name: string
  readonly #effect: Effect
  readonly #modes: HonestyModes

  constructor (rules: PlainRules, name: string, effect: Effect, own?: HonestyOptions) {
    this.#rules = rules
    this.#name = name
    this.#effect = effect
    this.#modes = modesOf(rules.honesty, own)
  }

  record (exchange: Parameters<Observer['record']>[0]): void {
    this.#ledger.record(exchange)
  }

  upstreamAt (origin: string, path: string): ReturnType<Observer['upstreamAt']> {
    return this.#rules.directory.find(origin, path, this.#rules.labels)
  }

  /** Judges the answer; what is sent after it belongs to nobody. */
  judge (data: unknown, meta: Meta | undefined, broken: BrokenData | undefined): Judgement {
    this.#ledger.close()
    const { exchanges } = this.#ledger
    const marker = this.#modes['mock-marker'] === 'off' ? undefined : this.#rules.findMarker?.(data)
    return judge({ name: this.#name, effect: this.#effect, needsEvidence: false, modes: this.#modes, exchanges, said: this.#said(meta), broken, marker })
  }

  /** The failure to say instead of a refused success. Its handler says that it is done: what it wrote unseen, nobody knows. */
  failureOf ({ error }: Objection): ToolError {
    return this.#effect === 'write' ? withOutcome(error, callOutcome(this.#ledger.exchanges) ?? 'unknown') : error
  }

  /** A plain route says in `meta` what a capability says by `call`. What is cached names no source: it stands for all. */
  #said ({ partial = [], cached, fallback }: Meta = {}): Declarations {
    const said = noDeclarations()
    for (const { source } of partial) said.partial.add(source)
    if (cached === true) for (const { upstream } of this.#ledger.exchanges) said.cached.add(upstream)
    if (fallback !== undefined) said.fallbacks.push(fallback)
    return said
  }
}

const claims = new WeakMap<object, PlainClaim>()

/** Has the success of this request checked. */
export function checkClaimOf (request: object, claim: PlainClaim): void {
  claims.set(request, claim)
}

/** What is known of a plain request, where its success is checked. */
export function claimOf (request: object): PlainClaim | undefined {
  return claims.get(request)
}
