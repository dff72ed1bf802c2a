import type { Log } from '../capability/call.js'
import { rowOf } from '../protocol/codes.js'
import type { ToolError } from '../protocol/tool-error.js'

/** How loud a failure is in the log: a caller's mistake is news, a third party's a warning, our own an error. */
export function levelOf ({ code, category, status }: ToolError): 'info' | 'warn' | 'error' {
  if (category === 'INPUT_ERROR' || category === 'NOT_FOUND') return 'info'
  const ownFault = category === 'SERVICE_ERROR' && status === 500 && rowOf(code)?.status === 500
  return ownFault || rowOf(code)?.credentials === 'tool' ? 'error' : 'warn'
}

/** Writes a failure down, once: capability, code and the real cause. The request id is the logger's own binding. Never throws. */
export function logFailure (log: Log, error: ToolError, capability?: string): void {
  const { code, message, cause, status, details: { outcome, upstream, phase } } = error
  const write = (err: unknown): void => log[levelOf(error)]({ ...(capability !== undefined && { capability }), code, status, outcome, upstream, phase, ...(cause !== undefined && { err }) }, message)
  try {
    write(asError(cause))
  } catch {
    // A cause may throw when it is looked at, here or in the logger: what became of the call must not depend on it.
    write({ type: typeof cause, message: UNSHOWN })
  }
}

const UNSHOWN = 'a value that cannot be shown'

/** pino writes the stack and the causes of an `Error` alone; what was thrown may be anything. */
function asError (cause: unknown): unknown {
  return cause instanceof Error ? cause : { type: typeof cause, message: safeText(cause) }
}

function safeText (value: unknown): string {
  try {
    return typeof value === 'object' ? JSON.stringify(value) : String(value)
  } catch {
    return UNSHOWN
  }
}
