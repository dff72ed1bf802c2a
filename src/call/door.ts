import type { Log, Principal, Progress } from '../capability/call.js'

/** What a door knows of a call: HTTP, MCP and drills open one each. */
export interface Door {
  requestId: string
  log: Log
  /** Bytes of the input as it came: above a bound only its first violation is looked for. */
  bodyBytes?: number
  principal?: Principal
  idempotencyKey?: string
  /** Less time than the capability has; more is not given. */
  timeoutMs?: number
  /** The trace the call belongs to, as it came. */
  traceparent?: string
  /** Calls back when nobody waits for the answer any more; the returned function takes it back. */
  onGone? (listener: () => void): () => void
  /** Takes how far the call has come to the caller; left out where it does not want to know. Never throws. */
  progress? (progress: Progress): void
}
