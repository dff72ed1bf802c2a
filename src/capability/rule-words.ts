import { isExactnessBound } from '../schema/close.js'
import { plural } from '../schema/describe-value.js'
import { formatPhrase } from '../schema/formats.js'

/** What a keyword demands, as a sentence without its full stop: for readers of a form that has no such keyword. `undefined` for what demands nothing. */
export function ruleWords (keyword: string, value: unknown): string | undefined {
  if (Object.hasOwn(WORDS, keyword)) return WORDS[keyword]!(value)
  return SILENT.has(keyword) ? undefined : jsonWords({ [keyword]: value })
}

/** The words of last resort: models read JSON Schema as it is. */
export function jsonWords (schema: object): string {
  return `Checked too, as JSON Schema: ${JSON.stringify(schema)}`
}

type Words = (value: any) => string | undefined

const bound = (words: string): Words => value => isExactnessBound(value) ? undefined : `${words} ${value}`
const count = (words: string, noun: string): Words => value => `${words} ${plural(value, noun)}`

const WORDS: Readonly<Record<string, Words>> = {
  minimum: bound('At least'),
  maximum: bound('At most'),
  exclusiveMinimum: value => `Above ${value}`,
  exclusiveMaximum: value => `Below ${value}`,
  multipleOf: value => `A multiple of ${value}`,
  minLength: count('At least', 'character'),
  maxLength: count('At most', 'character'),
  minItems: count('At least', 'item'),
  maxItems: count('At most', 'item'),
  minProperties: count('At least', 'field'),
  maxProperties: count('At most', 'field'),
  uniqueItems: value => value === true ? 'No item twice' : undefined,
  pattern: value => `Matches the regular expression ${value}`,
  format: value => sentence(formatPhrase(value)),
  enum: values => values.length === 1 ? `Always ${JSON.stringify(values[0])}` : `One of ${values.map((value: unknown) => JSON.stringify(value)).join(', ')}`,
  default: value => `Default ${JSON.stringify(value)}`,
  examples: ([value]) => value === undefined ? undefined : `For example ${JSON.stringify(value)}`,
  dependentRequired: rules => Object.entries<string[]>(rules).map(([name, others]) => `With ${name} goes ${others.join(', ')}`).join('. '),
  propertyNames: schema => jsonWords({ propertyNames: schema })
}

/** What describes a value and demands nothing. */
const SILENT: ReadonlySet<string> = new Set(['title', 'description', 'deprecated', 'readOnly', 'writeOnly', '$comment', '$id', '$schema', '$anchor', 'contentEncoding', 'contentMediaType'])

function sentence (text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
