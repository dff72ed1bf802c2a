import type { Log } from '../capability/call.js'
import { rowOf } from '../protocol/codes.js'
import type { Objection } from '../policy/honesty.js'
import type { ToolError } from '../protocol/tool-error.js'
import type { Exchange } from '../upstream/exchange.js'

/** How loud a failure is in the log: a caller's mistake is news, a third party's a warning, our own an error. */
export function levelOf ({ code, category, status }: ToolError): 'info' | 'warn' | 'error' {
  if (category === 'INPUT_ERROR' || category === 'NOT_FOUND') return 'info'
  const ownFault = category === 'SERVICE_ERROR' && status === 500 && rowOf(code)?.status === 500
  return ownFault || rowOf(code)?.credentials === 'tool' ? 'error' : 'warn'
}

/** Writes a failure down, once: capability, code and the real cause. The request id is the logger's own binding. Never throws. */
export function logFailure (log: Log, error: ToolError, capability?: string): void {
  write(log, levelOf(error), error, error.message, capability === undefined ? {} : { capability })
}

/** Writes down, once, that a success was refused: the rule, and which line of evidence contradicted the claim. */
export function logRefusal (log: Log, { rule, exchange }: Objection, error: ToolError, capability?: string): void {
  write(log, 'error', error, `A success was refused by ${rule}: ${error.message}`, { ...(capability !== undefined && { capability }), rule, evidence: exchange && evidenceOf(exchange) })
}

/** Writes down that a success was claimed in spite of something. */
export function logObjection (log: Log, { rule, exchange, error }: Objection, capability?: string): void {
  write(log, 'warn', error, `A success was claimed in spite of ${rule}: ${error.message}`, { ...(capability !== undefined && { capability }), rule, evidence: exchange && evidenceOf(exchange) })
}

/** One exchange, for the log. Without its query, where keys may stand. */
function evidenceOf ({ upstream, origin, method, path, status, phase, sent, endedAt, startedAt }: Exchange): object {
  return { upstream, method, url: `${origin}${path.split('?', 1)[0]}`, status, phase, sent, ...(endedAt !== undefined && { ms: Math.round(endedAt - startedAt) }) }
}

function write (log: Log, level: 'info' | 'warn' | 'error', { code, status, cause, details: { outcome, upstream, phase } }: ToolError, message: string, fields: Record<string, unknown>): void {
  if (!isWritten(log, level)) return
  fields.code = code
  fields.status = status
  fields.outcome = outcome
  fields.upstream = upstream
  fields.phase = phase
  try {
    if (cause !== undefined) fields.err = asError(cause)
    log[level](fields, message)
  } catch {
    // A cause may throw when it is looked at, here or in the logger: what became of the call must not depend on it.
    fields.err = { type: typeof cause, message: UNSHOWN }
    log[level](fields, message)
  }
}

/** Are lines of this level written at all? pino knows. */
function isWritten (log: Log & { isLevelEnabled?: (level: string) => boolean }, level: string): boolean {
  return log.isLevelEnabled?.(level) !== false
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
