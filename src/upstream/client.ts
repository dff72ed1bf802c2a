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
import { ExchangeRecord, type RecordOptions } from './record.js'
import { readRefusal, type RefusalReader } from './refusal.js'
import type { AcceptedResponse, RequestOptions, UpstreamClient, UpstreamMethod, UpstreamResponse } from './request.js'
import { Semaphore } from './semaphore.js'
import { shapeCheck, type ShapeCheck } from './shape.js'
import { readTarget, type Target } from './target.js'
import { createGuard, guardedConnector } from './target-guard.js'
import type { WireResponse } from './transport.js'
import { wireRequest } from './wire-request.js'

/** What the client needs to know of the call that uses it, and where it writes its evidence. */
export interface UpstreamCall extends Endable {
  readonly ledger: Pick<Ledger, 'record'>
  /** The declared error that a status was mapped to. */
  declaredError (code: string, details: Readonly<Record<string, string>>): ToolError
  /** The trace this call belongs to, passed on to the upstream. */
  readonly traceparent?: string
}

type Answer = AcceptedResponse<unknown>

/** One request of a call, and where it is written down. */
interface Asked {
  readonly call: UpstreamCall
  readonly options: RequestOptions
  readonly record: ExchangeRecord
  readonly check: ShapeCheck | undefined
}

/** Where requests go at the moment, and in how much time. */
interface Way { readonly route: Route, readonly timeoutMs: number }

/** One declared upstream with its connections, for the life of the service. */
export class Upstream {
  readonly label: string
  readonly target: Target
  readonly simulated: boolean
  readonly #refusal: RefusalReader | undefined
  readonly #redact: Redactor
  readonly #recordOptions: RecordOptions
  /** What `close` ends. */
  readonly #own: Dispatcher | undefined
  readonly #way: Way
  #diverted: ReadonlyArray<{ dispatcher: Dispatcher, timeoutMs: number | undefined }> = []

  constructor (label: string, options: UpstreamOptions) {
    const { timeoutMs = DEFAULTS.timeoutMs, maxBytes = DEFAULTS.maxBytes, connectTimeoutMs = DEFAULTS.connectTimeoutMs, headersTimeoutMs, auth, maxConcurrent, simulated = false, dispatcher, adapters } = options
    this.label = label
    this.target = readTarget(options)
    this.simulated = simulated
    this.#refusal = options.refusal
    this.#redact = createRedactor(this.target.secrets)
    this.#recordOptions = { label, adapters, quote: !this.target.open, connectTimeoutMs: dispatcher === undefined ? connectTimeoutMs : undefined, redact: text => this.redact(text) }
    this.#own = dispatcher === undefined ? createDispatcher(this.target, options) : undefined
    const route: Route = {
      dispatcher: dispatcher ?? this.#own!,
      limits: { maxBytes, headersTimeoutMs },
      auth: auth && new Auth(auth),
      semaphore: maxConcurrent === undefined ? undefined : new Semaphore(maxConcurrent)
    }
    this.#way = { route, timeoutMs }
  }

  /** The methods of this upstream, for one call. */
  clientFor (call: UpstreamCall): UpstreamClient {
    return new CallClient((method, path, options) => this.#request(call, method, path, options))
  }

  /** Takes this upstream's secrets and tokens out of a text. */
  redact (text: string): string {
    const clean = this.#redact(text)
    return this.#way.route.auth?.redact(clean) ?? clean
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
  get #current (): Way {
    const layer = this.#diverted.at(-1)
    if (layer === undefined) return this.#way
    const timeoutMs = this.#diverted.findLast(one => one.timeoutMs !== undefined)?.timeoutMs ?? this.#way.timeoutMs
    return { route: { ...this.#way.route, dispatcher: layer.dispatcher }, timeoutMs }
  }

  /** Ends all connections; a dispatcher of the author's is theirs to close. */
  async close (): Promise<void> {
    await this.#own?.destroy()
  }

  #request (call: UpstreamCall, method: string, path: string, options: RequestOptions): Promise<Answer> {
    let answer: Promise<Answer>
    try {
      answer = this.#send(call, method, path, options)
    } catch (error) {
      answer = Promise.reject(error)
    }
    // A forgotten `await` may not end the process; whoever waits for it is told all the same.
    answer.catch(ignore)
    return answer
  }

  #send (call: UpstreamCall, method: string, path: string, options: RequestOptions): Promise<Answer> {
    const check = options.schema && shapeCheck(options.schema)
    const request = wireRequest(this.target, method, path, options, call.traceparent)
    const isRead = options.safe ?? method === 'GET'
    const record = new ExchangeRecord(this.#recordOptions, request, isRead ? 'read' : 'write')
    call.ledger.record(record.exchange)
    const { route, timeoutMs } = this.#current
    const ending = new Ending(timeoutMs, call)
    const delivery = { progress: record.exchange, ending, isRead, accepts: (status: number) => isAccepted(status, options) }
    return deliver(route, request, delivery).then(response => {
      ending.clear()
      return this.#read({ call, options, record, check }, response)
    }, (error: unknown) => {
      ending.clear()
      throw record.broken(error)
    })
  }

  #read (asked: Asked, response: WireResponse): Answer | Promise<Answer> {
    if (response.cut !== undefined) return this.#judge(asked, response, { problem: response.cut, text: '' })
    const read = readBody(response, asked.options.headers, this.#way.route.limits.maxBytes)
    return read instanceof Promise ? read.then(read => this.#judge(asked, response, read)) : this.#judge(asked, response, read)
  }

  #judge (asked: Asked, response: WireResponse, read: ReadBody): Answer {
    const { record, check, options } = asked
    const { status, headers, cut } = response
    const ok = status >= 200 && status <= 299
    if (!ok && !isAccepted(status, options)) throw this.#refused(asked, response, read)
    if (cut !== undefined) throw record.broken(cut)
    const data = ok ? this.#checked(record, response, read, check) : 'data' in read ? read.data : read.text
    record.exchange.complete = true
    record.succeed(this.simulated && headerText(headers, responseHeaders.simulated) === 'true')
    return { status, headers, data, ok }
  }

  /** The data of a 2xx that is what was asked for; throws the failure of one that is not. */
  #checked (record: ExchangeRecord, { status, headers, body }: WireResponse, read: ReadBody, check: ShapeCheck | undefined): unknown {
    const notAsAsked = (problem: Error): ToolError => record.answered({ status, headers, body }, problem, false)
    if ('problem' in read) throw 'code' in read.problem ? record.broken(read.problem) : notAsAsked(read.problem)
    const { data } = read
    if (this.#refusal !== undefined) this.#rejectRefusal(record, this.#refusal, { status, headers, data })
    // Complete JSON of a wrong shape under a 2xx is a 2xx all the same: what was asked for was carried out.
    record.exchange.complete = true
    const problem = check?.(data)
    if (problem !== undefined) throw notAsAsked(new Error(problem))
    return data
  }

  #rejectRefusal (record: ExchangeRecord, reader: RefusalReader, response: UpstreamResponse<unknown>): void {
    let refusal
    try {
      refusal = readRefusal(reader, response)
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
  #refused ({ call, record, options }: Asked, { status, headers, cut }: WireResponse, read: ReadBody): ToolError {
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

/**
 * Each method is made when it is asked for: most calls use one. As properties of their own, so that they may be taken out:
 * `const { get } = call.upstream('bank')`.
 */
class CallClient implements UpstreamClient {
  readonly #request: (method: string, path: string, options: RequestOptions) => Promise<Answer>

  constructor (request: (method: string, path: string, options: RequestOptions) => Promise<Answer>) {
    this.#request = request
  }

  get get (): UpstreamMethod { return this.#method('GET') }
  get post (): UpstreamMethod { return this.#method('POST') }
  get put (): UpstreamMethod { return this.#method('PUT') }
  get patch (): UpstreamMethod { return this.#method('PATCH') }
  get delete (): UpstreamMethod { return this.#method('DELETE') }

  #method (name: string): UpstreamMethod {
    return (path: string, options: RequestOptions = {}) => this.#request(name, path, options) as Promise<never>
  }
}

function ignore (): void {}

/** Is an answer of this status one that the author asked for? */
function isAccepted (status: number, { acceptStatus }: RequestOptions): boolean {
  return acceptStatus?.includes(status) === true
}

function createDispatcher ({ origin }: Target, { connectTimeoutMs: timeout = DEFAULTS.connectTimeoutMs, allowTarget }: UpstreamOptions): Dispatcher {
  if (allowTarget !== undefined) return new Agent({ connect: guardedConnector(timeout, createGuard(allowTarget === true ? [] : allowTarget)) })
  // No limit on connections: a full pool makes requests in another caller's context.
  return new Pool(origin!, { connect: { timeout } })
}
