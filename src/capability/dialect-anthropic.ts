import type { JsonSchema } from '../schema/infer.js'
import type { Capability } from './define.js'
import { commonFormats, ruleKeywords, scalarTypes, safeNames, toolWords } from './dialect-vocabulary.js'
import { loosen, type Vocabulary } from './loosen.js'

/** A tool of Anthropic's Messages API. */
export interface AnthropicTool { name: string, description: string, input_schema: JsonSchema }

const vocabulary: Vocabulary = { keywords: ruleKeywords, formats: commonFormats, listed: scalarTypes, names: safeNames }

/** The tool of a capability whose input has this plain schema. */
export function anthropicTool (capability: Capability, plain: JsonSchema): AnthropicTool {
  const { description, ...schema } = loosen(plain, vocabulary)
  return { name: capability.name, description: toolWords(capability, description), input_schema: schema }
}
