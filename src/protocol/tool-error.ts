import { isCallerRefused, refuseCaller } from './caller-refused.js'
import { defaultRetryable, httpStatusForCategory, isCategory, isStatusOf, statusesOf, type Category } from './category.js'
import { isCode } from './codes.js'
import { encodeJson } from './json.js'

/** What an author may put into `details`: it becomes text, a list becomes text joined by `; `; `undefined` and `null` are left out. */
export type DetailValue = string | number | boolean | bigint | null | undefined | ReadonlyArray<string | number>

/** What a tool error is made from. */
export interface ToolErrorInit {
  /** `^[A-Z][A-Z0-9_]{1,63}$`, stable for ever. */
  code: string
  /** One line for the agent: what failed and what is true instead. At most 500 code points are sent. */
  message: string
  category: Category
  /** @default what the category says; on `AUTH_ERROR` always `false` */
  retryable?: boolean
  /** One of the category's row. @default the category's */
  status?: number
  details?: Readonly<Record<string, DetailValue>>
  /** How long to wait before the same call may be sent again, in milliseconds. */
  retryAfterMs?: number
  /** For the log alone: never crosses the wire. */
  cause?: unknown
}

/**
 * A failure written for an agent: a value with a brand, thrown like an error, but without the cost of a stack nobody reads.
 * Recognise it by `isToolError`, never by class: a project may hold two copies of candor.
 */
export interface ToolError extends Error {
  readonly code: string
  readonly category: Category
  readonly retryable: boolean
  readonly status: number
  readonly details: Readonly<Record<string, string>>
  readonly retryAfterMs?: number
}

const BRAND = Symbol.for('candor.ToolError')

class ToolErrorValue {
  readonly code: string
  readonly message: string
  readonly category: Category
  readonly retryable: boolean
  readonly status: number
  readonly details: Readonly<Record<string, string>>
  readonly retryAfterMs: number | undefined
  declare readonly cause: unknown

  constructor (init: ToolErrorInit) {
    this.code = init.code
    this.message = init.message
    this.category = init.category
    this.status = init.status ?? httpStatusForCategory(init.category)
    this.retryable = init.retryable ?? defaultRetryable(init.category, this.status)
    this.details = detailsToText(init.details)
    this.retryAfterMs = init.retryAfterMs
    // Not enumerable: a tool error that is serialised by accident gives away nothing.
    if (init.cause !== undefined) Object.defineProperty(this, 'cause', { value: init.cause })
  }
}
// An `instanceof Error` for loggers and linters, without `super()`, which would capture a stack.
Object.setPrototypeOf(ToolErrorValue.prototype, Error.prototype)
Object.defineProperty(ToolErrorValue.prototype, 'name', { value: 'ToolError' })
Object.defineProperty(ToolErrorValue.prototype, BRAND, { value: true })

/**
 * Makes a tool error. Throws a `TypeError` that names every mistake in `init`; a tool error that exists is a legal one.
 */
export function createToolError (init: ToolErrorInit): ToolError {
  const mistakes = mistakesIn(init)
  if (mistakes.length > 0) throw new TypeError(`A tool error is not legal. ${mistakes.join(' ')}`)
  return new ToolErrorValue(init) as ToolError
}

/** Was this made by `createToolError`, of whatever copy of candor? */
export function isToolError (value: unknown): value is ToolError {
  return typeof value === 'object' && value !== null && (value as Record<symbol, unknown>)[BRAND] === true
}

/** The same error with some fields replaced. */
export function withFields (error: ToolError, fields: Partial<ToolErrorInit>): ToolError {
  const { code, message, category, retryable, status, details, retryAfterMs, cause } = error
  const copy = createToolError({ code, message, category, retryable, status, details, retryAfterMs, cause, ...fields })
  return isCallerRefused(error) ? refuseCaller(copy) : copy
}

/** Everything that keeps `init` from being a legal tool error, each as a sentence; empty where it is one. */
export function mistakesIn (init: Readonly<Partial<ToolErrorInit>>): string[] {
  const mistakes: string[] = []
  const { code, message, category, status, retryable, details, retryAfterMs } = init
  if (!isCode(code)) mistakes.push(`Expected \`code\` to match ^[A-Z][A-Z0-9_]{1,63}$, got ${show(code)}.`)
  if (typeof message !== 'string' || message.trim() === '') mistakes.push(`Expected \`message\` to be a non-empty string, got ${show(message)}.`)
  if (!isCategory(category)) {
    mistakes.push(`Expected \`category\` to be one of INPUT_ERROR, NOT_FOUND, AUTH_ERROR, RATE_LIMIT, SERVICE_ERROR, got ${show(category)}.`)
  } else {
    if (status !== undefined && !isStatusOf(category, status)) {
      mistakes.push(`Expected \`status\` of ${category} to be one of ${statusesOf(category).join(', ')}, got ${show(status)}.`)
    }
    if (category === 'AUTH_ERROR' && retryable === true) mistakes.push('Expected `retryable` of AUTH_ERROR to be false: no caller can mend it by sending again.')
  }
  if (retryable !== undefined && typeof retryable !== 'boolean') mistakes.push(`Expected \`retryable\` to be a boolean, got ${show(retryable)}.`)
  if (details !== undefined && (typeof details !== 'object' || details === null || Array.isArray(details))) {
    mistakes.push(`Expected \`details\` to be an object, got ${show(details)}.`)
  }
  if (retryAfterMs !== undefined && !(typeof retryAfterMs === 'number' && retryAfterMs >= 0)) {
    mistakes.push(`Expected \`retryAfterMs\` to be milliseconds, 0 or more, got ${show(retryAfterMs)}.`)
  }
  return mistakes
}

function detailsToText (details: Readonly<Record<string, DetailValue>> = {}): Record<string, string> {
  const text: Record<string, string> = {}
  for (const key of Object.keys(details)) {
    const written = detailToText(details[key])
    // A poisoned key would be a trap for the parsers it crosses.
    if (written !== undefined && key !== '__proto__') text[key] = written
  }
  return text
}

function detailToText (value: unknown): string | undefined {
  if (typeof value === 'string') return value
  if (value === undefined || value === null) return undefined
  // An empty list has nothing to say.
  if (Array.isArray(value)) return value.map(detailToText).filter(item => item !== undefined).join('; ') || undefined
  if (typeof value !== 'object') return String(value)
  // The types allow no object; at run time its JSON says more than `[object Object]`.
  const encoded = encodeJson(value)
  return 'text' in encoded ? encoded.text : undefined
}

function show (value: unknown): string {
  if (typeof value === 'string') return `'${value.slice(0, 80)}'`
  return typeof value === 'object' && value !== null ? 'an object' : String(value)
}
