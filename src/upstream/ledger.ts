import { accountedFailures, exchangeOutcome, hasFailed, type Exchange } from './exchange.js'

/** How many exchanges are kept before those that no longer matter one by one are put together. */
const KEPT = 256
/** How many failures that nothing accounts for are kept one by one. */
const KEPT_FAILURES = 4_096

const NONE: ReadonlyMap<string, Tally> = new Map()

/** How the exchanges with one upstream ended. */
export interface Tally { success: number, failed: number, abandoned: number, open: number }

/** The exchanges of one call, in the order they began; of a call that makes thousands only as many as it takes to judge it. */
export class Ledger {
  #exchanges: Exchange[] = []
  #limit = KEPT
  #closed = false
  #folded: Map<string, Tally> | undefined

  get exchanges (): readonly Exchange[] { return this.#exchanges }

  /** Takes an exchange at its beginning; whoever makes it completes it in place. */
  record (exchange: Exchange): void {
    if (this.#closed) return
    if (exchange.foreign === true) this.#follow(exchange)
    this.#exchanges.push(exchange)
    if (this.#exchanges.length > this.#limit) this.#fold()
  }

  /** The call is judged: what is sent from here on is nobody's. */
  close (): void {
    this.#closed = true
  }

  /** How the exchanges ended, by upstream. */
  tallies (): ReadonlyMap<string, Tally> {
    if (this.#exchanges.length === 0) return NONE
    const tallies = new Map<string, Tally>()
    for (const [upstream, tally] of this.#folded ?? NONE) tallies.set(upstream, { ...tally })
    for (const exchange of this.#exchanges) count(tallies, exchange, 1)
    return tallies
  }

  /**
   * A client that follows a redirect makes a new exchange: the redirect was no failure, and what comes of it is the answer of
   * the upstream that was asked, wherever it stands.
   */
  #follow (exchange: Exchange): void {
    const { origin, path, declared } = exchange
    const redirect = this.#exchanges.findLast(({ location, followed }) => location === `${origin}${path}` && followed !== true)
    if (redirect === undefined) return
    redirect.followed = true
    if (redirect.declared && !declared) Object.assign(exchange, { upstream: redirect.upstream, declared: true })
  }

  /**
   * Keeps one for all that mean the same. A success that has ended accounts for failures that are known by now, and for no
   * later one: it is done with. A failure may still be made good, so that the latest ones stay.
   */
  #fold (): void {
    for (const failure of accountedFailures(this.#exchanges)) failure.accounted = true
    const kept = new Map<string, Exchange>()
    const spared = new Set(this.#exchanges.filter(exchange => isUnsettled(exchange)).slice(-KEPT_FAILURES))
    this.#exchanges = this.#exchanges.filter(exchange => {
      if (exchange.endedAt === undefined || spared.has(exchange)) return true
      const key = keyOf(exchange)
      const same = kept.get(key)
      if (same === undefined) {
        kept.set(key, exchange)
        return true
      }
      if (isUnsettled(exchange)) same.several = true
      count(this.#folded ??= new Map(), exchange, 1)
      return false
    })
    this.#limit = Math.max(KEPT, this.#exchanges.length * 2)
  }
}

function isUnsettled (exchange: Exchange): boolean {
  return hasFailed(exchange) && exchange.accounted !== true
}

/** All by which a call is judged: two exchanges with the same key say the same of it. */
function keyOf (exchange: Exchange): string {
  const { upstream, declared, effect, status, refusedAs, success, simulated, ownerUncertain, foreign, abandoned, accounted, followed, failure } = exchange
  return JSON.stringify([upstream, declared, effect, exchangeOutcome(exchange), status, refusedAs, success, simulated, ownerUncertain, foreign, abandoned, accounted, followed, failure?.code])
}

function count (tallies: Map<string, Tally>, exchange: Exchange, by: number): void {
  const tally = tallies.get(exchange.upstream) ?? { success: 0, failed: 0, abandoned: 0, open: 0 }
  tallies.set(exchange.upstream, tally)
  tally[exchange.success ? 'success' : exchange.endedAt === undefined ? 'open' : exchange.abandoned === true ? 'abandoned' : 'failed'] += by
}
