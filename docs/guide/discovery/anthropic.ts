import { callTool } from './call.js'

/** A block of a message in which the model asks for a tool. */
export interface ToolUse { type: 'tool_use', id: string, name: string, input: unknown }

/** A tool as a message takes it. */
export interface AnthropicTool { name: string, description: string, input_schema: object }

/** `tools` for a message. */
export async function anthropicTools (baseUrl: string): Promise<AnthropicTool[]> {
  return await (await fetch(`${baseUrl}/api/capabilities?format=anthropic`)).json() as AnthropicTool[]
}

/** Runs what the model asked for; a failure is marked as one, and says what to do instead. */
export async function answerAnthropic (baseUrl: string, use: ToolUse): Promise<{ type: 'tool_result', tool_use_id: string, is_error: boolean, content: string }> {
  const envelope = await callTool(baseUrl, use.name, use.input)
  return { type: 'tool_result', tool_use_id: use.id, is_error: !envelope.success, content: JSON.stringify(envelope) }
}
