import { createRedactor, type Redactor } from '../protocol/redact.js'
import { createToolError, isToolError, withFields, type ToolError } from '../protocol/tool-error.js'
import { classifyUpstreamError, classifyUpstreamResponse, type Adapter, type ClassifyContext, type UpstreamAnswer } from './classify.js'
import { TokenError } from './delivery.js'
import { get } from './evidence.js'
import type { Exchange } from './exchange.js'
import { secretsIn } from './target.js'
import type { WireRequest } from './transport.js'
import { UpstreamOutcome } from './outcome.js'
import { verdicts } from './verdicts.js'

/** What an upstream says about the failures of its exchanges. */
export interface RecordOptions {
  readonly label: string
  readonly adapters?: readonly Adapter[]
  /** May its own words be quoted? */
  readonly quote: boolean
  readonly connectTimeoutMs?: number
  readonly redact: Redactor
}

/** The record of one exchange while it is written: it ends once, in success or in a failure that is ready to be thrown. */
export class ExchangeRecord {
  readonly exchange: Exchange
  readonly #options: RecordOptions
  readonly #request: WireRequest
  #own: Redactor | undefined

  constructor (options: RecordOptions, request: WireRequest, effect: Exchange['effect']) {
    const { origin, method, path, body } = request
    this.#options = options
    this.#request = request
    this.exchange = {
      upstream: options.label, declared: true, origin, method, path, body, effect, sent: false, phase: 'connect', complete: false, success: false, startedAt: performance.now()
    }
  }

  succeed (simulated: boolean): void {
    this.exchange.success = true
    if (simulated) this.exchange.simulated = true
    this.exchange.endedAt = performance.now()
  }

  /** Nothing came back, or not the whole of it. */
  broken (error: unknown): ToolError {
    const failure = classifyUpstreamError(error, this.#context(error))
    // That nobody waits any more is not the upstream's doing.
    if (failure.code === verdicts.caller_gone.code) this.exchange.abandoned = true
    // A source of tokens that finds fault with its request speaks of this tool's credentials, not of anybody's input.
    const blamesInput = error instanceof TokenError && failure.category === 'INPUT_ERROR'
    return this.fail(blamesInput ? this.#authFailed() : failure, error)
  }

  /** An answer that is a failure; its cause, if any, is for the log. */
  answered (answer: UpstreamAnswer, cause?: unknown, quote: boolean = this.#options.quote): ToolError {
    return this.fail(this.judge(answer, quote), cause)
  }

  /** What an answer would be as a failure. */
  judge (answer: UpstreamAnswer, quote: boolean = this.#options.quote): ToolError {
    return classifyUpstreamResponse(answer, { ...this.#context(), quote })
  }

  /** A mistake of the author's that showed only here. */
  mistaken (cause: unknown): ToolError {
    const { code, message, hint } = verdicts.own_mistake
    return this.fail(createToolError({ code, category: 'SERVICE_ERROR', status: 500, message: message(), details: { hint } }), cause)
  }

  fail (failure: ToolError, cause?: unknown): ToolError {
    this.exchange.endedAt = performance.now()
    this.exchange.error = cause
    this.exchange.failure = cause === undefined || isToolError(cause) ? failure : withFields(failure, { cause })
    return this.exchange.failure
  }

  #context (error?: unknown): ClassifyContext {
    const { label, adapters, redact } = this.#options
    const quote = this.#options.quote && !(error instanceof TokenError)
    const { sent, phase } = this.exchange
    // What a write means for the whole call is said over all its exchanges, where the call ends.
    return { effect: 'read', upstream: label, sent, phase, adapters, quote, timeoutMs: this.#budgetOf(error), redact: text => this.#withoutOwn(redact(text)) }
  }

  /** Without what this request alone knows. Made ready where something is quoted: most failures quote nothing. */
  #withoutOwn (text: string): string {
    this.#own ??= createRedactor(secretsIn(this.#request.headers))
    // An upstream that repeats its request shows where it is.
    return this.#own(text).replaceAll(new URL(this.#request.origin).host, '[address]')
  }

  /** The time that ran out, where it was one of ours. */
  #budgetOf (error: unknown): number | undefined {
    const ms = get(error instanceof TokenError ? error.cause : error, 'ms')
    if (typeof ms === 'number') return ms
    return get(error, 'code') === 'UND_ERR_CONNECT_TIMEOUT' ? this.#options.connectTimeoutMs : undefined
  }

  #authFailed (): ToolError {
    const { code, message, hint } = verdicts[UpstreamOutcome.auth_failed]
    const { label } = this.#options
    return createToolError({ code, category: 'AUTH_ERROR', message: message(`Upstream '${label}'`), details: { hint, upstream: label } })
  }
}
