import { typeOf } from '../schema/describe-value.js'
import type { JsonSchema } from '../schema/infer.js'
import { expectationOf } from '../schema/phrases.js'
import { expectationText } from '../schema/rules.js'
import { isObjectSchema, isSchema } from '../schema/walk.js'
import { combine, type Combined, type Union } from './combine.js'
import { inlineRefs } from './inline-refs.js'
import { joinSentences, modernSchema } from './modern-schema.js'
import { fieldsOf, othersOf, unionWords } from './object-form.js'
import { FOR_ANY, kept, leftOver, NOTES, omit, pick } from './plain-keywords.js'
import { jsonWords, ruleWords } from './rule-words.js'

/**
 * A published input schema in the few words that mean the same to every reader of any draft: an object at its root, `anyOf` and no other
 * composition, no references, no tuples. It accepts what the original accepts, and more where these words do not suffice:
 * what is missing stands in the descriptions.
 */
export function plainSchema (root: JsonSchema): JsonSchema {
  const schema = modernSchema(inlineRefs(root))
  return { ...object(combine(schema), schema), type: 'object' }
}

function plain (node: unknown): JsonSchema {
  if (!isSchema(node)) return {}
  const combined = combine(node)
  const { rules, unions } = combined
  if (isObject(combined, node)) return object(combined, node)
  if (unions.length > 0) return choice(combined)
  if (rules.enum !== undefined) return listed(combined)
  const types = [rules.type ?? []].flat()
  const [type, ...more] = types.filter(type => type !== 'null')
  if (more.length > 0) return either(combined, types)
  if (type === 'array') return array(combined)
  return described(kept(rules), combined, leftOver(rules))
}

const OF_OBJECTS = ['properties', 'patternProperties', 'required', 'minProperties', 'maxProperties', 'propertyNames', 'dependentRequired', 'dependentSchemas']

function isObject ({ rules, unions }: Combined, node: JsonSchema): boolean {
  const types = [rules.type ?? 'object'].flat().filter(type => type !== 'null')
  if (types.length !== 1 || types[0] !== 'object' || rules.enum !== undefined) return false
  if (OF_OBJECTS.some(keyword => keyword in rules) || (rules.type !== undefined && unions.length !== 1)) return true
  return node.unevaluatedProperties !== undefined && unions.every(({ branches }) => branches.every(branch => isSchema(branch) && isObjectSchema(combine(branch).rules)))
}

/** An object with all fields that any of its members declares; which of them go together is said in words. */
function object (combined: Combined, node: JsonSchema): JsonSchema {
  const { rules, unions } = combined
  const fields = [...fieldsOf(combined)]
  const required = fields.filter(([, field]) => field.required).map(([name]) => name)
  const others = othersOf(node)
  return described({
    type: [rules.type ?? []].flat().includes('null') ? ['object', 'null'] : 'object',
    properties: Object.fromEntries(fields.map(([name, { schema }]) => [name, plain(schema)])),
    ...(required.length > 0 && { required }),
    additionalProperties: isSchema(others) ? plain(others) : others ?? true,
    ...pick(rules, ['minProperties', 'maxProperties', ...NOTES])
  }, combined, [...unions.map(unionWords), ...nameWords(rules, others), ...leftOver(rules)])
}

function nameWords ({ patternProperties, properties }: JsonSchema, others: unknown): string[] {
  const patterns = Object.keys(patternProperties ?? {})
  if (patterns.length === 0) return []
  if (patterns.length > 1 || others === true) return [jsonWords({ patternProperties })]
  return [`Names of ${properties === undefined ? '' : 'other '}fields match the regular expression ${patterns[0]}`]
}

function array (combined: Combined): JsonSchema {
  const { rules } = combined
  const { prefixItems, items } = rules
  const places: unknown[] | undefined = Array.isArray(prefixItems) ? prefixItems : undefined
  const isClosed = items === false
  const last = places?.length ?? 0
  return described({
    ...kept(rules),
    items: places === undefined ? plain(items) : items === undefined || items === true ? {} : plain(modernSchema({ anyOf: [...places, ...(isClosed ? [] : [items])] })),
    ...(isClosed && { maxItems: Math.min(rules.maxItems ?? last, last) })
  }, combined, [...(places === undefined ? [] : [placesWords(places, items)]), ...leftOver(rules)])
}

function placesWords (places: readonly unknown[], rest: unknown): string {
  const told = places.map(place => isSchema(place) ? expectationText(expectationOf(place, place)) : 'anything')
  const more = rest === false ? '' : isSchema(rest) ? `; any more of ${expectationText(expectationOf(rest, rest))}` : '; then anything'
  return `In this order: ${told.join('; ')}${more}`
}

/** A union whose branches say by themselves what they are. What stands beside it holds for each of them. */
function choice (combined: Combined): JsonSchema {
  const [union, ...others] = combined.unions as [Union, ...Union[]]
  const beside = omit(combined.rules, NOTES)
  const possible = union.branches.filter(branch => branch !== false)
  const branches = possible.map(branch => plain(Object.keys(beside).length === 0 ? branch : { allOf: [beside, branch] }))
  const more = others.map(({ exact, branches }) => jsonWords(exact ? { oneOf: branches } : { anyOf: branches }))
  return described({ ...pick(combined.rules, NOTES), ...oneOrAny(branches) }, combined, [union.exact && possible.length > 1 ? 'Exactly one of the forms' : undefined, ...more])
}

function oneOrAny (branches: readonly JsonSchema[]): JsonSchema {
  const flat = branches.flatMap(branch => Object.keys(branch).join() === 'anyOf' ? branch.anyOf as JsonSchema[] : [branch])
  const distinct = [...new Map(flat.map(branch => [JSON.stringify(branch), branch])).values()]
  if (distinct.length === 0 || distinct.some(branch => Object.keys(branch).length === 0)) return {}
  return distinct.length === 1 ? distinct[0]! : { anyOf: distinct }
}

/** Several types, each with the rules that are about it. */
function either (combined: Combined, types: readonly string[]): JsonSchema {
  const { rules } = combined
  const branches = types.map(type => plain({ ...omit(rules, [...NOTES, ...FOR_ANY]), type }))
  return described({ ...pick(rules, NOTES), anyOf: branches }, combined, leftOver(pick(rules, FOR_ANY)))
}

/** Listed values, each with those of its type; objects and lists are told in words. */
function listed (combined: Combined): JsonSchema {
  const { rules } = combined
  const types = [rules.type ?? []].flat()
  const kindOf = (value: unknown): string => typeOf(value) === 'number' && types.includes('integer') ? 'integer' : typeOf(value)
  const kinds = [...new Set((rules.enum as unknown[]).map(kindOf))].filter(type => types.length === 0 || types.includes(type))
  const [first, ...more] = kinds.map(type => listedOf({ ...omit(rules, NOTES), type, enum: rules.enum.filter((value: unknown) => kindOf(value) === type) }))
  const notes = pick(rules, NOTES)
  if (more.length > 0) return described({ ...notes, anyOf: [first, ...more] }, combined, leftOver(pick(rules, FOR_ANY)))
  return described({ ...first, ...notes }, combined, [first?.description, ...leftOver(pick(rules, FOR_ANY))])
}

function listedOf ({ enum: values, ...rules }: JsonSchema): JsonSchema {
  if (rules.type === 'null') return { type: 'null' }
  if (rules.type !== 'array' && rules.type !== 'object') return { ...kept(rules), enum: values }
  return { ...plain({ ...rules, ...(rules.type === 'object' && { additionalProperties: true }) }), description: ruleWords('enum', values) }
}

function described (schema: JsonSchema, { words }: Combined, more: ReadonlyArray<string | undefined>): JsonSchema {
  const description = joinSentences([schema.description, ...more, ...words])
  return description === '' ? schema : { ...schema, description }
}
