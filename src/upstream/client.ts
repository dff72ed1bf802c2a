import { Pool } from 'undici'
import { responseHeaders } from '../protocol/headers.js'
import type { Redactor } from '../protocol/redact.js'
import { isToolError, withFields, type ToolError } from '../protocol/tool-error.js'
import { headerText, readBody } from './body.js'
import { classifyUpstreamError, classifyUpstreamResponse, type ClassifyContext } from './classify.js'
import type { Exchange } from './exchange.js'
import { DEFAULTS, type UpstreamOptions } from './options.js'
import type { RequestOptions, UpstreamClient, UpstreamResponse } from './request.js'
import { shapeProblem } from './shape.js'
import { readTarget, type Target } from './target.js'
import { send, type WireRequest, type WireResponse } from './transport.js'
import { wireRequest } from './wire-request.js'

/** What the client needs to know of the call that uses it, and where it writes its evidence. */
export interface UpstreamCall {
  readonly exchanges: Exchange[]
  /** Why the call ended early, if it did: nothing is sent any more. */
  readonly endReason: Error | undefined
  /** Calls back when the call ends early; the returned function takes it back. */
  onEnd (listener: (reason: Error) => void): () => void
  /** The declared error that a status was mapped to. */
  declaredError (code: string, details: Readonly<Record<string, string>>): ToolError
}

/** One declared upstream with its connections, for the life of the service. */
export class Upstream {
  readonly label: string
  readonly target: Target
  readonly simulated: boolean
  readonly #limits: { timeoutMs: number, maxBytes: number }
  readonly #redact: Redactor
  readonly #pool: Pool

  constructor (label: string, options: UpstreamOptions, redact: Redactor) {
    this.label = label
    this.target = readTarget(options)
    this.simulated = options.simulated ?? false
    this.#limits = { timeoutMs: options.timeoutMs ?? DEFAULTS.timeoutMs, maxBytes: options.maxBytes ?? DEFAULTS.maxBytes }
    this.#redact = redact
    // No limit on connections: a full pool makes requests in another caller's context.
    this.#pool = new Pool(this.target.origin, { connect: { timeout: options.connectTimeoutMs ?? DEFAULTS.connectTimeoutMs } })
  }

  /** The methods of this upstream, for one call. */
  clientFor (call: UpstreamCall): UpstreamClient {
    const method = (name: string) => async (path: string, options: RequestOptions = {}): Promise<never> =>
      await this.#request(call, name, path, options) as never
    return { get: method('GET'), post: method('POST'), put: method('PUT'), patch: method('PATCH'), delete: method('DELETE') }
  }

  async close (): Promise<void> {
    await this.#pool.destroy()
  }

  async #request (call: UpstreamCall, method: string, path: string, options: RequestOptions): Promise<UpstreamResponse<unknown> & { ok: boolean }> {
    const request = wireRequest(this.target, method, path, options, this.#limits)
    const exchange = this.#begin(call, request, options.safe)
    const response = await this.#send(call, request, exchange)
    const { status, headers } = response
    const ok = status >= 200 && status <= 299
    if (!ok && options.acceptStatus?.includes(status) !== true) throw await this.#refused(call, exchange, response, options)
    const read = await readBody(response, options.headers, this.#limits.maxBytes)
    const problem = !ok ? undefined : 'problem' in read ? read.problem : options.schema && shapeProblem(options.schema, read.data)
    // Complete JSON of a wrong shape under a 2xx is a 2xx all the same: what was asked for was carried out.
    exchange.complete = !('problem' in read)
    if (problem !== undefined) throw this.#failed(exchange, classifyUpstreamResponse({ status, headers: {} }, this.#contextOf(exchange)), new Error(problem))
    this.#succeed(exchange, headers)
    return { status, headers, data: 'problem' in read ? read.text : read.data, ok }
  }

  async #send (call: UpstreamCall, request: WireRequest, exchange: Exchange): Promise<WireResponse> {
    try {
      if (call.endReason !== undefined) throw call.endReason
      const running = send(this.#pool, request, exchange)
      return await running.response.finally(call.onEnd(running.cancel))
    } catch (error) {
      throw this.#failed(exchange, classifyUpstreamError(error, this.#contextOf(exchange)), error)
    }
  }

  /** An answer that is a failure: one of the capability's declared errors where its status is mapped, else classified. */
  async #refused (call: UpstreamCall, exchange: Exchange, response: WireResponse, { errors, headers }: RequestOptions): Promise<ToolError> {
    const read = await readBody(response, headers, this.#limits.maxBytes)
    exchange.complete = true
    const failure = classifyUpstreamResponse({ ...response, body: 'problem' in read ? read.text : read.data }, this.#contextOf(exchange))
    const code = errors?.[response.status]
    if (code === undefined) return this.#failed(exchange, failure)
    // The author's hint knows what was asked for; ours knows the status alone.
    const { hint: _, ...evidence } = failure.details
    return this.#failed(exchange, call.declaredError(code, evidence))
  }

  #begin (call: UpstreamCall, { origin, method, path }: WireRequest, safe = method === 'GET'): Exchange {
    const exchange: Exchange = {
      upstream: this.label, declared: true, origin, method, path, effect: safe ? 'read' : 'write', sent: false, phase: 'connect', complete: false, success: false, startedAt: performance.now()
    }
    call.exchanges.push(exchange)
    return exchange
  }

  #contextOf ({ sent, phase }: Exchange): ClassifyContext {
    // What a write means for the whole call is said over all its exchanges, where the call ends.
    return { effect: 'read', upstream: this.label, sent, phase, timeoutMs: this.#limits.timeoutMs, redact: this.#redact }
  }

  #succeed (exchange: Exchange, headers: WireResponse['headers']): void {
    exchange.success = true
    exchange.endedAt = performance.now()
    if (this.simulated && headerText(headers, responseHeaders.simulated) === 'true') exchange.simulated = true
  }

  #failed (exchange: Exchange, failure: ToolError, cause?: unknown): ToolError {
    exchange.endedAt = performance.now()
    exchange.error = cause
    exchange.failure = cause === undefined || isToolError(cause) ? failure : withFields(failure, { cause })
    return exchange.failure
  }
}
