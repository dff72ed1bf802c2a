import { brokenRule } from './broken-rules.js'
import { repeatedItems } from './canonical.js'
import { isExactnessBound } from './close.js'
import { declaredFields, fieldSchemas, itemSchema, ownFieldSchemas, type DeclaredFields } from './declared.js'
import { itemPath, plural, propertyPath, typeOf } from './describe-value.js'
import { fieldPolicy, ordinary, type FieldPolicy } from './field-policy.js'
import type { Finding } from './finding.js'
import { resolve } from './hoist.js'
import type { JsonSchema } from './infer.js'
import { nearest } from './nearest.js'
import { eitherOf, exactInteger, expectationOf } from './phrases.js'
import { oneOf, onlyFields, type Expectation } from './rules.js'
import { chooseBranch, isMarkedOther, literals } from './unions.js'
import { isSchema } from './walk.js'

/** Where findings go. */
export interface Sink {
  add (finding: Finding): void
  /** Has enough been found? Then the inspection ends. */
  readonly enough: boolean
}

/** What an inspection may still do: it must not hold the event loop, whatever the schema and the value. */
export interface Effort { steps: number, words: number }

/** Enough for 64 KiB with some thousand mistakes, and done within some ten milliseconds. */
export const fullEffort = (): Effort => ({ steps: 40_000, words: 10_000 })

/** What a finding costs, in steps: a schema may find hundreds in each of thousands of places. */
const FINDING = 20

interface Walk {
  readonly root: JsonSchema
  readonly sink: Sink
  readonly effort: Effort
  /** Fields that are there under a misspelt name: they are not missing as well. */
  readonly renamed: Set<string>
  /** Is only the number of problems asked for? Then a union that does not hold is one, whatever its branches say. */
  readonly isCount: boolean
}

/** One value of the input. */
interface Place {
  readonly value: unknown
  readonly path: string
  readonly policy: FieldPolicy
  /** The outermost schema of this value: members know only a part of its fields. */
  readonly whole: JsonSchema | undefined
}

/** Finds what is wrong with a value that broke `root`, a closed schema: each node's own rules, then what lies in the value. */
export function inspect (root: JsonSchema, value: unknown, sink: Sink, effort: Effort): void {
  visit({ root, sink, effort, renamed: new Set(), isCount: false }, root, { value, path: '', policy: ordinary, whole: undefined })
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
  const broken = brokenRule(schema, value, allowed !== undefined)
  if (broken !== undefined) addBroken(walk, place, broken, schema)
  if (broken === 'type') return
  if (Array.isArray(value)) visitItems(walk, schema, place)
  // Misspelt fields first: they explain missing ones.
  else if (isSchema(value)) visitFields(walk, schema, place)
  visitMembers(walk, schema, place)
}

function visitMembers (walk: Walk, schema: JsonSchema, place: Place): void {
  if (schema.allOf !== undefined) for (const member of schema.allOf) visit(walk, member, place)
  if (schema.anyOf !== undefined) visitUnion(walk, schema.anyOf, place, 1, Number.POSITIVE_INFINITY)
  if (schema.oneOf !== undefined) visitUnion(walk, schema.oneOf, place, 1, 1)
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
  if (walk.isCount) return add(walk, place, 'anyOf', () => ({ lead: '' }))
  if (holding > most) return addForms(walk, place, branches.length, holding)
  if (schemas.every(asksForFieldsAlone) && isSchema(place.value)) return add(walk, place, 'anyOf', () => ({ lead: `an object with ${schemas.map(({ required }) => required.join(' and ')).join(', or with ')}` }), { received: schemas.length === 2 ? 'neither' : 'none of them' })
  const choice = chooseBranch(branches, walk.root, place.value, branch => count(walk, branch, place))
  // A branch of an inner union may hold, where the union does not.
  if ('branch' in choice) return branches.includes(choice.branch) || !holds(walk, choice.branch, place) ? visit(walk, choice.branch, place) : addForms(walk, place, branches.length)
  if ('either' in choice) return addNotEither(walk, place, choice.either)
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
    for (const subschema of others.has(key) ? [others.get(key)] : ownFieldSchemas(schema, key)) if (value[key] !== undefined) visit(walk, subschema, inside(place, value[key], fieldPath(walk, place, key)))
  }
  if (schema.dependentSchemas !== undefined) for (const [key, subschema] of Object.entries(schema.dependentSchemas)) if (!isMissing(value, key)) visit(walk, subschema, place)
}

function visitRequired (walk: Walk, { required = [], dependentRequired = {} }: JsonSchema, place: Place, value: JsonSchema): void {
  for (const key of required) if (walk.effort.steps > 0 && isMissing(value, key)) addMissing(walk, place, key)
  for (const [key, wanted] of Object.entries(dependentRequired)) {
    if (!isMissing(value, key)) for (const other of wanted as string[]) if (isMissing(value, other)) addMissing(walk, place, other, key)
  }
}

/** The fields that are not declared are unknown, or have a schema together: that is returned for each of them. */
function visitOthers (walk: Walk, schema: JsonSchema, place: Place, keys: readonly string[]): Map<string, unknown> {
  const { additionalProperties, unevaluatedProperties } = schema
  const others = new Map<string, unknown>()
  const closed = additionalProperties === false || unevaluatedProperties === false
  if (!closed && !isSchema(unevaluatedProperties)) return others
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

function visitNames (walk: Walk, names: unknown, place: Place, keys: readonly string[]): void {
  for (const key of keys) {
    const named = inside(place, key, fieldPath(walk, place, key))
    if (!holds(walk, names, named)) add(walk, named, 'propertyNames', () => ({ lead: `a field name that is ${isSchema(names) ? expectationOf(names, walk.root).lead : 'declared'}` }))
  }
}

function isMissing (value: JsonSchema, key: string): boolean {
  return !Object.hasOwn(value, key) || value[key] === undefined
}

/** In a secret, names that only the caller knows are secret too. */
function fieldPath (walk: Walk, { path, policy, whole }: Place, key: string): string {
  return policy.sensitive && !fieldSchemas(whole!, walk.root, key).length ? `${path}.*` : propertyPath(path, key)
}

function inside (place: Place, value: unknown, path: string): Place {
  return { value, path, policy: place.policy, whole: undefined }
}

/** Does the value satisfy this schema? Where the effort is used up, it is taken to. */
function holds (walk: Walk, node: unknown, place: Place): boolean {
  if (isSchema(node) && isSchema(place.value) && isMarkedOther(node, walk.root, place.value)) return false
  return count(walk, node, place, 1) === 0
}

function count (walk: Walk, node: unknown, place: Place, most: number = 20): number {
  const fields = new Set<string>()
  const sink = { add: ({ field }: Finding) => { fields.add(field) }, get enough () { return fields.size >= most } }
  visit({ root: walk.root, effort: walk.effort, sink, renamed: new Set(), isCount: true }, node, place)
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

function add (walk: Walk, { path: field, value, policy }: Place, rule: string, expectation: () => Expectation, more: Partial<Finding> = {}): void {
  walk.effort.steps -= FINDING
  walk.sink.add({ field, rule, value, policy, expectation, ...more })
}

function addBroken (walk: Walk, place: Place, rule: string, schema: JsonSchema): void {
  const accepts = (value: unknown): boolean => holds(walk, schema, { ...place, value, whole: undefined })
  add(walk, place, rule, () => isInexact(schema, rule, place.value) ? exactInteger : expectationOf(schema, walk.root), { accepts, received: countOf(rule, place.value) })
}

/** Is this an integer with more digits than a number holds: one that lost some, or the text of one? */
function isInexact (schema: JsonSchema, rule: string, value: unknown): boolean {
  const bounded = [schema.minimum, schema.maximum].some(isExactnessBound)
  return bounded && (rule === 'type' ? typeof value === 'string' && /^-?\d{16,}$/.test(value) : isExactnessBound(schema[rule]))
}

/** What a rule that counts has counted. */
function countOf (rule: string, value: unknown): string | undefined {
  if (rule === 'minProperties' || rule === 'maxProperties') return `an object of ${plural(Object.keys(value as object).length, 'field')}`
  return rule === 'uniqueItems' ? `an array whose items ${repeatedItems(value as unknown[])!.join(' and ')} are equal` : undefined
}

function addNotListed (walk: Walk, place: Place, allowed: readonly unknown[]): void {
  // A number for a list of words is a slip of the pen; the wrong word may be what was meant.
  const rule = allowed.some(item => typeOf(item) === typeOf(place.value)) ? 'enum' : 'type'
  add(walk, place, rule, () => oneOf(allowed), { allowed })
}

function addForms (walk: Walk, place: Place, count: number, holding?: number): void {
  add(walk, place, 'oneOf', () => ({ lead: `a value of exactly one of ${count} forms${holding === undefined ? '' : `, not of ${holding} at once`}` }))
}

function addNotEither (walk: Walk, place: Place, schemas: readonly JsonSchema[]): void {
  const fits = schemas.some(schema => brokenRule(resolve(schema, walk.root), place.value) !== 'type')
  const accepts = (value: unknown): boolean => schemas.some(schema => holds(walk, schema, { ...place, value, whole: undefined }))
  add(walk, place, fits ? 'anyOf' : 'type', () => eitherOf(schemas, walk.root), { accepts })
}

function addMissing (walk: Walk, { path, policy, whole }: Place, key: string, because?: string): void {
  const field = propertyPath(path, key)
  if (walk.renamed.has(field) || walk.sink.enough) return
  const expectation = (): Expectation => {
    const [declared] = fieldSchemas(whole!, walk.root, key)
    const { lead, items } = declared === undefined ? { lead: 'a value' } : expectationOf(declared, walk.root)
    return because === undefined || items !== undefined ? { lead, items } : { lead: `${lead}, as ${because} is given` }
  }
  add(walk, { path: field, value: undefined, policy, whole: undefined }, because === undefined ? 'required' : 'dependentRequired', expectation)
}

function addUnknown (walk: Walk, place: Place, { names, patterns }: DeclaredFields, key: string): void {
  const near = walk.effort.words > 0 ? nearest(key, names.filter(name => !walk.renamed.has(propertyPath(place.path, name)) && isFree(walk, place, name))) : undefined
  walk.effort.words -= names.length
  if (near !== undefined) walk.renamed.add(propertyPath(place.path, near))
  add(walk, { ...place, value: (place.value as JsonSchema)[key], path: fieldPath(walk, place, key) }, 'additionalProperties', () => onlyFields(names, patterns), { near })
}

/** A field that is there already cannot be what was meant, unless it is there by default. */
function isFree (walk: Walk, { value, whole }: Place, name: string): boolean {
  const given = value as JsonSchema
  if (isMissing(given, name)) return true
  return fieldSchemas(whole!, walk.root, name).some(schema => schema.default !== undefined && JSON.stringify(schema.default) === JSON.stringify(given[name]))
}
