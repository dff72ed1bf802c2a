import type { DetailValue, ToolError } from '../protocol/tool-error.js'
import type { UpstreamClient } from '../upstream/request.js'

export type Awaitable<T> = T | Promise<T>

/** The part of a pino logger that a handler needs. */
export interface Log {
  debug: LogLine
  info: LogLine
  warn: LogLine
  error: LogLine
}
interface LogLine {
  (fields: object, message?: string): void
  (message: string): void
}

/** How far a call has come. */
export interface Progress {
  /** In a unit of the handler's own; each report has to name more than the one before. */
  done: number
  /** In the same unit, where it is known. */
  total?: number
  /** One line. */
  message?: string
}

/** Who calls, as the service's authentication found out. */
export interface Principal {
  /** Stable over token refresh, and never the token. */
  readonly id: string
  readonly scopes: readonly string[]
  readonly claims: Readonly<Record<string, unknown>>
}

/** What a declared error carries beside its declaration. */
export interface ErrorOptions {
  /** One line: what failed and what is true instead. @default the declaration's description */
  message?: string
  details?: Readonly<Record<string, DetailValue>>
  /** How long to wait before the same call, in milliseconds. */
  retryAfterMs?: number
}

export type Tried<T> = { ok: true, data: T } | { ok: false, error: ToolError }

/**
 * One call, as its handler sees it. `Codes` are the declared errors, `Labels` the declared upstreams: anything else does not compile.
 * `upstream` and `error` are properties, not methods: methods would be checked bivariantly, and a typo would pass.
 */
export interface Call<Codes extends string = string, Labels extends string = string> {
  /** Fires on the call's deadline and when the caller is gone. Made on first use. */
  readonly signal: AbortSignal
  /** Milliseconds until the deadline, never below 0. */
  remainingMs (): number
  readonly log: Log
  readonly requestId: string
  readonly principal: Principal | undefined
  /** The caller's `Idempotency-Key` header, as it came: for an upstream that looks for one. No answer is kept under it here. */
  readonly idempotencyKey: string | undefined
  readonly upstream: (label: Labels) => UpstreamClient<Codes>
  /** Makes one of the declared errors, to be thrown. Made and not thrown, it still turns a success into that error. */
  readonly error: (code: Codes, options?: ErrorOptions) => ToolError
  /** Runs `fn`; what it throws comes back classified instead of ending the call. */
  try<T> (fn: () => Awaitable<T>): Promise<Tried<T>>
  /** Declares that one source is missing from the answer: `meta.partial`. Its failures are accounted for. */
  partial (missing: { source: Labels, error: ToolError }): void
  /** Declares that the data was kept from before: `meta.cached` and `meta.as_of`. Failures of the source are accounted for. */
  cached (kept: { source: Labels, asOf: Date | string }): void
  /** Declares that another source than the first answered: `meta.fallback`. Failures of `from` are accounted for if `to` did answer. */
  fallback (change: { from: Labels, to: Labels }): void
  /** Declares that nothing was found, and what was searched: `meta.empty`. */
  empty (search: { searched: string, candidates?: number, widen?: string }): void
  /** Declares that the answer follows from the input alone, so that no upstream had to be asked. */
  derived (reason: string): void
  /** Declares that a failure of this source takes nothing from the answer, and why; `unlabelled` for hosts that are not configured. */
  expected (failure: { source: Labels | 'unlabelled', reason: string }): void
  /** Tells the caller how far the call has come, where it asked to hear of it: over MCP with a progress token. Else it does nothing. */
  progress (reached: Progress): void
  /** Reports what no HTTP client shows, a database or a queue: it counts as an exchange, `effect` being `read` unless said. */
  observe (observation: Observation): void
}

/** What came of asking a source that speaks no HTTP. */
export interface Observation {
  /** A name for it; a label of an upstream or any other word. */
  source: string
  ok: boolean
  /** @default 'read' */
  effect?: 'read' | 'write'
  /** Of a failure: what the client threw. */
  error?: unknown
}
