import { typeOf } from './describe-value.js'
import { resolve } from './hoist.js'
import type { JsonSchema } from './infer.js'
import { isObjectSchema, isSchema } from './walk.js'

/** A union in a union is followed this deep; a schema that holds itself has no end. */
const MAX_NESTING = 8

/** Of more forms than these an agent is told the first alone. */
const MAX_NAMED = 4

/** The values a schema allows, where it is a literal, an enum or a union of such; else `undefined`. */
export function literals (node: JsonSchema, root: JsonSchema, depth: number = 0): readonly unknown[] | undefined {
  const schema = resolve(node, root)
  if (Object.hasOwn(schema, 'const')) return isScalar(schema.const) ? [schema.const] : undefined
  if (Array.isArray(schema.enum)) return schema.enum.every(isScalar) ? schema.enum : undefined
  if (schema.type === 'null') return [null]
  const branches = schema.anyOf ?? schema.oneOf
  if (!Array.isArray(branches) || branches.length === 0 || depth > MAX_NESTING) return undefined
  const values = branches.map(branch => isSchema(branch) ? literals(branch, root, depth + 1) : undefined)
  return values.every(value => value !== undefined) ? [...new Set(values.flat())] : undefined
}

/**
 * How a value that matches no branch is explained: by one branch, by the field that tells branches apart, or by what any of
 * several would accept; `lacks`: of an object that has not the fields of any.
 */
export type Choice = { branch: JsonSchema } | { field: string, allowed: readonly unknown[] } | { either: readonly JsonSchema[], lacks?: true }

/** A union as it is asked for wrong values, again and again. */
interface Union {
  readonly branches: readonly JsonSchema[]
  /** The types that each branch accepts. */
  readonly types: ReadonlyArray<readonly string[]>
  /** The field that tells the object branches apart. */
  readonly field: string | undefined
}

const known = new WeakMap<readonly unknown[], Union>()

/** The branches of a union, of inner unions too, and what tells them apart. */
function read (union: readonly unknown[], root: JsonSchema): Union {
  let read = known.get(union)
  if (read === undefined) {
    const branches = flatten(union.filter(isSchema), root, 0)
    const types = branches.map(branch => typesOf(branch, root))
    const objects = branches.filter((_, index) => types[index]!.includes('object'))
    read = { branches, types, field: objects.length > 1 ? discriminator(objects, root) : undefined }
    known.set(union, read)
  }
  return read
}

/**
 * The branch that a wrong value most likely meant, so that it is blamed by that branch alone.
 * `count` tells how many problems the value has with a branch.
 */
export function chooseBranch (union: readonly unknown[], root: JsonSchema, value: unknown, count: (branch: JsonSchema) => number): Choice {
  const { branches, types, field } = read(union, root)
  const fitting = branches.filter((_, index) => types[index]!.some(type => isOfType(value, type)))
  if (fitting.length === 0) return { either: branches }
  if (fitting.length === 1) return { branch: fitting[0]! }
  if (isSchema(value)) return chooseObject(fitting, field, root, value, count)
  return Array.isArray(value) ? { branch: likeliest(fitting, count) } : { either: fitting }
}

function chooseObject (fitting: readonly JsonSchema[], field: string | undefined, root: JsonSchema, value: JsonSchema, count: (branch: JsonSchema) => number): Choice {
  if (field === undefined) return likeliestObjects(fitting, root, value, count)
  if (Object.hasOwn(value, field)) {
    const matching = fitting.filter(branch => literalsOf(branch, field, root)!.includes(value[field]))
    if (matching.length > 0) return { branch: likeliest(matching, count) }
  } else {
    // Without the word that tells them apart, fields that only one of them has leave no doubt.
    const owners = fitting.filter(branch => propertyNames(branch, root).some(name => Object.hasOwn(value, name)))
    if (owners.length === 1) return { branch: owners[0]! }
  }
  return { field, allowed: fitting.flatMap(branch => literalsOf(branch, field, root)!) }
}

const marks = new WeakMap<JsonSchema, ReadonlyArray<readonly [string, readonly unknown[]]>>()

/** Does a field with a literal value show that this is another branch's value? Most branches are told apart so, without a look at the rest. */
export function isMarkedOther (branch: JsonSchema, root: JsonSchema, value: JsonSchema): boolean {
  let known = marks.get(branch)
  if (known === undefined) {
    const fields = [...new Set(propertyNames(branch, root))].map(field => [field, literalsOf(branch, field, root)] as const)
    marks.set(branch, known = fields.filter((mark): mark is [string, readonly unknown[]] => mark[1] !== undefined))
  }
  return known.some(([field, allowed]) => Object.hasOwn(value, field) && value[field] !== undefined && !allowed.includes(value[field]))
}

/** The branches, those of inner unions among them. */
function flatten (branches: readonly JsonSchema[], root: JsonSchema, depth: number): JsonSchema[] {
  return branches.flatMap(branch => {
    const schema = resolve(branch, root)
    const inner: unknown = schema.anyOf ?? schema.oneOf
    if (!Array.isArray(inner) || depth > MAX_NESTING || isObjectSchema(schema)) return [branch]
    return flatten(inner.filter(isSchema), root, depth + 1)
  })
}

/** The field that gives every branch literal values of its own; else one that all branches give literal values. */
function discriminator (branches: readonly JsonSchema[], root: JsonSchema): string | undefined {
  const fields = propertyNames(branches[0]!, root).filter(field => branches.every(branch => literalsOf(branch, field, root) !== undefined))
  const apart = fields.find(field => {
    const values = branches.flatMap(branch => literalsOf(branch, field, root)!)
    return new Set(values).size === values.length
  })
  return apart ?? fields.find(field => new Set(branches.flatMap(branch => literalsOf(branch, field, root)!)).size > 1)
}

/** An object and the members it is made of. */
function partsOf (branch: JsonSchema, root: JsonSchema): JsonSchema[] {
  const schema = resolve(branch, root)
  const members = Array.isArray(schema.allOf) ? schema.allOf.filter(isSchema).map(member => resolve(member, root)) : []
  return [schema, ...members]
}

function propertyNames (branch: JsonSchema, root: JsonSchema): string[] {
  return partsOf(branch, root).flatMap(part => Object.keys(part.properties ?? {}))
}

function literalsOf (branch: JsonSchema, field: string, root: JsonSchema): readonly unknown[] | undefined {
  for (const { properties } of partsOf(branch, root)) {
    const schema: unknown = properties !== undefined && Object.hasOwn(properties, field) ? properties[field] : undefined
    if (isSchema(schema)) return literals(schema, root)
  }
  return undefined
}

/** The branch that suits an object best; several, where it lacks fields of each and none suits better: one of them alone would look like the only way. */
function likeliestObjects (branches: readonly JsonSchema[], root: JsonSchema, value: JsonSchema, count: (branch: JsonSchema) => number): Choice {
  const likely = likeliestOf(branches, count)
  const asked = likely.map(branch => partsOf(branch, root).flatMap(({ required = [] }): string[] => required))
  const isOpen = new Set(asked.map(String)).size > 1 && likely.length <= MAX_NAMED
  return isOpen && asked.every(fields => fields.some(key => !Object.hasOwn(value, key))) ? { either: likely, lacks: true } : { branch: likely[0]! }
}

/** The branch with which the value has the fewest problems; of several the first. */
function likeliest (branches: readonly JsonSchema[], count: (branch: JsonSchema) => number): JsonSchema {
  return branches.length === 1 ? branches[0]! : likeliestOf(branches, count)[0]!
}

function likeliestOf (branches: readonly JsonSchema[], count: (branch: JsonSchema) => number): JsonSchema[] {
  const counts = branches.map(count)
  const least = Math.min(...counts)
  return branches.filter((_, index) => counts[index] === least)
}

const ANY = ['string', 'number', 'boolean', 'null', 'array', 'object']

/** The types a schema accepts; all of them where it does not say. */
export function typesOf (node: JsonSchema, root: JsonSchema, depth: number = 0): string[] {
  const schema = resolve(node, root)
  const allowed = literals(schema, root)
  if (allowed !== undefined) return [...new Set(allowed.map(typeOf))]
  if (schema.type !== undefined) return [...[schema.type].flat().map(String), ...(schema.nullable === true ? ['null'] : [])]
  const branches = schema.anyOf ?? schema.oneOf
  if (Array.isArray(branches) && depth < MAX_NESTING) return [...new Set(branches.flatMap(inner => isSchema(inner) ? typesOf(inner, root, depth + 1) : ANY))]
  if (isObjectSchema(schema)) return ['object']
  const members = Array.isArray(schema.allOf) && depth < MAX_NESTING ? schema.allOf.filter(isSchema).map(member => typesOf(member, root, depth + 1)) : []
  return members.find(types => types !== ANY) ?? ANY
}

/** Is this value of that JSON Schema type? A number with a fraction counts as an integer here: the integer's own rule says what is wrong with it. */
function isOfType (value: unknown, type: string): boolean {
  return typeOf(value) === (type === 'integer' ? 'number' : type)
}

/** A value that can be listed. */
function isScalar (value: unknown): boolean {
  return typeof value !== 'object' || value === null
}
