import type { Log, Progress } from '../capability/call.js'
import type { Answer } from '../protocol/answer.js'
import { admit, type Admission } from './admission.js'
import { answerFailure } from './answer.js'
import type { Caller } from './caller.js'
import { invoke } from './invoke.js'
import { logFailure } from './log.js'
import type { Service } from './service.js'

/** A call as MCP asks for it. */
export interface ToolCall {
  name: string
  /** Anything: what is no object is told so. @default {} */
  arguments?: unknown
}

/** What is known of the request that carries it. */
export interface ToolDoor {
  requestId: string
  log: Log
  bodyBytes?: number
  caller: Caller
  traceparent?: string
  timeoutMs?: number
  /** Calls back when nobody waits for the answer any more; the returned function takes it back. */
  onGone (listener: () => void): () => void
  /** Left out where the caller wants to hear of none. */
  progress?: (progress: Progress) => void
}

/**
 * Answers one call of MCP with the envelope. A tool that does not exist, a wrong argument, a service that is stopping: all are
 * answers, because a model must see them. `undefined` where nobody waits for one.
 */
export function answerTool (call: ToolCall, service: Service, isStopping: boolean, door: ToolDoor): Promise<Answer | undefined> {
  const admission = admit(service, call.name, door.caller, { isStopping, hint: 'tools/list names what can be called.' })
  return admission instanceof Promise ? admission.then(counted => answerAdmitted(counted, call, service, door)) : answerAdmitted(admission, call, service, door)
}

function answerAdmitted (admission: Admission, call: ToolCall, service: Service, door: ToolDoor): Promise<Answer | undefined> {
  const { caller, requestId, log, bodyBytes, traceparent, timeoutMs, progress, onGone } = door
  if ('failure' in admission) {
    logFailure(log, admission.failure, admission.prepared?.capability.name)
    return Promise.resolve(answerFailure(admission.failure, requestId))
  }
  const input = call.arguments === undefined ? {} : call.arguments
  return invoke(admission.prepared, service, input, { requestId, log, bodyBytes, principal: caller.principal, traceparent, timeoutMs, progress, onGone })
}
