/** How many counts are kept, one for each caller of each capability; above that, the one that was not asked for longest is forgotten. */
const MAX_COUNTS = 20_000

/** One count, as it was when it was asked for. */
export interface Count {
  readonly current: number
  /** Until it begins again, in milliseconds. */
  readonly ttl: number
}

/**
 * Counts in memory, in the form that @fastify/rate-limit asks of a store. Its own hands out the count itself: of calls that
 * come together each would see the number of the last one, and be refused for it.
 */
export class CountStore {
  // In the order they were last asked for.
  readonly #counts = new Map<string, { current: number, readonly endsAt: number }>()

  /** Counts one more. */
  incr (key: string, done: (error: null, count: Count) => void, windowMs: number): void {
    // Not the time of day, which may be set back.
    const now = performance.now()
    const known = this.#counts.get(key)
    const count = known === undefined || known.endsAt <= now ? { current: 0, endsAt: now + windowMs } : known
    count.current++
    this.#counts.delete(key)
    this.#counts.set(key, count)
    const [oldest] = this.#counts.keys()
    if (this.#counts.size > MAX_COUNTS) this.#counts.delete(oldest!)
    // Rounded up later, a difference that is too long by a billionth would be a second more.
    done(null, { current: count.current, ttl: Math.min(windowMs, count.endsAt - now) })
  }

  /** The keys tell everything apart. */
  child (): this {
    return this
  }
}
