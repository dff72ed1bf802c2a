import { resolve } from './hoist.js'
import type { JsonSchema } from './infer.js'
import { isSchema } from './walk.js'

/** The fields that an object schema declares, by itself and through its members. */
export interface DeclaredFields {
  /** All declared names, for a reader. */
  readonly names: readonly string[]
  /** Is the field declared anywhere: by name, by pattern, or by a member that is open? */
  has (key: string): boolean
  /** What the schema itself, without its members, says of the field. */
  own (key: string): JsonSchema[]
}

/** Reads the declared fields of a schema; `holds` tells which branches of a union apply to the value at hand. */
export function declaredFields (schema: JsonSchema, root: JsonSchema, holds: (branch: JsonSchema) => boolean): DeclaredFields {
  const names = new Set<string>()
  const patterns: RegExp[] = []
  let open = false
  gather(schema, true, 0)
  const ownPatterns = patternsOf(schema)
  return {
    names: [...names],
    has: key => open || names.has(key) || patterns.some(pattern => pattern.test(key)),
    own: key => {
      const named: unknown = isSchema(schema.properties) && Object.hasOwn(schema.properties, key) ? schema.properties[key] : undefined
      return [named, ...ownPatterns.filter(([pattern]) => pattern.test(key)).map(([, subschema]) => subschema)].filter(isSchema)
    }
  }

  function gather (node: JsonSchema, isTop: boolean, depth: number): void {
    if (depth > 32) return
    const { properties = {}, additionalProperties, unevaluatedProperties, allOf = [], anyOf = [], oneOf = [], ...rest } = resolve(node, root)
    for (const name of Object.keys(properties)) names.add(name)
    patterns.push(...patternsOf(node).map(([pattern]) => pattern))
    if (!isTop && [additionalProperties, unevaluatedProperties].some(rule => rule !== undefined && rule !== false)) open = true
    for (const member of allOf.filter(isSchema)) gather(member, false, depth + 1)
    const branches = [...anyOf, ...oneOf].filter(isSchema)
    const holding = branches.filter(holds)
    // Where no branch holds, another problem says so: then each of them counts.
    for (const branch of holding.length > 0 ? holding : branches) gather(branch, false, depth + 1)
    for (const branch of [rest.then, rest.else].filter(isSchema)) gather(branch, false, depth + 1)
  }
}

function patternsOf (schema: JsonSchema): Array<[RegExp, unknown]> {
  return Object.entries(schema.patternProperties ?? {}).map(([pattern, subschema]) => [new RegExp(pattern, 'u'), subschema])
}
