import type { JsonSchema } from '../schema/infer.js'
import { isSchema } from '../schema/walk.js'
import { joinSentences } from './modern-schema.js'
import { ruleWords } from './rule-words.js'

/** A choice among schemas; `exact`: exactly one of them has to hold. */
export interface Union { readonly exact: boolean, readonly branches: readonly unknown[] }

/** A schema and the members of its `allOf` as one. */
export interface Combined {
  /** The keywords of all of them, but for unions and what is said of undeclared fields. */
  readonly rules: JsonSchema
  readonly unions: readonly Union[]
  /** Rules that could not be joined, in words. */
  readonly words: readonly string[]
}

/** Joins a schema with the members of its `allOf`. Where two say different things that no keyword says together, the first one stays and the other becomes words. */
export function combine (schema: JsonSchema): Combined {
  const rules: Record<string, unknown> = {}
  const unions: Union[] = []
  const words: string[] = []
  for (const { allOf, anyOf, oneOf, additionalProperties, unevaluatedProperties, ...own } of partsOf(schema)) {
    if (Array.isArray(anyOf)) unions.push({ exact: false, branches: anyOf })
    if (Array.isArray(oneOf)) unions.push({ exact: true, branches: oneOf })
    for (const [keyword, value] of Object.entries(normal(own))) {
      const joined = Object.hasOwn(rules, keyword) ? join(keyword, rules[keyword], value) : value
      if (joined !== undefined) rules[keyword] = joined
      else words.push(ruleWords(keyword, value) ?? '')
    }
  }
  return { rules: { ...rules, ...(Array.isArray(rules.type) && rules.type.length === 1 && { type: rules.type[0] }) }, unions, words }
}

/** A schema and the members of its `allOf`, theirs too. */
export function partsOf (schema: JsonSchema): JsonSchema[] {
  return [schema, ...[schema.allOf ?? []].flat().filter(isSchema).flatMap(partsOf)]
}

/** One word for one thing: a literal is a list of one, a title is said first. */
function normal ({ const: literal, title, ...schema }: JsonSchema): JsonSchema {
  const description = joinSentences([title, schema.description])
  return {
    ...schema,
    ...(description !== '' && { description }),
    ...(literal !== undefined && { enum: [literal] })
  }
}

function join (keyword: string, a: any, b: any): unknown {
  if (Object.hasOwn(JOINED, keyword)) return JOINED[keyword]!(a, b)
  return same(a, b) ? a : undefined
}

const JOINED: Readonly<Record<string, (a: any, b: any) => unknown>> = {
  type: joinTypes,
  enum: (a: unknown[], b: unknown[]) => filled(a.filter(value => b.some(other => same(value, other)))),
  required: (a: string[], b: string[]) => [...new Set([...a, ...b])],
  properties: joinMaps,
  patternProperties: joinMaps,
  description: (a, b) => joinSentences([a, b]),
  default: a => a,
  examples: a => a,
  uniqueItems: (a, b) => a || b,
  ...Object.fromEntries(['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties'].map(keyword => [keyword, Math.max])),
  ...Object.fromEntries(['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties'].map(keyword => [keyword, Math.min]))
}

function joinTypes (a: string | string[], b: string | string[]): string[] | undefined {
  const [first, second] = [[a].flat(), [b].flat()]
  const both = first.filter(type => second.includes(type) || (type === 'integer' && second.includes('number')))
  return filled([...new Set([...both, ...second.filter(type => type === 'integer' && first.includes('number'))])])
}

function joinMaps (a: JsonSchema, b: JsonSchema): JsonSchema {
  return Object.fromEntries([...new Set([...Object.keys(a), ...Object.keys(b)])].map(name => {
    const [first, second] = [a, b].filter(map => Object.hasOwn(map, name)).map(map => map[name])
    return [name, second === undefined || same(first, second) ? first : first === false || second === false ? false : { allOf: [first, second] }]
  }))
}

/** Nothing that satisfies both is a contradiction, and stays with whoever wrote it. */
function filled<T> (values: T[]): T[] | undefined {
  return values.length === 0 ? undefined : values
}

function same (a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}
