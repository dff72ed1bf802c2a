import { ProtocolError, ProtocolErrorCode, type CallToolResult } from '@modelcontextprotocol/server'
import type { Answer } from '../protocol/answer.js'
import type { Service } from './service.js'
import { answerTool, type ToolCall, type ToolDoor } from './tool-call.js'

/** What is known of the request that carries a call, as the SDK hands it on. */
export interface McpDoor extends Omit<ToolDoor, 'onGone'> {
  /** Fires when the caller is gone. */
  signal: AbortSignal
  /** Calls back when the caller takes the call back; the returned function forgets it. */
  onCancel (listener: () => void): () => void
}

/** Answers one call. Whatever became of it is a result; throws only where nobody waits for the answer. */
export async function callTool (call: ToolCall, service: Service, isStopping: boolean, door: McpDoor): Promise<CallToolResult> {
  const answer = door.signal.aborted ? undefined : await answerTool(call, service, isStopping, { ...door, onGone: listener => onGone(door, listener) })
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

/** The envelope twice: for programs, and word for word as HTTP sends it for models whose host shows them text alone. */
function resultOf ({ status, body }: Answer): CallToolResult {
  return { content: [{ type: 'text', text: body }], structuredContent: JSON.parse(body), ...(status >= 400 && { isError: true }) }
}
