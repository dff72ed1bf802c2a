import { classifyUpstreamError, classifyUpstreamResponse, readFailure, type ClassifyContext } from './classify.js'
import { attempt } from './evidence.js'
import type { Exchange } from './exchange.js'
import { readHeaders, type PlainHeaders } from './foreign-answer.js'
import type { Observer } from './observer.js'
import { UpstreamOutcome } from './outcome.js'

/** Where a request goes: an origin, and a path with its query. */
export interface Target {
  origin: string
  path: string
}

const READS = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Does a request of this method change nothing? */
export function isReading (method: string): boolean {
  return READS.has(method)
}

/** The target as a URL has it; a proxy is asked for a whole URL, whose origin is the one that counts. Throws where there is none. */
export function targetOf (origin: unknown, path: string): Target {
  if (!/^https?:\/\//i.test(path)) return { origin: new URL(String(origin)).origin, path }
  const { origin: own, pathname, search } = new URL(path)
  return { origin: own, path: `${pathname}${search}` }
}

/** The record of one exchange that another client than ours makes. It ends once; what is told of it later changes nothing. */
export class ForeignExchange {
  readonly exchange: Exchange
  readonly #observer: Observer
  #believesSimulated = false

  /** Begins the exchange, and tells the observer. */
  constructor (observer: Observer, method: string, target: Target, ownerUncertain: boolean = false) {
    this.#observer = observer
    this.exchange = {
      ...this.#labelled(target),
      method,
      effect: isReading(method) ? 'read' : 'write',
      sent: false,
      phase: 'connect',
      complete: false,
      success: false,
      foreign: true,
      ...(ownerUncertain && { ownerUncertain }),
      startedAt: performance.now()
    }
    observer.record(this.exchange)
  }

  get ended (): boolean { return this.exchange.endedAt !== undefined }

  /** It turned out to go elsewhere than was thought. */
  relocate (target: Target): void {
    if (target.origin !== this.exchange.origin) Object.assign(this.exchange, this.#labelled(target))
  }

  /** From here on bytes may have left. */
  begun (): void {
    if (!this.ended && this.exchange.status === undefined) Object.assign(this.exchange, { sent: true, phase: 'headers' })
  }

  /**
   * The headers of an answer. A status that is no success ends the exchange: its body would change nothing, and many never
   * read it. After a wanted upgrade the connection is somebody else's, and the exchange stays open.
   */
  answered (status: number, headers: unknown, wantsUpgrade: boolean = true): void {
    if (this.ended || (status < 200 && status !== 101)) return
    Object.assign(this.exchange, { sent: true, status, phase: 'body' })
    const plain = readHeaders(headers)
    if (this.#believesSimulated && plain['x-candor-simulated']?.[0] === 'true') this.exchange.simulated = true
    if (status === 101 && wantsUpgrade) return
    if (isGood(status)) {
      if (hasNoBody(this.exchange.method, status, plain)) this.completed()
      return
    }
    this.#locate(status, plain)
    this.exchange.failure = classifyUpstreamResponse({ status, headers: plain, body: undefined }, this.#context())
    this.exchange.endedAt = performance.now()
  }

  /** The whole answer is there. */
  completed (): void {
    const { status } = this.exchange
    if (status === undefined || status < 200 || this.exchange.abandoned === true) return
    if (!this.ended) {
      this.exchange.success = true
      this.exchange.endedAt = performance.now()
    }
    // A good answer that broke is not made whole by anything.
    if (!isGood(status) || this.exchange.success) this.exchange.complete = true
  }

  /** Nothing came back, or not the whole of it; `says` is what tells why, where the error does not. */
  failed (error: unknown, says: unknown = error): void {
    if (!this.#end(error)) return
    const evidence = readFailure(says)
    if (evidence?.proof === 'status' && this.exchange.status === undefined) Object.assign(this.exchange, { status: evidence.status, sent: true })
    // Nobody gave it up here: an abort that a dispatcher made itself has no other reason that is known.
    const isUnexplained = evidence?.outcome === UpstreamOutcome.caller_gone
    this.exchange.failure = classifyUpstreamError(isUnexplained ? undefined : says, this.#context())
  }

  /** The author ended it. */
  givenUp (error: unknown): void {
    if (this.#end(error)) this.exchange.abandoned = true
  }

  #end (error: unknown): boolean {
    if (this.exchange.success) return false
    this.exchange.error ??= error
    if (this.ended) return false
    this.exchange.endedAt = performance.now()
    return true
  }

  #locate (status: number, { location }: PlainHeaders): void {
    const { origin, path } = this.exchange
    const url = status > 399 || location === undefined ? undefined : attempt(() => new URL(location[0]!, `${origin}${path}`))
    if (url !== undefined) this.exchange.location = `${url.origin}${url.pathname}${url.search}`
  }

  #context (): ClassifyContext {
    const { upstream, phase, sent } = this.exchange
    // What a write means for the whole call is said over all its exchanges, where the call ends.
    return { effect: 'read', upstream, phase, sent, quote: false }
  }

  #labelled (target: Target): Target & Pick<Exchange, 'upstream' | 'declared'> {
    const known = this.#observer.upstreamAt(target.origin, target.path)
    this.#believesSimulated = known?.simulated === true
    return { ...target, upstream: known?.label ?? 'unlabelled', declared: known?.declared ?? false }
  }
}

function isGood (status: number): boolean {
  return (status >= 200 && status <= 299) || status === 304
}

function hasNoBody (method: string, status: number, headers: PlainHeaders): boolean {
  return method === 'HEAD' || status === 204 || status === 304 || headers['content-length']?.[0] === '0'
}
