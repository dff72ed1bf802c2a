import { brokenRule } from './broken-rules.js'
import { repeatedItems } from './canonical.js'
import { isExactnessBound } from './close.js'
import { fieldSchemas, type DeclaredFields } from './declared.js'
import { plural, propertyPath, typeOf } from './describe-value.js'
import { holdsSecret, type FieldPolicy } from './field-policy.js'
import type { Finding } from './finding.js'
import { resolve } from './hoist.js'
import type { JsonSchema } from './infer.js'
import { nearest } from './nearest.js'
import { eitherOf, exactInteger, expectationOf } from './phrases.js'
import { oneOf, onlyFields, type Expectation } from './rules.js'
import { typesOf } from './unions.js'

/** Where findings go. */
export interface Sink {
  add (finding: Finding): void
  /** Has enough been found? Then the inspection ends. */
  readonly enough: boolean
}

/** What an inspection may still do: it must not hold the event loop, whatever the schema and the value. */
export interface Effort { steps: number, words: number }

/** Enough for 64 KiB with a thousand mistakes, and done within some ten milliseconds; less where one mistake is looked for in far more. */
export function effortFor (firstOnly: boolean): Effort {
  return { steps: firstOnly ? 10_000 : 35_000, words: 10_000 }
}

/** What a finding costs, in steps: a schema may find hundreds in each of thousands of places. */
const FINDING = 20

/** One inspection, or a part of it. */
export interface Walk {
  readonly root: JsonSchema
  readonly sink: Sink
  readonly effort: Effort
  /** Fields that are there under a misspelt name: they are not missing as well. */
  readonly renamed: Set<string>
  /** Is only the number of problems asked for? Then a union that does not hold is one, whatever its branches say. */
  readonly isCount: boolean
  /** Are defaults filled in here? Not in a branch of a union, which may not be the one. */
  readonly fills: boolean
}

/** One value of the input. */
export interface Place {
  readonly value: unknown
  readonly path: string
  readonly policy: FieldPolicy
  /** The outermost schema of this value: members know only a part of its fields. */
  readonly whole: JsonSchema | undefined
}

/** A field that holds `undefined` is not there: JSON has no word for it. */
export function isMissing (value: JsonSchema, key: string): boolean {
  return !Object.hasOwn(value, key) || value[key] === undefined
}

/** The path of a field of the object at a place. In a secret, names that only the caller knows are secret too. */
export function fieldPath ({ path, policy, whole }: Place, key: string): string {
  const isKnown = !policy.sensitive || Object.hasOwn(whole?.properties ?? {}, key)
  return isKnown ? propertyPath(path, key) : `${path}${path === '' ? '' : '.'}*`
}

/** An object that has none of the fields of which it must have some. */
export function addNeither (walk: Walk, place: Place, schemas: readonly JsonSchema[]): void {
  const value = place.value as JsonSchema
  // What is there under a misspelt name is told as that.
  if (schemas.some(({ required }) => required.every((key: string) => !isMissing(value, key) || walk.renamed.has(propertyPath(place.path, key))))) return
  const lead = `an object with ${schemas.map(({ required }) => required.join(' and ')).join(', or with ')}`
  add(walk, place, 'anyOf', () => ({ lead }), { received: ofNone(schemas) })
}

/** Something wrong at a place; put into words later, if at all. */
export function add (walk: Walk, { path: field, value, policy }: Place, rule: string, expectation: () => Expectation, more: Partial<Finding> = {}): void {
  walk.effort.steps -= FINDING
  walk.sink.add({ field, rule, value, policy, expectation, ...more })
}

/** A value that broke a rule of one schema. */
export function addBroken (walk: Walk, place: Place, rule: string, schema: JsonSchema, accepts: (value: unknown) => boolean): void {
  if (isInexact(schema, rule, place.value)) return addInexact(walk, place, rule)
  add(walk, place, rule, () => expectationOf(typed(schema, rule, place.value), walk.root), { accepts, received: toldOf(rule, place.value, schema), ...more(walk, [schema]) })
}

/** A rule without a type is about the values of one type. */
function typed (schema: JsonSchema, rule: string, value: unknown): JsonSchema {
  return schema.type === undefined && !['const', 'enum'].includes(rule) ? { ...schema, type: typeOf(value) } : schema
}

/** Is this an integer with more digits than a number holds: one that has lost some, or the text of one? */
function isInexact (schema: JsonSchema, rule: string, value: unknown): boolean {
  const bounded = [schema.minimum, schema.maximum].some(isExactnessBound)
  return bounded && (rule === 'type' ? typeof value === 'string' && /^-?\d{16,}$/.test(value) : isExactnessBound(schema[rule]))
}

function addInexact (walk: Walk, place: Place, rule: string): void {
  if (typeof place.value === 'string') return add(walk, place, rule, () => ({ lead: exactInteger }))
  add(walk, place, rule, () => ({ lead: `${exactInteger}: a longer one loses digits, send it as a string if strings are taken here` }), { received: 'a longer one' })
}

/** What is told of a value that by itself does not show what is wrong: what was counted, or that there is no such day. */
function toldOf (rule: string, value: unknown, { format }: JsonSchema): string | undefined {
  if (rule === 'format') return /date/.test(format) && isNoDay(value) ? 'a day that does not exist' : undefined
  if (rule === 'minProperties' || rule === 'maxProperties') return Object.keys(value as object).length === 0 ? 'an empty object' : `an object of ${plural(Object.keys(value as object).length, 'field')}`
  return rule === 'uniqueItems' ? `an array whose items ${repeatedItems(value as unknown[])!.join(' and ')} are equal` : undefined
}

/** Is this a date, of the right form, that no calendar has? Its form is what an agent would look for the mistake in. */
function isNoDay (value: unknown): boolean {
  const parts = typeof value === 'string' ? /^(\d{4})-(\d\d)-(\d\d)(?:$|T)/.exec(value) : null
  if (parts === null) return false
  const [year, month, day] = parts.slice(1).map(Number) as [number, number, number]
  // A day too many is one of another month.
  return new Date(Date.UTC(year, month - 1, day)).getUTCMonth() !== month - 1
}

/** A value that is none of those allowed. */
export function addNotListed (walk: Walk, place: Place, allowed: readonly unknown[]): void {
  // A number for a list of words is a slip of the pen; the wrong word may be what was meant.
  const rule = allowed.some(item => typeOf(item) === typeOf(place.value)) ? 'enum' : 'type'
  add(walk, place, rule, () => oneOf(allowed), { allowed })
}

/** A value that fits none of several forms, or more of them than it may. */
export function addForms (walk: Walk, place: Place, count: number, holding?: number): void {
  add(walk, place, 'oneOf', () => ({ lead: `a value of exactly one of ${count} forms${holding === undefined ? '' : `, not of ${holding} at once`}` }))
}

/** A value that no branch of a union would accept, none of which it is meant for more than for the others; `lacks`: an object that has not the fields of any. */
export function addNotEither (walk: Walk, place: Place, schemas: readonly JsonSchema[], accepts: (value: unknown) => boolean, lacks: boolean = false): void {
  const fits = lacks || schemas.some(schema => brokenRule(resolve(schema, walk.root), place.value) !== 'type')
  const received = lacks ? ofNone(schemas) : undefined
  add(walk, place, fits ? 'anyOf' : 'type', () => eitherOf(schemas, walk.root), { accepts, received, ...more(walk, schemas) })
}

function ofNone ({ length }: readonly JsonSchema[]): string {
  return length === 2 ? 'neither' : 'none of them'
}

function more ({ root }: Walk, schemas: readonly JsonSchema[]): Pick<Finding, 'types' | 'holdsSecret'> {
  return { types: () => schemas.flatMap(schema => typesOf(schema, root)), holdsSecret: () => schemas.some(schema => holdsSecret(schema, root)) }
}

/** A field that is not there: `because` is the field that asks for it. */
export function addMissing (walk: Walk, schema: JsonSchema, { path, policy, whole }: Place, key: string, because?: string): void {
  const field = propertyPath(path, key)
  if (walk.renamed.has(field) || walk.sink.enough) return
  const expectation = (): Expectation => {
    // A branch knows best what it asks for; where it only asks, the object around it knows.
    const [declared] = [schema, whole!].flatMap(asking => fieldSchemas(asking, walk.root, key))
    const { lead, items } = declared === undefined ? { lead: 'a value' } : expectationOf(declared, walk.root)
    return because === undefined || items !== undefined ? { lead, items } : { lead: `${lead}, as ${because} is given` }
  }
  add(walk, { path: field, value: undefined, policy, whole: undefined }, because === undefined ? 'required' : 'dependentRequired', expectation)
}

/** A field that is not declared, and the declared one it is most likely meant for. */
export function addUnknown (walk: Walk, place: Place, { names, patterns }: DeclaredFields, key: string): void {
  const near = walk.effort.words > 0 ? nearest(key, names.filter(name => !walk.renamed.has(propertyPath(place.path, name)) && isFree(walk, place, name))) : undefined
  walk.effort.words -= names.length
  if (near !== undefined) walk.renamed.add(propertyPath(place.path, near))
  add(walk, { ...place, value: (place.value as JsonSchema)[key], path: fieldPath(place, key) }, 'additionalProperties', () => onlyFields(names, patterns), { near })
}

/** A field that is there already cannot be what was meant, unless it is there by default. */
function isFree (walk: Walk, { value, whole }: Place, name: string): boolean {
  const given = value as JsonSchema
  if (isMissing(given, name)) return true
  return fieldSchemas(whole!, walk.root, name).some(schema => schema.default !== undefined && JSON.stringify(schema.default) === JSON.stringify(given[name]))
}
