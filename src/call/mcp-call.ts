import { ProtocolError, ProtocolErrorCode, type CallToolResult } from '@modelcontextprotocol/server'
import type { Log, Progress } from '../capability/call.js'
import type { Answer } from '../protocol/answer.js'
import type { ToolError } from '../protocol/tool-error.js'
import { admit } from './admission.js'
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
export interface McpDoor {
  requestId: string
  log: Log
  bodyBytes?: number
  caller: Caller
  traceparent?: string
  timeoutMs?: number
  /** Fires when the caller is gone. */
  signal: AbortSignal
  /** Calls back when the caller takes the call back; the returned function forgets it. */
  onCancel (listener: () => void): () => void
  /** Left out where the caller wants to hear of none. */
  progress?: (progress: Progress) => void
}

/**
 * Answers one call. Whatever became of it is a result, because a model must see it: a tool that does not exist, a wrong
 * argument, a service that is stopping. Throws only where nobody waits for the answer.
 */
export async function callTool (call: ToolCall, service: Service, isStopping: boolean, door: McpDoor): Promise<CallToolResult> {
  const { caller } = door
  const admission = await admit(service, call.name, caller, { isStopping, hint: 'tools/list names what can be called.' })
  if ('failure' in admission) return untaken(admission.failure, door, admission.prepared?.capability.name)
  const { prepared } = admission
  const { requestId, log, bodyBytes, traceparent, timeoutMs, signal, progress } = door
  const answer = signal.aborted
    ? undefined
    : await invoke(prepared, service, call.arguments === undefined ? {} : call.arguments, { requestId, log, bodyBytes, principal: caller.principal, traceparent, timeoutMs, progress, onGone: listener => onGone(door, listener) })
  if (answer === undefined) throw new ProtocolError(ProtocolErrorCode.InvalidRequest, 'The request was cancelled.')
  return resultOf(answer)
}

function onGone ({ signal, onCancel }: McpDoor, listener: () => void): () => void {
  signal.addEventListener('abort', listener, { once: true })
  const forget = onCancel(listener)
  return () => {
    signal.removeEventListener('abort', listener)
    forget()
  }
}

function untaken (failure: ToolError, { log, requestId }: McpDoor, name?: string): CallToolResult {
  logFailure(log, failure, name)
  return resultOf(answerFailure(failure, requestId))
}

/** The envelope twice: for programs, and word for word as HTTP sends it for models whose host shows them text alone. */
function resultOf ({ status, body }: Answer): CallToolResult {
  return { content: [{ type: 'text', text: body }], structuredContent: JSON.parse(body), ...(status >= 400 && { isError: true }) }
}
