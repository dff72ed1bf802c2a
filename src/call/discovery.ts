import type { Capability } from '../capability/define.js'
import { descriptor, inputSchema, listCapabilities, visibleCapabilities } from '../capability/describe.js'
import { dialectNames, isDialect, toolsIn, type Dialect } from '../capability/dialects.js'
import { modernSchema } from '../capability/modern-schema.js'
import { createToolError, type ToolError } from '../protocol/tool-error.js'
import { describeValue } from '../schema/describe-value.js'
import { nearest } from '../schema/nearest.js'
import { KeptAnswer } from './kept-answer.js'

/** The answers of the discovery routes: one for each form of all capabilities, two for each capability. */
export interface Discovery {
  readonly list: KeptAnswer
  readonly tools: ReadonlyMap<Dialect, KeptAnswer>
  /** By the names of the visible capabilities. */
  readonly capabilities: ReadonlyMap<string, { readonly descriptor: KeptAnswer, readonly schema: KeptAnswer }>
}

/** `base` is the path prefix they are served under; `report` is told of an input that a form cannot show. */
export function discoveryOf (capabilities: Iterable<Capability>, base: string, report: (capability: string, error: unknown) => void): Discovery {
  const visible = visibleCapabilities(capabilities)
  const kept = (make: () => unknown): KeptAnswer => new KeptAnswer(() => JSON.stringify(make()))
  return {
    list: kept(() => listCapabilities(visible, base)),
    tools: new Map(dialectNames.map(dialect => [dialect, kept(() => toolsIn(dialect, visible, report))])),
    capabilities: new Map(visible.map(capability => [capability.name, {
      descriptor: kept(() => descriptor(capability, base)),
      schema: kept(() => modernSchema(inputSchema(capability)))
    }]))
  }
}

/** The answer to `?format=`: the list where none is named, the failure where there is no such form. */
export function formOf ({ list, tools }: Discovery, format: unknown): KeptAnswer | ToolError {
  if (format === undefined) return list
  if (typeof format === 'string' && isDialect(format)) return tools.get(format)!
  const near = typeof format === 'string' ? nearest(format, dialectNames) : undefined
  const expected = `one of ${dialectNames.map(name => `"${name}"`).join(', ')}`
  const received = describeValue(format, false)
  return createToolError({
    code: 'INVALID_INPUT',
    category: 'INPUT_ERROR',
    retryable: true,
    message: `format: expected ${expected}, got ${received}.`,
    details: { field: 'format', expected, received, did_you_mean: near, hint: 'Without format this address lists the capabilities.' }
  })
}
