import { resolve } from '../schema/hoist.js'
import type { JsonSchema } from '../schema/infer.js'
import { typesOf } from '../schema/unions.js'
import { mapSubschemas } from '../schema/walk.js'
import { joinSentences } from './modern-schema.js'

/** How many times a schema that holds itself is written inside itself. */
const UNROLLED = 2
/** Definitions that refer to others twice each double with every step: from here on a reference is cut short. */
const MAX_NODES = 2000

/** A copy of a published schema without `$ref` and `$defs`. What holds itself is written out to a depth, then told in words. */
export function inlineRefs (root: JsonSchema): JsonSchema {
  let left = MAX_NODES
  const write = (node: JsonSchema, inside: readonly string[]): JsonSchema => {
    const { $ref } = node
    left--
    if (typeof $ref !== 'string') return mapSubschemas(node, (subschema, keyword) => DEFINITIONS.includes(keyword) ? undefined : write(subschema, inside))
    if (left < 0 || inside.filter(ref => ref === $ref).length > UNROLLED) return cutShort(node, root)
    return write(resolve(node, root), [...inside, $ref])
  }
  return withoutDefinitions(write(root, ['#']))
}

const DEFINITIONS = ['$defs', 'definitions']

function withoutDefinitions (schema: JsonSchema): JsonSchema {
  const { $defs, definitions, ...rest } = mapSubschemas(schema, withoutDefinitions)
  return rest
}

/** The type is all that is kept of it: of an object any field, of an array any item. */
function cutShort (node: JsonSchema, root: JsonSchema): JsonSchema {
  const types = typesOf(node, root)
  const { description } = node
  return {
    ...(types.length === 1 && { type: types[0] }),
    ...(types[0] === 'object' && { additionalProperties: true }),
    description: joinSentences([description, `${nameOf(node)} again: not written out any further here, but checked`])
  }
}

/** TypeBox numbers recursive schemas without a name; such a number tells a reader nothing. */
function nameOf ({ $ref }: JsonSchema): string {
  const [, name] = /^#\/\$defs\/(?!T\d+$)([\w.-]+)$/.exec($ref) ?? []
  return name ?? 'The same form'
}
