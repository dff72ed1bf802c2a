import type { Log, Principal } from '../capability/call.js'
import type { Capability } from '../capability/define.js'
import { noDeclarations, nothingSaid, type Declarations } from '../policy/honesty.js'
import type { Meta } from '../protocol/envelope.js'
import type { ToolError } from '../protocol/tool-error.js'
import { Ledger } from '../upstream/ledger.js'
import { Deadline } from './deadline.js'
import { ProgressReports } from './progress.js'
import type { Door } from './door.js'
import type { SensitiveInput } from './sensitive.js'
import type { CallState } from './state.js'

/** The state of a call from its beginning on. What most calls never need is made when it is first asked for. */
export class RunningCall implements CallState {
  readonly capability: Capability
  readonly requestId: string
  readonly log: Log
  readonly principal: Principal | undefined
  readonly idempotencyKey: string | undefined
  readonly traceparent: string | undefined
  readonly ledger = new Ledger()
  readonly deadline: Deadline
  readonly sensitive: SensitiveInput | undefined
  queued = false
  running = false
  over = false
  readonly #send: Door['progress']
  #progress: ProgressReports | undefined
  #made: Set<ToolError> | undefined
  #declared: Meta | undefined
  #said: Declarations | undefined

  constructor (capability: Capability, { requestId, log, principal, idempotencyKey, timeoutMs, traceparent, progress }: Door, sensitive: SensitiveInput | undefined, startedAt = performance.now()) {
    this.capability = capability
    this.requestId = requestId
    this.log = log
    this.principal = principal
    this.idempotencyKey = idempotencyKey
    this.traceparent = traceparent
    this.sensitive = sensitive
    this.#send = progress
    const { ledger } = this
    this.deadline = new Deadline(capability.timeoutMs, timeoutMs === undefined ? undefined : { ms: timeoutMs, holds: () => !ledger.exchanges.some(({ effect }) => effect === 'write') }, startedAt)
  }

  get progress (): ProgressReports {
    this.#progress ??= new ProgressReports(this.over ? undefined : this.#send, this.sensitive?.redact)
    return this.#progress
  }

  get made (): Set<ToolError> {
    this.#made ??= new Set()
    return this.#made
  }

  get declared (): Meta {
    this.#declared ??= {}
    return this.#declared
  }

  get said (): Declarations {
    this.#said ??= noDeclarations()
    return this.#said
  }

  /** To read: most handlers say nothing. */
  get saidSoFar (): Declarations { return this.#said ?? nothingSaid }

  /** The last error that was made and neither thrown out of `call.try` nor given to `call.partial`. */
  get lastMade (): ToolError | undefined { return this.#made === undefined ? undefined : [...this.#made].at(-1) }
  /** Did the handler say nothing of its answer? */
  get isSilent (): boolean { return this.#declared === undefined || Object.keys(this.#declared).length === 0 }

  /** It is answered: nothing is sent for it any more, and nobody is told of it. */
  end (): void {
    this.deadline.clear()
    this.#progress?.end()
    this.ledger.close()
    this.over = true
  }
}
