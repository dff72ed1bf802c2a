import { Agent, Pool, type Dispatcher } from 'undici'
import { responseHeaders } from '../protocol/headers.js'
import { createRedactor, type Redactor } from '../protocol/redact.js'
import { withFields, type ToolError } from '../protocol/tool-error.js'
import { Auth } from './auth.js'
import { headerText, readBody, type ReadBody } from './body.js'
import { deliver, type Route } from './delivery.js'
import { Ending, type Endable } from './ending.js'
import type { Ledger } from './ledger.js'
import { DEFAULTS, type UpstreamOptions } from './options.js'
import { ExchangeRecord } from './record.js'
import { readRefusal } from './refusal.js'
import type { AcceptedResponse, RequestOptions, UpstreamClient, UpstreamResponse } from './request.js'
import { Semaphore } from './semaphore.js'
import { shapeCheck, type ShapeCheck } from './shape.js'
import { readTarget, type Target } from './target.js'
import { createGuard, guardedConnector } from './target-guard.js'
import type { WireRequest, WireResponse } from './transport.js'
import { wireRequest } from './wire-request.js'

/** What the client needs to know of the call that uses it, and where it writes its evidence. */
export interface UpstreamCall extends Endable {
  readonly ledger: Pick<Ledger, 'record'>
  /** The declared error that a status was mapped to. */
  declaredError (code: string, details: Readonly<Record<string, string>>): ToolError
  /** The trace this call belongs to, passed on to the upstream. */
  readonly traceparent?: string
}

/** One declared upstream with its connections, for the life of the service. */
export class Upstream {
  readonly label: string
  readonly target: Target
  readonly simulated: boolean
  readonly #options: UpstreamOptions
  readonly #redact: Redactor
  /** What `close` ends. */
  readonly #own: Dispatcher | undefined
  readonly #timeoutMs: number
  readonly #route: Route
  #diverted: ReadonlyArray<{ dispatcher: Dispatcher, timeoutMs: number | undefined }> = []

  constructor (label: string, options: UpstreamOptions) {
    const { timeoutMs = DEFAULTS.timeoutMs, maxBytes = DEFAULTS.maxBytes, headersTimeoutMs, auth, maxConcurrent, simulated = false } = options
    this.label = label
    this.target = readTarget(options)
    this.simulated = simulated
    this.#options = options
    this.#timeoutMs = timeoutMs
    this.#redact = createRedactor(this.target.secrets)
    this.#own = options.dispatcher === undefined ? createDispatcher(this.target, options) : undefined
    this.#route = {
      dispatcher: options.dispatcher ?? this.#own!,
      limits: { maxBytes, headersTimeoutMs },
      auth: auth && new Auth(auth),
      semaphore: maxConcurrent === undefined ? undefined : new Semaphore(maxConcurrent)
    }
  }

  /** The methods of this upstream, for one call. */
  clientFor (call: UpstreamCall): UpstreamClient {
    const method = (name: string) => (path: string, options: RequestOptions = {}): Promise<never> => {
      const request = this.#request(call, name, path, options) as Promise<never>
      // A forgotten `await` may not end the process; whoever waits for it is told all the same.
      request.catch(() => {})
      return request
    }
    return { get: method('GET'), post: method('POST'), put: method('PUT'), patch: method('PATCH'), delete: method('DELETE') }
  }

  /** Takes this upstream's secrets and tokens out of a text. */
  redact (text: string): string {
    const clean = this.#redact(text)
    return this.#route.auth?.redact(clean) ?? clean
  }

  /**
   * For tests: sends everything through another dispatcher, in less time if asked to. The returned function takes it back.
   * Label, origin and secrets stay as they are, so that the evidence looks as it would in production.
   */
  divert (dispatcher: Dispatcher, timeoutMs?: number): () => void {
    const layer = { dispatcher, timeoutMs }
    this.#diverted = [...this.#diverted, layer]
    return () => { this.#diverted = this.#diverted.filter(one => one !== layer) }
  }

  /** The dispatcher that was diverted to last, else the real one. */
  get #current (): { route: Route, timeoutMs: number } {
    const layer = this.#diverted.at(-1)
    if (layer === undefined) return { route: this.#route, timeoutMs: this.#timeoutMs }
    const timeoutMs = this.#diverted.findLast(one => one.timeoutMs !== undefined)?.timeoutMs ?? this.#timeoutMs
    return { route: { ...this.#route, dispatcher: layer.dispatcher }, timeoutMs }
  }

  /** Ends all connections; a dispatcher of the author's is theirs to close. */
  async close (): Promise<void> {
    await this.#own?.destroy()
  }

  async #request (call: UpstreamCall, method: string, path: string, options: RequestOptions): Promise<AcceptedResponse<unknown>> {
    const check = options.schema && shapeCheck(options.schema)
    const request = wireRequest(this.target, method, path, options, call.traceparent)
    const record = this.#begin(call, request, options.safe ?? method === 'GET')
    const accepts = (status: number): boolean => options.acceptStatus?.includes(status) === true
    const response = await this.#deliver(call, request, record, accepts)
    const { status, headers, cut } = response
    const ok = status >= 200 && status <= 299
    if (!ok && !accepts(status)) throw await this.#refused(call, record, response, options)
    if (cut !== undefined) throw record.broken(cut)
    const read = await this.#read(response, options)
    const data = ok ? this.#checked(record, response, read, check) : 'data' in read ? read.data : read.text
    record.exchange.complete = true
    record.succeed(this.simulated && headerText(headers, responseHeaders.simulated) === 'true')
    return { status, headers, data, ok }
  }

  #begin (call: UpstreamCall, request: WireRequest, safe: boolean): ExchangeRecord {
    const { adapters, dispatcher, connectTimeoutMs = DEFAULTS.connectTimeoutMs } = this.#options
    const options = { label: this.label, adapters, quote: !this.target.open, connectTimeoutMs: dispatcher === undefined ? connectTimeoutMs : undefined, redact: (text: string) => this.redact(text) }
    const record = new ExchangeRecord(options, request, safe ? 'read' : 'write')
    call.ledger.record(record.exchange)
    return record
  }

  async #deliver (call: UpstreamCall, request: WireRequest, record: ExchangeRecord, accepts: (status: number) => boolean): Promise<WireResponse> {
    const { route, timeoutMs } = this.#current
    const ending = new Ending(timeoutMs, call)
    const delivery = { progress: record.exchange, ending, isRead: record.exchange.effect === 'read', accepts }
    return await deliver(route, request, delivery)
      .catch((error: unknown) => { throw record.broken(error) })
      .finally(() => ending.clear())
  }

  async #read (response: WireResponse, { headers = {} }: RequestOptions): Promise<ReadBody> {
    return await readBody(response, headers, this.#route.limits.maxBytes)
  }

  /** The data of a 2xx that is what was asked for; throws the failure of one that is not. */
  #checked (record: ExchangeRecord, { status, headers, body }: WireResponse, read: ReadBody, check: ShapeCheck | undefined): unknown {
    const notAsAsked = (problem: Error): ToolError => record.answered({ status, headers, body }, problem, false)
    if ('problem' in read) throw 'code' in read.problem ? record.broken(read.problem) : notAsAsked(read.problem)
    const { data } = read
    this.#rejectRefusal(record, { status, headers, data })
    // Complete JSON of a wrong shape under a 2xx is a 2xx all the same: what was asked for was carried out.
    record.exchange.complete = true
    const problem = check?.(data)
    if (problem !== undefined) throw notAsAsked(new Error(problem))
    return data
  }

  #rejectRefusal (record: ExchangeRecord, response: UpstreamResponse<unknown>): void {
    let refusal
    try {
      refusal = readRefusal(this.#options.refusal, response)
    } catch (error) {
      // Whether the provider said no stays open.
      throw record.mistaken(error)
    }
    if (refusal === undefined) return
    record.exchange.complete = true
    record.exchange.refusedAs = refusal.countsAs
    const { status, headers, data } = response
    const failure = refusal.error ?? record.judge({ status: refusal.countsAs, headers, body: data })
    throw record.fail(withFields(failure, { message: this.redact(failure.message), details: { ...failure.details, upstream: this.label, upstream_status: status } }))
  }

  /** An answer that is a failure: one of the capability's declared errors where its status is mapped, else classified. */
  async #refused (call: UpstreamCall, record: ExchangeRecord, response: WireResponse, options: RequestOptions): Promise<ToolError> {
    const { status, headers, cut } = response
    const read = cut === undefined ? await this.#read(response, options) : { text: '' }
    record.exchange.complete = cut === undefined
    const answer = { status, headers, body: 'data' in read ? read.data : read.text }
    const code = options.errors?.[status]
    if (code === undefined) return record.answered(answer, cut)
    const failure = record.judge(answer)
    // The author's hint knows what was asked for; ours knows the status alone.
    const { hint: _, ...evidence } = failure.details
    try {
      const declared = call.declaredError(code, evidence)
      return record.fail(declared.retryable ? withFields(declared, { retryAfterMs: declared.retryAfterMs ?? failure.retryAfterMs }) : declared, cut)
    } catch (error) {
      return record.mistaken(error)
    }
  }
}

function createDispatcher ({ origin }: Target, { connectTimeoutMs: timeout = DEFAULTS.connectTimeoutMs, allowTarget }: UpstreamOptions): Dispatcher {
  if (allowTarget !== undefined) return new Agent({ connect: guardedConnector(timeout, createGuard(allowTarget === true ? [] : allowTarget)) })
  // No limit on connections: a full pool makes requests in another caller's context.
  return new Pool(origin!, { connect: { timeout } })
}
