import { resolve } from './hoist.js'
import type { JsonSchema } from './infer.js'
import { isSchema } from './walk.js'

/** The fields that an object schema declares, by itself and through its members. */
export interface DeclaredFields {
  /** All declared names, for a reader. */
  readonly names: readonly string[]
  /** The patterns of names that are not told one by one. */
  readonly patterns: readonly string[]
  /** Is the field declared anywhere: by name, by pattern, or by a member that is open? */
  has (key: string): boolean
}

/** Members are followed this deep; a schema that holds itself has no end. */
const MAX_MEMBERS = 16

/**
 * The declared fields of a schema for the value at hand: `holds` tells which members apply to it, `given` which fields it has.
 * What a condition asks of a field declares it too, as `unevaluatedProperties` sees it.
 */
export function declaredFields (schema: JsonSchema, root: JsonSchema, holds: (member: unknown) => boolean, given: (key: string) => boolean): DeclaredFields {
  const names = new Set<string>()
  const patterns: RegExp[] = []
  let open = false
  gather(schema, true, 0)
  return { names: [...names], patterns: [...new Set(patterns.map(({ source }) => source))], has: key => open || names.has(key) || patterns.some(pattern => pattern.test(key)) }

  function gather (node: unknown, isTop: boolean, depth: number): void {
    if (!isSchema(node) || depth > MAX_MEMBERS) return
    const member = resolve(node, root)
    for (const [name, field] of Object.entries(member.properties ?? {})) if (field !== false) names.add(name)
    for (const [pattern] of patternsOf(member)) patterns.push(pattern)
    if (!isTop && [member.additionalProperties, member.unevaluatedProperties].some(rule => rule !== undefined && rule !== false)) open = true
    for (const inner of membersOf(member)) gather(inner, false, depth + 1)
  }

  function membersOf (member: JsonSchema): unknown[] {
    const { allOf = [], anyOf = [], oneOf = [], dependentSchemas = {} } = member
    const branches = [...anyOf, ...oneOf]
    const holding = branches.filter(holds)
    const depending = Object.entries(dependentSchemas).filter(([key]) => given(key)).map(([, inner]) => inner)
    // Where no branch holds, another problem says so: then each of them counts.
    return [...allOf, ...(holding.length > 0 ? holding : branches), ...depending, ...conditional(member)]
  }

  function conditional (member: JsonSchema): unknown[] {
    if (member.if === undefined) return []
    return holds(member.if) ? [member.if, member.then] : [member.else]
  }
}

const compiled = new WeakMap<object, Array<[RegExp, unknown]>>()

function patternsOf ({ patternProperties }: JsonSchema): ReadonlyArray<readonly [RegExp, unknown]> {
  if (!isSchema(patternProperties)) return []
  let patterns = compiled.get(patternProperties)
  if (patterns === undefined) {
    patterns = Object.entries(patternProperties).map(([pattern, subschema]) => [new RegExp(pattern, 'u'), subschema])
    compiled.set(patternProperties, patterns)
  }
  return patterns
}

/** What an object schema itself, without its members, says of a field: by name and by pattern, else what it says of all other fields. */
export function ownFieldSchemas (schema: JsonSchema, key: string): unknown[] {
  const named = isSchema(schema.properties) && Object.hasOwn(schema.properties, key) ? [schema.properties[key]] : []
  const found = [...named, ...patternsOf(schema).filter(([pattern]) => pattern.test(key)).map(([, subschema]) => subschema)]
  return found.length > 0 || schema.additionalProperties === undefined ? found : [schema.additionalProperties]
}

/** What a schema and all its members say of a field, whether they apply or not. */
export function fieldSchemas (node: JsonSchema, root: JsonSchema, key: string, depth: number = 0): JsonSchema[] {
  const schema = resolve(node, root)
  const members = depth > MAX_MEMBERS ? [] : [...['allOf', 'anyOf', 'oneOf'].flatMap(keyword => schema[keyword] ?? []), schema.then, schema.else].filter(isSchema)
  return [...ownFieldSchemas(schema, key).filter(isSchema), ...members.flatMap(member => fieldSchemas(member, root, key, depth + 1))]
}

/** What an array schema itself says of the item at an index; `undefined` where it says nothing. */
export function itemSchema ({ items, additionalItems }: JsonSchema, index: number): unknown {
  if (!Array.isArray(items)) return items
  return index < items.length ? items[index] : additionalItems
}
