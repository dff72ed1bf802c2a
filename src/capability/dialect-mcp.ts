import type { JsonSchema } from '../schema/infer.js'
import type { Capability } from './define.js'
import { inputSchema } from './describe.js'
import { commonFormats, ruleKeywords, safeNames, scalarTypes } from './dialect-vocabulary.js'
import { loosen, type Vocabulary } from './loosen.js'
import { plainSchema } from './plain-schema.js'

/** Hosts hand the schema on to the vendor of their model, so it says no more than all of those read. */
const vocabulary: Vocabulary = { keywords: ruleKeywords, formats: commonFormats, listed: scalarTypes, names: safeNames }

/** A plain schema as the `inputSchema` of an MCP tool. */
export function mcpInput (plain: JsonSchema): JsonSchema & { type: 'object' } {
  return { ...loosen(plain, vocabulary), type: 'object' }
}

/** The `inputSchema` of a capability as an MCP tool: an object at its root, without references. What it cannot say stands in descriptions. */
export function mcpSchema (capability: Capability): JsonSchema & { type: 'object' } {
  return mcpInput(plainSchema(inputSchema(capability)))
}
