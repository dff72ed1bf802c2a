import { oneLine } from '../protocol/text.js'
import { quote, withArticle } from './describe-value.js'

/** How many allowed values are listed; the rest are counted. */
const LISTED = 20
/** Of an author's own words, or of one value, inside a sentence of ours. */
export const MAX_WORDS = 160

/** What would be right, in its parts: a list can be shortened by items, and still say how many there are. */
export interface Expectation {
  readonly lead: string
  readonly items?: readonly string[]
}

/** An expectation as text of at most `room` characters: the first twenty items of its list, fewer where they do not fit, and the total. */
export function expectationText ({ lead, items }: Expectation, room: number = Number.POSITIVE_INFINITY): string {
  if (items === undefined) return room === Number.POSITIVE_INFINITY ? lead : oneLine(lead, Math.max(room, 1))
  let shown = Math.min(items.length, LISTED)
  while (shown > 0 && withItems(lead, items, shown).length > room) shown--
  return withItems(lead, items, shown)
}

function withItems (lead: string, items: readonly string[], shown: number): string {
  const more = items.length > shown ? `${shown > 0 ? ', ' : ''}… (${items.length} in all)` : ''
  return `${lead}${items.slice(0, shown).join(', ')}${more}`
}

/** A list of allowed values for a reader: the first twenty and the total. */
export function listValues (values: readonly unknown[]): string {
  return expectationText(oneOf(values))
}

/** The expectation of one of these values. */
export function oneOf (values: readonly unknown[]): Expectation {
  const items = values.map(value => oneLine(quote(value), MAX_WORDS))
  return items.length === 1 ? { lead: items[0]! } : { lead: 'one of ', items }
}

/** The expectation of these fields, of those with names like these, and of no others. */
export function onlyFields (names: readonly string[], patterns: readonly string[] = []): Expectation {
  const items = [...names.map(name => oneLine(name, 64)), ...patterns.map(pattern => `${names.length > 0 ? 'those ' : ''}whose names match ${oneLine(pattern, 64)}`)]
  if (items.length === 0) return { lead: 'no fields at all' }
  if (names.length === 0) return { lead: 'only fields ', items }
  return { lead: items.length === 1 ? 'only the field ' : 'only the fields ', items }
}

/** What a type keyword wants, with articles: `a string or null`. */
export function expectedType (type: unknown): string {
  return [type].flat().map(name => withArticle(String(name))).join(' or ')
}

// A missing field, an unknown field and a wrong type are mistakes in writing the call; these are about what was meant.
const VALUE_RULES = new Set([
  'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf', 'minLength', 'maxLength', 'pattern', 'format', 'enum', 'const',
  'minItems', 'maxItems', 'uniqueItems', 'contains', 'minProperties', 'maxProperties', 'not', 'propertyNames', 'anyOf', 'oneOf'
])

/** Is this rule about the value, and not about how the call is written? */
export function isValueRule (keyword: string): boolean {
  return VALUE_RULES.has(keyword)
}

/** Is a field that is not there all that this rule is about? */
export function isMissingRule (keyword: string): boolean {
  return keyword === 'required' || keyword === 'dependentRequired'
}
