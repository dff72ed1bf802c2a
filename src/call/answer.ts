import { makeFailure, makeSuccess, type MadeAnswer, type Spread } from '../protocol/answer.js'
import type { Meta } from '../protocol/envelope.js'
import { redactJson, type Redactor } from '../protocol/redact.js'
import { redactUserInfo } from '../protocol/redact-text.js'
import { withFields, type ToolError } from '../protocol/tool-error.js'
import { redactKnown } from './secrets.js'

/** The answer of a success, without known secrets. */
export function answerSuccess (dataText: string, meta: Meta | undefined, requestId: string): MadeAnswer {
  return clean(makeSuccess(dataText, meta, requestId))
}

/**
 * The answer of a failure, without known secrets, who logs in where in addresses, and what `redact` takes out of its text;
 * a wait that it carries is told as `spread` says.
 */
export function answerFailure (error: ToolError, requestId: string, spread?: Spread, redact: Redactor = asItIs): MadeAnswer {
  return clean(makeFailure(withoutSecrets(error, redact), requestId, spread))
}

/** Details that the framework writes, and a caller may not change by what he sends. */
const EVIDENCE = new Set(['outcome', 'upstream', 'upstream_status', 'phase', 'rejected', 'rule', 'field', 'operation_id', 'retry_after', 'retry_after_capped'])

/** The names of these and of the other details that it writes. */
const NAMES = new Set([...EVIDENCE, 'hint', 'received', 'expected', 'did_you_mean', 'candidates', 'api_error', 'status_endpoint'])

/** Before the text is cut to its bounds: half a secret would be found by nobody. */
function withoutSecrets (error: ToolError, redact: Redactor): ToolError {
  const message = ofAll(redact(error.message))
  const entries = Object.entries(error.details)
  let isSame = message === error.message
  for (const entry of entries) {
    const [key, value] = entry
    if (!NAMES.has(key)) entry[0] = ofAll(redact(key))
    entry[1] = ofAll(EVIDENCE.has(key) ? value : redact(value))
    isSame &&= entry[0] === key && entry[1] === value
  }
  return isSame ? error : withFields(error, { message, details: Object.fromEntries(entries) })
}

function ofAll (text: string): string {
  return redactUserInfo(redactKnown(text))
}

function clean (answer: MadeAnswer): MadeAnswer {
  answer.body = redactJson(answer.body, redactKnown)
  return answer
}

function asItIs (text: string): string {
  return text
}
