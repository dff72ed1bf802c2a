import type { JsonSchema } from '../schema/infer.js'
import { mapSubschemas } from '../schema/walk.js'
import type { Capability } from './define.js'
import { outputSchema } from './describe.js'
import { mcpSchema } from './dialect-mcp.js'
import { envelopeSchemas } from './envelope-schemas.js'
import { inlineRefs } from './inline-refs.js'
import { plainSchema } from './plain-schema.js'
import { declaredErrors, type PublishedError } from './possible-codes.js'

/** Where the declared errors of a tool stand: the protocol has no place of its own for them. */
export const ERRORS_KEY = 'candor/errors'

interface ObjectSchema { type: 'object', [keyword: string]: any }

/** A capability as `tools/list` shows it. */
export interface McpTool {
  name: string
  description: string
  inputSchema: ObjectSchema
  /** Of the envelope, whatever became of the call. */
  outputSchema: ObjectSchema
  annotations: { readOnlyHint: boolean, destructiveHint: boolean, idempotentHint: boolean, openWorldHint: boolean }
  _meta: { [ERRORS_KEY]: PublishedError[] }
}

/** The tool that a capability is for a client of MCP. Throws where its input cannot be shown. */
export function toolOf (capability: Capability): McpTool {
  const { name, description, effect, idempotent, upstreams } = capability
  const reads = effect === 'read'
  return {
    name,
    description,
    inputSchema: mcpSchema(capability),
    outputSchema: resultSchema(dataSchema(capability)),
    annotations: { readOnlyHint: reads, destructiveHint: !reads, idempotentHint: idempotent || reads, openWorldHint: upstreams.length > 0 },
    _meta: { [ERRORS_KEY]: declaredErrors(capability) }
  }
}

/** In words that mean the same in every draft: some clients check what they are given, each by a draft of its own. */
function dataSchema (capability: Capability): JsonSchema {
  try {
    return plainSchema({ type: 'object', properties: { data: inlineRefs(outputSchema(capability)) } }).properties.data
  } catch {
    // Nobody needs it for a call: it keeps no tool from being listed.
    return { description: 'The fields of the data cannot be shown in this form.' }
  }
}

/** The clients that check a success by this schema check a failure by it too, and throw away what breaks it. */
function resultSchema (data: JsonSchema): ObjectSchema {
  return {
    type: 'object',
    anyOf: [
      { type: 'object', required: ['success', 'data'], properties: { success: { type: 'boolean', const: true }, data, meta: bare(envelopeSchemas.SuccessMeta) } },
      bare(envelopeSchemas.FailureEnvelope)
    ]
  }
}

/** What is the same for every tool is said without words: a model pays for them tool by tool. */
function bare ({ description, ...schema }: JsonSchema): JsonSchema {
  return mapSubschemas(schema, bare)
}
