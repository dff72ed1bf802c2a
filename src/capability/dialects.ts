import type { JsonSchema } from '../schema/infer.js'
import type { Capability } from './define.js'
import { inputSchema, visibleCapabilities } from './describe.js'
import { anthropicTool } from './dialect-anthropic.js'
import { geminiFunction } from './dialect-gemini.js'
import { mcpInput } from './dialect-mcp.js'
import { openaiTool } from './dialect-openai.js'
import { toolOf, type McpTool } from './mcp-tool.js'
import { plainSchema } from './plain-schema.js'

/** The forms of tool definitions, by what `?format=` calls them. Each takes a capability and its input as a plain schema. */
const dialects = {
  openai: openaiTool,
  anthropic: anthropicTool,
  gemini: geminiFunction,
  mcp: mcpTool
} as const satisfies Record<string, (capability: Capability, plain: JsonSchema) => object>

/** A form of tool definitions. */
export type Dialect = keyof typeof dialects

/** All of them, in the order in which a reader is told them. */
export const dialectNames = Object.keys(dialects) as readonly Dialect[]

/** Is there a form of this name? */
export function isDialect (name: string): name is Dialect {
  return Object.hasOwn(dialects, name)
}

/** As `tools/list` shows it. Its input is known already, and may be one that cannot be read again. */
function mcpTool (capability: Capability, plain: JsonSchema): McpTool {
  return { ...toolOf({ ...capability, input: { type: 'object' } }), inputSchema: mcpInput(plain) }
}

/** Stands for an input that cannot be written in any vendor's words: it keeps none of the tools from being listed. */
const ANY_INPUT: JsonSchema = {
  type: 'object',
  properties: {},
  additionalProperties: true,
  description: 'The fields of the input cannot be shown in this form, but are checked: read the schema of this capability first, or its refusal.'
}

/**
 * The tool definitions of all visible capabilities in one form, sorted by name. What the form cannot say of an input is left out of
 * the schema and said in descriptions; the service enforces it all the same. `report` is told of an input that could not be shown at all.
 */
export function toolsIn (dialect: Dialect, capabilities: Iterable<Capability>, report?: (capability: string, error: unknown) => void): object[] {
  return visibleCapabilities(capabilities).map(capability => {
    try {
      return dialects[dialect](capability, plainSchema(inputSchema(capability)))
    } catch (error) {
      report?.(capability.name, error)
      return dialects[dialect](capability, ANY_INPUT)
    }
  })
}
