import type { Log, Principal } from '../capability/call.js'
import type { Capability } from '../capability/define.js'
import type { Meta } from '../protocol/envelope.js'
import type { ToolError } from '../protocol/tool-error.js'
import type { Ledger } from '../upstream/ledger.js'
import type { Declarations } from '../policy/honesty.js'
import type { Deadline } from './deadline.js'
import type { ProgressReports } from './progress.js'
import type { SensitiveInput } from './sensitive.js'

/** What is known of a call while it runs: the evidence, and what its handler declared. */
export interface CallState {
  readonly capability: Capability
  readonly requestId: string
  readonly log: Log
  readonly principal: Principal | undefined
  readonly idempotencyKey: string | undefined
  readonly traceparent: string | undefined
  readonly deadline: Deadline
  readonly ledger: Ledger
  readonly progress: ProgressReports
  /** Declared errors that were made, and neither thrown out of `call.try` nor given to `call.partial`. */
  readonly made: Set<ToolError>
  /** What the handler said of its success, as it is sent. */
  readonly declared: Meta
  /** The same, as it is judged. */
  readonly said: Declarations
  /** What of its input is never logged or echoed. */
  readonly sensitive?: SensitiveInput
  /** It waits for its turn: the handler has not begun. */
  queued?: boolean
  /** Its handler is at work. */
  running?: boolean
  /** It was answered. */
  over: boolean
}
