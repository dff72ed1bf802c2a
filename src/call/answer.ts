import { failureAnswer, successAnswer, type Answer } from '../protocol/answer.js'
import type { Meta } from '../protocol/envelope.js'
import { redactJson } from '../protocol/redact.js'
import type { ToolError } from '../protocol/tool-error.js'
import { redactKnown } from './secrets.js'

/** The answer of a success, without known secrets. */
export function answerSuccess (dataText: string, meta: Meta | undefined, requestId: string): Answer {
  return clean(successAnswer(dataText, meta, requestId))
}

/** The answer of a failure, without known secrets. */
export function answerFailure (error: ToolError, requestId: string): Answer {
  return clean(failureAnswer(error, requestId))
}

function clean (answer: Answer): Answer {
  answer.body = redactJson(answer.body, redactKnown)
  return answer
}
