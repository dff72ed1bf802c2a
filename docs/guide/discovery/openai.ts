import { callTool } from './call.js'

/** A tool call as it stands in a chat completion. */
export interface ToolCall { id: string, type: 'function', function: { name: string, arguments: string } }

/** A tool as a chat completion takes it. */
export interface OpenaiTool { type: 'function', function: { name: string, description: string, parameters: object, strict?: boolean } }

/** `tools` for a chat completion: the model chooses among them. */
export async function openaiTools (baseUrl: string): Promise<OpenaiTool[]> {
  return await (await fetch(`${baseUrl}/api/capabilities?format=openai`)).json() as OpenaiTool[]
}

/** Runs what the model asked for. A failure goes back as it is: it says what to do instead. */
export async function answerOpenai (baseUrl: string, call: ToolCall): Promise<{ role: 'tool', tool_call_id: string, content: string }> {
  const envelope = await callTool(baseUrl, call.function.name, JSON.parse(call.function.arguments))
  return { role: 'tool', tool_call_id: call.id, content: JSON.stringify(envelope) }
}
