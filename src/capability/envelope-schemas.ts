import { Category } from '../protocol/category.js'
import type { ErrorBody, Meta } from '../protocol/envelope.js'
import { NextAction } from '../protocol/next-action.js'
import { WriteOutcome } from '../protocol/write-outcome.js'
import type { JsonSchema } from '../schema/infer.js'

const string = { type: 'string' } as const

/** A key of `Meta` without a line here does not compile. */
const metaFields = {
  sources: { type: 'array', items: string, description: 'Labels of the upstreams that answered with success.' },
  partial: {
    type: 'array',
    items: { type: 'object', required: ['source', 'code', 'message'], properties: { source: string, code: string, message: string } },
    description: 'Sources that are missing from the data.'
  },
  cached: { type: 'boolean', description: 'The data was kept from before.' },
  as_of: { ...string, description: 'When cached data was true, ISO 8601.' },
  fallback: { type: 'object', required: ['from', 'to'], properties: { from: string, to: string }, description: 'Another source than the first answered.' },
  empty: {
    type: 'object',
    required: ['searched'],
    properties: { searched: string, candidates: { type: 'integer' }, widen: string },
    description: 'Nothing was found: what was searched, among how many, and how to search wider.'
  },
  simulated: { type: 'boolean', description: 'The data comes from a simulated upstream.' },
  warnings: { type: 'array', items: { type: 'object', required: ['rule'], properties: { rule: string, source: string, code: string } } },
  operation_id: string,
  status: { ...string, enum: ['pending'] },
  replayed: { type: 'boolean' },
  idempotency: string
} as const satisfies Record<keyof Meta, JsonSchema>

const errorFields = {
  code: { ...string, pattern: '^[A-Z][A-Z0-9_]{1,63}$' },
  message: { ...string, description: 'What failed, for the agent.' },
  category: { ...string, enum: Object.values(Category) },
  retryable: { type: 'boolean', description: 'true: the call may be sent again, as it is or corrected, as details.next_action says. false: it stops here.' },
  details: {
    type: 'object',
    required: ['next_action', 'request_id'],
    properties: {
      next_action: { ...string, enum: Object.values(NextAction) },
      request_id: string,
      hint: { ...string, description: 'What to do instead.' },
      field: { ...string, description: 'The first wrong field.' },
      retry_after: { ...string, description: 'How long to wait, in seconds: 60s. The same as Retry-After.' },
      outcome: { ...string, enum: Object.values(WriteOutcome), description: 'What a write did.' }
    },
    additionalProperties: string
  }
} as const satisfies Record<keyof ErrorBody, JsonSchema>

/** Components that every document has. Named so that no schema of an author is likely to have the same name. */
export const envelopeSchemas = {
  FailureEnvelope: {
    type: 'object',
    required: ['success', 'error'],
    properties: {
      success: { type: 'boolean', const: false },
      error: { type: 'object', required: ['code', 'message', 'category', 'retryable', 'details'], properties: errorFields }
    }
  },
  SuccessMeta: { type: 'object', properties: metaFields, description: 'Said about the data; never changes what it means.' }
} as const satisfies Record<string, JsonSchema>

/** The envelope around data of this schema. */
export function successSchema (data: JsonSchema): JsonSchema {
  return {
    type: 'object',
    required: ['success', 'data'],
    properties: { success: { type: 'boolean', const: true }, data, meta: { $ref: '#/components/schemas/SuccessMeta' } }
  }
}

/** The failure envelope with one of these codes. */
export function failureSchema (codes: readonly string[]): JsonSchema {
  return {
    allOf: [
      { $ref: '#/components/schemas/FailureEnvelope' },
      { type: 'object', properties: { error: { type: 'object', properties: { code: { type: 'string', enum: codes } } } } }
    ]
  }
}
