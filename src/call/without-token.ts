import type { Verdict } from '../policy/authenticate.js'
import { createRedactor, type Redactor } from '../protocol/redact.js'
import { withFields } from '../protocol/tool-error.js'
import { typeOf, withArticle } from '../schema/describe-value.js'
import { attempt, chainOf, get, getText, linksOf, namesOf } from '../upstream/evidence.js'

/** What is shorter is a word: nobody knows a caller by it, and what is written would lose its sense without it. */
const MIN_TOKEN_LENGTH = 8

/**
 * A verdict without the token that it is about. Only what the team's own function wrote is looked through: a caller may send
 * a token that reads like a code, a key or a flag, and those stay.
 */
export function withoutToken (verdict: Exclude<Verdict, { principal: unknown }>, token: string): typeof verdict {
  if (token.length < MIN_TOKEN_LENGTH || 'refused' in verdict) return verdict
  const redact = createRedactor([token])
  if ('unavailable' in verdict) return { unavailable: shown(verdict.unavailable, redact) }
  if ('broken' in verdict) return { broken: shown(verdict.broken, redact) }
  const { message, details, cause } = verdict.failure
  const clean = Object.fromEntries(Object.entries(details).map(([key, text]) => [key, redact(text)]))
  return { failure: withFields(verdict.failure, { message: redact(message), details: clean, cause: shown(cause, redact) }) }
}

/** What a client keeps of an error that says most about it. */
const FIELDS = ['code', 'errno', 'syscall', 'status', 'statusCode']

/** What the log is told of a thrown value, as text: a client may keep the whole request in it, headers and all. */
function shown (cause: unknown, redact: Redactor): unknown {
  if (cause === undefined) return undefined
  const values = linksOf(chainOf(cause)).map(({ value }) => value)
  const error = new Error(redact(messageOf(cause)))
  error.stack = redact(values.map(value => getText(value, 'stack') ?? messageOf(value)).join('\ncaused by: '))
  error.name = redact(namesOf(cause)[0] ?? typeof cause)
  // Else the logger takes the name of its class for its type.
  Object.defineProperty(error, 'constructor', { value: undefined })
  for (const field of FIELDS) {
    const value = get(cause, field)
    if (typeof value === 'number') Object.assign(error, { [field]: value })
    if (typeof value === 'string') Object.assign(error, { [field]: redact(value) })
  }
  return error
}

function messageOf (value: unknown): string {
  return getText(value, 'message') ?? (typeof value === 'string' ? value : attempt(() => JSON.stringify(value))) ?? withArticle(typeOf(value))
}
