import { CONDITIONS } from './close.js'
import { itemPath, propertyPath } from './describe-value.js'
import { hoist } from './hoist.js'
import type { JsonSchema } from './infer.js'
import { Shape } from './shape.js'
import { isSchema, mapSubschemas } from './walk.js'

/** A copy of an output schema without "no other fields": what it does not declare is dropped before it is sent, not refused. */
export function openSchema (schema: JsonSchema): JsonSchema {
  return open(hoist(schema))
}

function open (schema: JsonSchema): JsonSchema {
  const copy = mapSubschemas(schema, (subschema, keyword) => CONDITIONS.includes(keyword) ? subschema : open(subschema))
  for (const keyword of CLOSING) if (copy[keyword] === false) delete copy[keyword]
  const { oneOf, ...rest } = copy
  // Closed branches exclude each other; opened, more than one of them may hold.
  if (!Array.isArray(oneOf) || !schema.oneOf.some(isClosed)) return copy
  return { ...rest, allOf: [...(copy.allOf as unknown[] ?? []), { anyOf: oneOf }] }
}

const CLOSING = ['additionalProperties', 'unevaluatedProperties']

// What stands behind a reference may be closed too; then as well one branch is enough.
const isClosed = (branch: unknown): boolean => isSchema(branch) && (branch.$ref !== undefined || CLOSING.some(keyword => branch[keyword] === false))

/** Returns the value without the fields its schema does not declare, and adds the path of each to `dropped`. The value itself is left as it is. */
export type Prune = (value: unknown, dropped: string[]) => unknown

/** A pruner for an output schema (as its author wrote it). In a union, a field that any branch declares is declared. */
export function createPrune (schema: JsonSchema): Prune {
  const root = hoist(schema)
  let shape: Shape | undefined
  return (value, dropped) => {
    shape ??= new Shape([root], root)
    return prune(shape, value, '', { trail: [], dropped })
  }
}

/** The way to the value at hand; written out only where a field is dropped. */
interface Progress { readonly trail: Array<string | number>, readonly dropped: string[] }

function prune (shape: Shape, given: unknown, key: string, progress: Progress): unknown {
  if (typeof given !== 'object' || given === null) return given
  // A Date, an object of a class: JSON asks the value itself what it is, and what is sent is what is pruned.
  const { toJSON } = given as { toJSON?: unknown }
  const value: unknown = typeof toJSON === 'function' ? toJSON.call(given, key) : given
  // An invalid Date answers null, which would pass for one: it stays what it is, for `encodeJson` to refuse.
  if (value === null && given instanceof Date) return given
  if (typeof value !== 'object' || value === null) return value
  return Array.isArray(value) ? pruneItems(shape, value, progress) : pruneFields(shape, value, progress)
}

function pruneFields (shape: Shape, value: object, progress: Progress): unknown {
  let copy: Record<string, unknown> | undefined
  for (const key of Object.keys(value)) {
    const item = (value as Record<string, unknown>)[key]
    const field = shape.field(key)
    // A plain value of a declared field is sent as it is.
    if (field !== undefined && (typeof item !== 'object' || item === null)) continue
    progress.trail.push(key)
    const kept = field === undefined ? undefined : prune(field, item, key, progress)
    if (field === undefined && isJson(item)) progress.dropped.push(pathOf(progress.trail))
    progress.trail.pop()
    if (field !== undefined && kept === item) continue
    copy ??= { ...value }
    if (field === undefined) delete copy[key]
    // Defined, not assigned: `__proto__` is a field like any other.
    else Object.defineProperty(copy, key, { value: kept, enumerable: true, configurable: true, writable: true })
  }
  return copy ?? value
}

function pruneItems (shape: Shape, value: readonly unknown[], progress: Progress): unknown {
  let copy: unknown[] | undefined
  value.forEach((item, index) => {
    progress.trail.push(index)
    const kept = prune(shape.item(index), item, String(index), progress)
    progress.trail.pop()
    if (kept === item) return
    copy ??= [...value]
    copy[index] = kept
  })
  return copy ?? value
}

/** JSON leaves out the rest by itself. */
const isJson = (value: unknown): boolean => value !== undefined && typeof value !== 'function'

function pathOf (trail: ReadonlyArray<string | number>): string {
  return trail.reduce<string>((path, step) => typeof step === 'number' ? itemPath(path, step) : propertyPath(path, step), '')
}
