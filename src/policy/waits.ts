import { boundWait, MAX_WAIT_MS } from '../protocol/retry-after.js'

/** Keys that are remembered, and seconds of each: more are told apart by nobody, and an address costs a caller nothing. */
const MAX_KEYS = 1_000
const MAX_SECONDS = 1_000

const MIN_EXTRA_S = 10
const MAX_EXTRA_S = 60

/** How many callers come back in each second; the last of these seconds. */
interface Returns { readonly counts: Map<number, number>, last: number, tidiedAt: number }

/**
 * When callers that were told to wait come back, so that they do not all come in the same second. Each is given the second
 * with the fewest: the first one there is, or one of those after it, ten and half the wait, at most sixty. The first caller
 * hears the exact number.
 */
export class Waits {
  // In the order they were last used: the first is the first to be forgotten.
  readonly #keys = new Map<string, Returns>()

  /** The wait to tell, in milliseconds: `ms`, or somewhat more where others of the same key come back then. `nowMs` as `Date.now()` gives it. */
  spread (key: string, ms: number, nowMs: number = Date.now()): number {
    const bounded = boundWait(ms).ms
    const now = Math.floor(nowMs / 1_000)
    const wait = Math.ceil(bounded / 1_000)
    const { counts } = this.#use(key, now, now + wait + extraFor(wait))
    const chosen = leastFilled(counts, now + wait, extraFor(wait))
    counts.set(chosen, (counts.get(chosen) ?? 0) + 1)
    return chosen === now + wait ? bounded : (chosen - now) * 1_000
  }

  #use (key: string, now: number, last: number): Returns {
    const returns = this.#keys.get(key) ?? { counts: new Map<number, number>(), last, tidiedAt: now }
    returns.last = Math.max(returns.last, last)
    this.#keys.delete(key)
    this.#keys.set(key, returns)
    tidy(returns, now)
    this.#forget(now)
    return returns
  }

  /** What is past, two at a time: with every call one may be added. */
  #forget (now: number): void {
    for (let tries = 0; tries < 2; tries++) {
      const [oldest] = this.#keys
      if (oldest === undefined || (oldest[1].last >= now && this.#keys.size <= MAX_KEYS)) return
      this.#keys.delete(oldest[0])
    }
  }
}

function extraFor (wait: number): number {
  const wished = Math.min(Math.max(MIN_EXTRA_S, Math.ceil(wait / 2)), MAX_EXTRA_S)
  return Math.min(wished, MAX_WAIT_MS / 1_000 - wait)
}

function leastFilled (counts: ReadonlyMap<number, number>, first: number, extra: number): number {
  let chosen = first
  for (let second = first + 1; second <= first + extra; second++) {
    if ((counts.get(second) ?? 0) < (counts.get(chosen) ?? 0)) chosen = second
  }
  return chosen
}

/** Once a second; of more than can be kept the oldest goes. */
function tidy (returns: Returns, now: number): void {
  const { counts, tidiedAt } = returns
  if (tidiedAt !== now) for (const second of counts.keys()) if (second < now) counts.delete(second)
  returns.tidiedAt = now
  for (const second of counts.keys()) {
    if (counts.size < MAX_SECONDS) return
    counts.delete(second)
  }
}
