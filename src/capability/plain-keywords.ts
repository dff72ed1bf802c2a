import type { JsonSchema } from '../schema/infer.js'
import { jsonWords, ruleWords } from './rule-words.js'

/** What describes a value and is kept beside any form of it. */
export const NOTES = ['description', 'default', 'examples']
/** What no plain schema says, of values of any type. */
export const FOR_ANY = ['not', 'if', 'then', 'else']

const OF_NUMBERS = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf']
const BY_TYPE: Readonly<Record<string, readonly string[]>> = {
  string: ['minLength', 'maxLength', 'pattern', 'format'],
  number: OF_NUMBERS,
  integer: OF_NUMBERS,
  array: ['minItems', 'maxItems', 'uniqueItems'],
  object: ['minProperties', 'maxProperties']
}
const OF_TYPES = Object.values(BY_TYPE).flat()
const STRUCTURE = ['type', 'enum', 'items', 'prefixItems', 'properties', 'required', 'patternProperties']
const CONDITION = ['if', 'then', 'else']
const CONTAINED = ['contains', 'minContains', 'maxContains']

function typesOf ({ type }: JsonSchema): string[] {
  return [type ?? []].flat()
}

/** The notes, the type, and the rules about values of that type. */
export function kept (rules: JsonSchema): JsonSchema {
  return { ...pick(rules, ['type']), ...pick(rules, [...NOTES, ...typesOf(rules).flatMap(type => BY_TYPE[type] ?? [])]) }
}

/** The rules that have no plain form, in words. Without a type that is also what is said of one type alone. */
export function leftOver (rules: JsonSchema): Array<string | undefined> {
  const said = [...NOTES, ...CONDITION, ...CONTAINED, ...(typesOf(rules).length === 0 ? [] : [...OF_TYPES, ...STRUCTURE])]
  const together = [CONDITION, CONTAINED].filter(([first, ...more]) => first! in rules && (first !== 'if' || more.some(keyword => keyword in rules)))
  return [...together.map(keywords => jsonWords(pick(rules, keywords))), ...Object.entries(omit(rules, said)).map(([keyword, value]) => ruleWords(keyword, value))]
}

/** A copy with these keywords alone. */
export function pick (schema: JsonSchema, keywords: readonly string[]): JsonSchema {
  return Object.fromEntries(Object.entries(schema).filter(([keyword]) => keywords.includes(keyword)))
}

/** A copy without these keywords. */
export function omit (schema: JsonSchema, keywords: readonly string[]): JsonSchema {
  return Object.fromEntries(Object.entries(schema).filter(([keyword]) => !keywords.includes(keyword)))
}
