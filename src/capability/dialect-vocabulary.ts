import type { Capability } from './define.js'
import { joinSentences } from './modern-schema.js'

/** The rules and notes of JSON Schema that mean the same in draft-07 and 2020-12. */
export const ruleKeywords: ReadonlySet<string> = new Set([
  'enum', 'minLength', 'maxLength', 'pattern', 'format', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf',
  'minItems', 'maxItems', 'uniqueItems', 'minProperties', 'maxProperties', 'default', 'examples'
])

/** The formats of JSON Schema that have been in it since draft-07; others are names of validators. */
export const commonFormats: ReadonlySet<string> = new Set(['date-time', 'date', 'time', 'email', 'hostname', 'ipv4', 'ipv6', 'uri', 'uri-reference', 'uri-template', 'regex', 'json-pointer', 'relative-json-pointer'])

/** The types whose values JSON can list. */
export const scalarTypes: ReadonlySet<string> = new Set(['string', 'number', 'integer', 'boolean', 'null'])

/** Field names that vendors take. */
export const safeNames = /^[a-zA-Z0-9_.-]{1,64}$/

/** The words of a capability with those that are about its input as a whole: hosts show models a tool's description, and not always its schema's. */
export function toolWords ({ description }: Capability, input: unknown): string {
  return joinSentences([description, input])
}
