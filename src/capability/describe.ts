import { closeSchema, publicSchema } from '../schema/close.js'
import { hoist } from '../schema/hoist.js'
import type { JsonSchema } from '../schema/infer.js'
import type { Capability } from './define.js'
import { summarise, type FieldSummary } from './field-hints.js'
import { modernSchema } from './modern-schema.js'
import { declaredErrors, possibleErrors, type PublishedError } from './possible-codes.js'

/** A capability in the list: enough to choose it and to write a call. */
export interface ListEntry {
  name: string
  description: string
  /** Path of the call, beginning with `/`. */
  endpoint: string
  input_types: ['json']
  output_types: ['json']
  input_summary: FieldSummary
  output_summary: FieldSummary
  /** Path of the input's JSON Schema. */
  schema_endpoint: string
  effect: 'read' | 'write'
  idempotent: boolean
  /** The declared errors; the descriptor has the framework's too. */
  errors: Array<Pick<PublishedError, 'code' | 'status' | 'category' | 'retryable'>>
}

/** Everything there is to know about a capability before it is called. */
export interface Descriptor extends Omit<ListEntry, 'errors'> {
  input_schema: JsonSchema
  output_schema: JsonSchema
  examples: ReadonlyArray<{ input: unknown, output?: unknown }>
  /** The capability's own upper bound of a call, in milliseconds. */
  timeout_ms: number
  /** Labels that `meta.sources` may name. */
  upstreams: readonly string[]
  /** Every error it can answer with. */
  errors: PublishedError[]
}

/** The visible capabilities in the order of every form of discovery: by name. */
export function visibleCapabilities (capabilities: Iterable<Capability>): Capability[] {
  return [...capabilities].filter(({ hidden }) => !hidden).sort((a, b) => a.name < b.name ? -1 : 1)
}

/** The list of all visible capabilities. `base` is the path prefix they are served under: empty, or like `/tools`. */
export function listCapabilities (capabilities: Iterable<Capability>, base: string): ListEntry[] {
  return visibleCapabilities(capabilities).map(capability => listEntry(capability, base))
}

/** One entry of the list. `base` is the path prefix it is served under: empty, or like `/tools`. */
export function listEntry (capability: Capability, base: string): ListEntry {
  const { name, description, effect, idempotent } = capability
  const endpoint = endpointOf(capability, base)
  return {
    name,
    description,
    endpoint,
    input_types: ['json'],
    output_types: ['json'],
    input_summary: summarise(inputSchema(capability)),
    output_summary: summarise(outputSchema(capability)),
    schema_endpoint: `${endpoint}/schema`,
    effect,
    idempotent,
    errors: declaredErrors(capability).map(({ code, status, category, retryable }) => ({ code, status, category, retryable }))
  }
}

/** The whole descriptor of one capability. `base` is the path prefix it is served under: empty, or like `/tools`. */
export function descriptor (capability: Capability, base: string): Descriptor {
  const { examples, timeoutMs, upstreams } = capability
  return {
    ...listEntry(capability, base),
    input_schema: modernSchema(inputSchema(capability)),
    output_schema: modernSchema(outputSchema(capability)),
    examples,
    timeout_ms: timeoutMs,
    upstreams,
    errors: possibleErrors(capability)
  }
}

/** The path that a capability is called at. */
export function endpointOf ({ name }: Capability, base: string): string {
  return `${base}/api/capabilities/${name}`
}

/** The published JSON Schema of a capability's input: what is enforced, without our own keywords. */
export function inputSchema ({ input }: Capability): JsonSchema {
  return publicSchema(closeSchema(input))
}

/** The published JSON Schema of a capability's output: what is declared. Not closed, so that a later version may say more. */
export function outputSchema ({ output }: Capability): JsonSchema {
  const schema = publicSchema(hoist(output))
  // JSON has no undefined and no void: what is sent for both is null.
  return schema.type === 'void' || schema.type === 'undefined' ? { ...schema, type: 'null' } : schema
}
