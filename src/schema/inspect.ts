import { add, addBroken, addForms, addMissing, addNeither, addNotEither, addNotListed, addUnknown, fieldPath, isMissing, type Effort, type Place, type Sink, type Walk } from './add-finding.js'
import { brokenRule } from './broken-rules.js'
import { declaredFields, itemSchema, ownFieldSchemas } from './declared.js'
import { itemPath, propertyPath } from './describe-value.js'
import { fieldPolicy, ordinary } from './field-policy.js'
import type { Finding } from './finding.js'
import { resolve } from './hoist.js'
import type { JsonSchema } from './infer.js'
import { expectationOf } from './phrases.js'
import { oneOf } from './rules.js'
import { chooseBranch, isMarkedOther, literals } from './unions.js'
import { isSchema } from './walk.js'

/** Finds what is wrong with a value that broke `root`, a closed schema: each node's own rules, then what lies in the value. */
export function inspect (root: JsonSchema, value: unknown, sink: Sink, effort: Effort): void {
  visit({ root, sink, effort, renamed: new Set(), isCount: false, fills: true }, root, { value, path: '', policy: ordinary, whole: undefined })
}

function visit (walk: Walk, node: unknown, outer: Place): void {
  if (walk.sink.enough || walk.effort.steps-- <= 0) return
  if (node === false) return add(walk, outer, 'false schema', () => ({ lead: 'nothing here' }))
  if (!isSchema(node)) return
  const schema = resolve(node, walk.root)
  const { value, path, whole = schema } = outer
  const place: Place = { value, path, policy: fieldPolicy(schema, walk.root, outer.policy), whole }
  const allowed = allowedBy(schema, walk.root)
  if (allowed !== undefined && !allowed.has(value)) return addNotListed(walk, place, [...allowed])
  // To look for repeated items is work for each of them.
  if (schema.uniqueItems === true && Array.isArray(value) && (walk.effort.steps -= 4 * value.length) <= 0) return
  const broken = brokenRule(schema, value, allowed !== undefined)
  if (broken !== undefined) addBroken(walk, place, broken, schema, accepts(walk, [schema], place))
  if (broken === 'type') return
  if (Array.isArray(value)) visitItems(walk, schema, place)
  // Misspelt fields first: they explain missing ones.
  else if (isSchema(value)) visitFields(walk, schema, place)
  visitMembers(walk, schema, place)
}

function visitMembers (walk: Walk, schema: JsonSchema, place: Place): void {
  if (schema.allOf !== undefined) for (const member of schema.allOf) visit(walk, member, place)
  if (schema.anyOf !== undefined) visitUnion({ ...walk, fills: false }, schema.anyOf, place, 1, Number.POSITIVE_INFINITY)
  if (schema.oneOf !== undefined) visitUnion({ ...walk, fills: false }, schema.oneOf, place, 1, 1)
  if (schema.if !== undefined) visit(walk, holds(walk, schema.if, place) ? schema.then : schema.else, place)
  if (schema.not !== undefined && holds(walk, schema.not, place)) add(walk, place, 'not', () => isSchema(schema.not) ? expectationOf({ not: schema.not }, walk.root) : { lead: 'nothing here' })
}

function visitUnion (walk: Walk, branches: readonly unknown[], place: Place, least: number, most: number): void {
  let holding = 0
  for (const branch of branches) {
    if (holds(walk, branch, place)) holding++
    if (holding >= least && most === Number.POSITIVE_INFINITY) return
  }
  if (holding >= least && holding <= most) return
  const schemas = branches.filter(isSchema)
  // Who counts asks for no words.
  if (walk.isCount || holding > most) return addForms(walk, place, branches.length, holding)
  if (schemas.every(asksForFieldsAlone) && isSchema(place.value)) return addNeither(walk, place, schemas)
  const choice = chooseBranch(branches, walk.root, place.value, branch => count(walk, branch, place))
  // A branch of an inner union may hold, where the union does not.
  if ('branch' in choice) return branches.includes(choice.branch) || !holds(walk, choice.branch, place) ? visit(walk, choice.branch, place) : addForms(walk, place, branches.length)
  if ('either' in choice) return addNotEither(walk, place, choice.either, accepts(walk, choice.either, place), choice.lacks)
  const { field, allowed } = choice
  const path = propertyPath(place.path, field)
  const value = (place.value as JsonSchema)[field]
  if (value === undefined) add(walk, { ...place, path }, 'required', () => oneOf(allowed))
  else addNotListed(walk, { ...place, value, path }, allowed)
}

function asksForFieldsAlone (schema: JsonSchema): boolean {
  return Array.isArray(schema.required) && schema.properties === undefined && Object.keys(schema).every(keyword => ['required', 'type', 'additionalProperties', 'unevaluatedProperties'].includes(keyword))
}

function visitItems (walk: Walk, schema: JsonSchema, place: Place): void {
  const items = place.value as readonly unknown[]
  for (let index = 0; index < items.length && !walk.sink.enough && walk.effort.steps > 0; index++) {
    const subschema = itemSchema(schema, index)
    // One item too many is told of the array, once.
    if (subschema === false) return add(walk, place, 'maxItems', () => ({ lead: `an array of ${index === 1 ? '1 item' : `${index} items`}` }))
    if (isSchema(subschema)) visit(walk, subschema, inside(place, items[index], itemPath(place.path, index)))
  }
  if (schema.contains !== undefined) visitContains(walk, schema, place)
}

function visitContains (walk: Walk, { contains, minContains = 1, maxContains = Number.POSITIVE_INFINITY }: JsonSchema, place: Place): void {
  const found = (place.value as readonly unknown[]).filter(item => holds(walk, contains, inside(place, item, place.path))).length
  if (found >= minContains && found <= maxContains) return
  const many = maxContains === Number.POSITIVE_INFINITY ? `at least ${minContains}` : `${minContains} to ${maxContains}`
  add(walk, place, 'contains', () => ({ lead: `an array with ${many} of this kind: ${isSchema(contains) ? expectationOf(contains, walk.root).lead : 'any item'}` }))
}

function visitFields (walk: Walk, schema: JsonSchema, place: Place): void {
  const value = place.value as JsonSchema
  const keys = Object.keys(value)
  walk.effort.steps -= keys.length
  const others = visitOthers(walk, schema, place, keys)
  visitRequired(walk, schema, place, value)
  if (schema.propertyNames !== undefined) visitNames(walk, schema.propertyNames, place, keys)
  for (const key of keys) {
    if (walk.sink.enough || walk.effort.steps <= 0) return
    for (const subschema of others.has(key) ? [others.get(key)] : ownFieldSchemas(schema, key)) if (value[key] !== undefined) visit(walk, subschema, inside(place, value[key], fieldPath(place, key)))
  }
  if (schema.dependentSchemas !== undefined) for (const [key, subschema] of Object.entries(schema.dependentSchemas)) if (!isMissing(value, key)) visit(walk, subschema, place)
}

function visitRequired (walk: Walk, schema: JsonSchema, place: Place, value: JsonSchema): void {
  const { required = [], dependentRequired = {} } = schema
  // The validator, which stops at the first violation, may not have come to fill this one in.
  const lacks = (key: string): boolean => isMissing(value, key) && !(walk.fills && hasDefault(schema, key))
  for (const key of required) if (walk.effort.steps > 0 && lacks(key)) addMissing(walk, schema, place, key)
  for (const [key, wanted] of Object.entries(dependentRequired)) {
    if (!isMissing(value, key)) for (const other of wanted as string[]) if (lacks(other)) addMissing(walk, schema, place, other, key)
  }
}

function hasDefault ({ properties }: JsonSchema, key: string): boolean {
  return isSchema(properties) && Object.hasOwn(properties, key) && isSchema(properties[key]) && properties[key].default !== undefined
}

/** The fields that are not declared are unknown, or have a schema together: that is returned for each of them. */
function visitOthers (walk: Walk, schema: JsonSchema, place: Place, keys: readonly string[]): Map<string, unknown> {
  const { additionalProperties, unevaluatedProperties } = schema
  const others = new Map<string, unknown>()
  const closed = additionalProperties === false || unevaluatedProperties === false
  if (!closed && !isSchema(unevaluatedProperties)) return others
  // Nearly always all of them are: what the members declare need not be known.
  if (declaresAll(schema, keys)) return others
  const value = place.value as JsonSchema
  const known = declaredFields(schema, walk.root, member => holds(walk, member, place), key => !isMissing(value, key))
  for (const key of keys) {
    if (walk.sink.enough) return others
    // A field that is declared as `false` is no field.
    if (known.has(key) && !ownFieldSchemas(schema, key).includes(false)) continue
    others.set(key, closed ? undefined : unevaluatedProperties)
    if (closed) addUnknown(walk, place, known, key)
  }
  return others
}

function declaresAll ({ properties, patternProperties }: JsonSchema, keys: readonly string[]): boolean {
  return patternProperties === undefined && isSchema(properties) && keys.every(key => Object.hasOwn(properties, key) && properties[key] !== false)
}

function visitNames (walk: Walk, names: unknown, place: Place, keys: readonly string[]): void {
  for (const key of keys) {
    const named = inside(place, key, fieldPath(place, key))
    if (!holds(walk, names, named)) add(walk, named, 'propertyNames', () => ({ lead: `a field name that is ${isSchema(names) ? expectationOf(names, walk.root).lead : 'declared'}` }))
  }
}

function inside (place: Place, value: unknown, path: string): Place {
  return { value, path, policy: place.policy, whole: undefined }
}

/** Does the value satisfy this schema? Where the effort is used up, it is taken to. */
function holds (walk: Walk, node: unknown, place: Place): boolean {
  if (isSchema(node) && isSchema(place.value) && isMarkedOther(node, walk.root, place.value)) return false
  return count(walk, node, place, 1) === 0
}

/** Would another value be right here? Asked when the effort may be used up, so it has one of its own. */
function accepts (walk: Walk, schemas: readonly JsonSchema[], place: Place): (value: unknown) => boolean {
  return value => schemas.some(schema => holds({ ...walk, effort: { steps: 2_000, words: 0 } }, schema, { ...place, value, whole: undefined }))
}

function count (walk: Walk, node: unknown, place: Place, most: number = 20): number {
  const fields = new Set<string>()
  const sink = { add: ({ field }: Finding) => { fields.add(field) }, get enough () { return fields.size >= most } }
  visit({ root: walk.root, effort: walk.effort, sink, renamed: new Set(), isCount: true, fills: false }, node, place)
  return fields.size
}

// By node: a list of five hundred is not searched for each of ten thousand items.
const listed = new WeakMap<JsonSchema, ReadonlySet<unknown> | null>()

function allowedBy (schema: JsonSchema, root: JsonSchema): ReadonlySet<unknown> | undefined {
  let allowed = listed.get(schema)
  if (allowed === undefined) {
    const values = literals(schema, root)
    allowed = values === undefined ? null : new Set(values)
    listed.set(schema, allowed)
  }
  return allowed ?? undefined
}
