import type { JsonSchema } from '../schema/infer.js'
import type { Capability } from './define.js'
import { toolWords } from './dialect-vocabulary.js'
import { loosen, type Vocabulary } from './loosen.js'

/** A function declaration of the Gemini API. */
export interface GeminiFunction { name: string, description: string, parametersJsonSchema: JsonSchema }

const vocabulary: Vocabulary = {
  keywords: new Set(['enum', 'format', 'minItems', 'maxItems', 'minimum', 'maximum']),
  formats: new Set(['date-time', 'date', 'time']),
  listed: new Set(['string', 'number', 'integer']),
  names: /^[a-zA-Z_][a-zA-Z0-9_]{0,63}$/
}

/** The function declaration of a capability whose input has this plain schema. */
export function geminiFunction (capability: Capability, plain: JsonSchema): GeminiFunction {
  const { description, ...schema } = loosen(plain, vocabulary)
  return { name: capability.name, description: toolWords(capability, description), parametersJsonSchema: schema }
}
