import { httpStatusForCategory } from '../protocol/category.js'
import { readEnvelope, type ReadError, type Reading } from '../protocol/envelope.js'
import { isTransientStatus, nextAction } from '../protocol/next-action.js'
import type { HeadersLike } from '../protocol/retry-after.js'
import { advisedWait, backoff } from './wait.js'

/** What came back from one attempt. Nothing at all means: no response. */
export interface Attempt {
  /** The HTTP status. Left out over MCP, where the status of the error's category stands in. */
  status?: number
  /** The body, parsed where it is JSON; over MCP the result's `structuredContent`. */
  body?: unknown
  headers?: HeadersLike
}

/** How far a caller goes for one step. */
export interface Limits {
  /** Requests of one step, corrected ones included. @default 3 */
  maxAttempts: number
  /** Corrected inputs of one step. @default 2 */
  maxCorrections: number
  /** The first wait where the answer advises none, in milliseconds; doubled each time. @default 500 */
  firstWaitMs: number
  /** The longest wait, in milliseconds. A tool that asks for more is not asked again. @default 60000 */
  maxWaitMs: number
}

/** What the caller knows beside the answer. */
export interface Caller {
  /** From the discovery. What is not known to be a read is a write. */
  effect?: 'read' | 'write'
  /** From the discovery: a write that may be repeated without a second effect. @default false */
  idempotent?: boolean
  /** Was the request sent under an idempotency key, to a tool that looks for it? A candor service hands keys to its handlers and keeps none. @default false */
  keyed?: boolean
  /** Must the input stay as it is, because a person approved it or the plan is bound to it? @default false */
  inputProtected?: boolean
  /** Requests sent for this step, the one just answered included. */
  attempts: number
  /** How many of them had a corrected input. @default 0 */
  corrections?: number
  limits?: Partial<Limits>
}

/** What does not follow from the arguments alone: give both in a test. */
export interface Chance { random?: () => number, nowMs?: number }

/** What is left to do about a step that is not sent again. */
export type Aftermath = 'query_status' | 'escalate' | 'fix_credentials'

/** What to do after an attempt; `why` is for people. */
export type Decision =
  /** It succeeded, or its status says so: what a body that is no envelope is worth, the caller has to see. With `next`: it was accepted, ask how it ended. */
  | { action: 'done', next?: 'query_status', why: string }
  /** It failed inside a 2xx: a failure to be told, and never sent again. */
  | { action: 'report_failure', next?: Aftermath, why: string }
  /** Send the same input again after the wait. */
  | { action: 'resend', waitMs: number, why: string }
  /** Send a corrected input, never this one, after the wait. */
  | { action: 'correct', waitMs: number, why: string }
  /** Do not send this step again. With `waitMs`: the wait that was asked for, longer than this caller waits. */
  | { action: 'stop', next?: Aftermath, waitMs?: number, why: string }

const DEFAULTS: Limits = { maxAttempts: 3, maxCorrections: 2, firstWaitMs: 500, maxWaitMs: 60_000 }
const NEVER_AGAIN = new Set([401, 403, 405])

/**
 * What an agent does after an attempt: the routing order of the protocol, the first rule that holds.
 * Pure, if `chance` is given. Never throws: a body that is no envelope has said nothing, and nothing is guessed from it.
 */
export function decide (attempt: Attempt, caller: Caller, chance: Chance = {}): Decision {
  const reading = readEnvelope(attempt.body)
  const error: ReadError = reading.success === false ? reading.error : { details: {} }
  const status = attempt.status ?? statusInPlace(attempt.body, reading)
  if (status !== undefined && status >= 200 && status <= 299) return succeeded(reading, error, status)
  if (reading.retryable === false) return { action: 'stop', ...next(error, status), why: 'The tool refuses another attempt.' }
  if (status !== undefined && NEVER_AGAIN.has(status)) return { action: 'stop', ...next(error, status), why: `${status} is not cured by another attempt.` }

  const limits = { ...DEFAULTS, ...caller.limits }
  const transient = status === undefined || (isTransientStatus(status) && status <= 599)
  // A write without a word on its outcome may have been carried out.
  const left = next(error, status, transient && caller.effect !== 'read' ? 'unknown' : undefined)
  const barred = transient ? barsResend(caller, error) : barsCorrection(caller, limits, status)
  if (barred !== undefined) return { action: 'stop', ...left, why: barred }
  if (caller.attempts >= limits.maxAttempts) return { action: 'stop', ...left, why: `${limits.maxAttempts} attempts are the limit.` }

  const advised = status === undefined ? undefined : advisedWait(status, attempt.headers, error.details, chance.nowMs ?? Date.now())
  if (advised !== undefined && advised > limits.maxWaitMs) {
    // Sooner than asked would be in vain, and would add to the load that the wait is for.
    return { action: 'stop', ...left, waitMs: advised, why: `The tool asks for ${advised / 1000} s, and ${limits.maxWaitMs / 1000} s are the limit.` }
  }
  if (!transient) return { action: 'correct', waitMs: advised ?? 0, why: 'The same input would fail again; a corrected one may not.' }
  if (advised !== undefined) return { action: 'resend', waitMs: advised, why: 'The failure is transient, and the tool says how long.' }
  const waitMs = backoff(caller.attempts, limits.firstWaitMs, limits.maxWaitMs, chance.random ?? Math.random)
  return { action: 'resend', waitMs, why: status === undefined ? 'No response came.' : 'The failure is transient.' }
}

/** A read is always repeated; a write only where a second effect is excluded. What the caller does not know is a write. */
function barsResend ({ effect, idempotent, keyed }: Caller, { details }: ReadError): string | undefined {
  if (effect === 'read' || idempotent === true || keyed === true || details.outcome === 'not_applied') return undefined
  return 'A write that may have been carried out is not repeated.'
}

function barsCorrection ({ inputProtected, corrections = 0 }: Caller, { maxCorrections }: Limits, status: number): string | undefined {
  if (!(status >= 400 && status <= 499)) return `The protocol knows no way on from ${status}.`
  if (inputProtected === true) return 'The input would have to change, and it is protected.'
  return corrections >= maxCorrections ? `${maxCorrections} corrected inputs are the limit.` : undefined
}

/** Over MCP there is a body without a status; without either there was no response. */
function statusInPlace (body: unknown, reading: Reading): number | undefined {
  if (body === undefined) return undefined
  if (reading.success === true) return 200
  return httpStatusForCategory(reading.success === false ? reading.error.category : undefined)
}

function succeeded (reading: Reading, error: ReadError, status: number): Decision {
  if (reading.success === false) return { action: 'report_failure', ...next(error, status), why: 'A failure inside a 2xx is a failure, and a 2xx is never sent again.' }
  const pending = reading.success === true && reading.meta?.status === 'pending'
  if (pending) return { action: 'done', next: 'query_status', why: 'The tool accepted it and is not done yet.' }
  return { action: 'done', why: reading.success === true ? 'A 2xx is never sent again.' : 'A 2xx is never sent again; its body is no envelope, so only the status says that it succeeded.' }
}

/** What is left to do once the step is not sent again. */
function next ({ code = '', details }: ReadError, status = 0, outcome?: 'unknown'): { next?: Aftermath } {
  const word = nextAction({ code, status, retryable: false, details: { outcome, ...details } })
  return word === 'query_status' || word === 'escalate' || word === 'fix_credentials' ? { next: word } : {}
}
