import { closeSchema, ownKeywords } from './close.js'
import { checkOnly, violations, type Check } from './compile.js'
import { declaredFields } from './declared.js'
import { describeReceived, itemPath, propertyPath, typeOf } from './describe-value.js'
import { resolve } from './hoist.js'
import type { JsonSchema } from './infer.js'
import { nearest } from './nearest.js'
import type { Problem } from './problem.js'
import { expectation, expectedType, isValueRule, listValues } from './rules.js'
import { chooseBranch, literals } from './unions.js'
import { isSchema } from './walk.js'

/** A problem with what only the service knows of its field. */
export interface FoundProblem extends Problem {
  /** The author's code for a wrong value here, where the field has one that no model may correct. */
  readonly uncorrectable?: string | true
}

/** What is wrong with an input: the first few problems, and how many there are in all. */
export interface Report {
  problems: FoundProblem[]
  total: number
}

/** How many wrong fields are told; the rest are counted. */
export const MAX_PROBLEMS = 5

/**
 * Checks an input against a schema as a candor service would, without calling one. Empty where the input is right.
 * Defaults are not filled in, and the input is left as it is.
 */
export function problemsOf (schema: JsonSchema, input: unknown): Problem[] {
  return explain(closeSchema(schema), input, Number.POSITIVE_INFINITY).problems.map(({ uncorrectable, ...problem }) => problem)
}

/** Every problem of a value that broke `root`, a closed schema. Structure is walked here; single rules are Ajv's. */
export function explain (root: JsonSchema, value: unknown, most: number = MAX_PROBLEMS): Report {
  const found = new Map<string, FoundProblem>()
  const renamed = new Set<string>()
  visit({
    root,
    // Two rules broken by one value are one wrong field.
    add: problem => { if (!found.has(problem.field)) found.set(problem.field, problem) },
    rename: field => renamed.add(field)
  }, root, value, '')
  // A misspelt field and the one that is missing for it are one mistake, corrected by one change.
  const problems = [...found.values()].filter(({ rule, field }) => rule !== 'required' || !renamed.has(field))
  return { problems: problems.slice(0, most), total: problems.length }
}

interface Walk {
  root: JsonSchema
  add: (problem: FoundProblem) => void
  /** A field that is there under a misspelt name. */
  rename: (field: string) => void
}

function visit (walk: Walk, node: JsonSchema, value: unknown, path: string): void {
  const schema = resolve(node, walk.root)
  const allowed = literals(schema, walk.root)
  if (allowed !== undefined) return visitLiterals(walk, schema, allowed, value, path)
  if (visitRules(walk, schema, value, path)) return
  for (const member of list(schema.allOf)) visit(walk, member, value, path)
  for (const keyword of ['anyOf', 'oneOf']) visitUnion(walk, list(schema[keyword]), schema, value, path)
  visitCondition(walk, schema, value, path)
  if (Array.isArray(value)) visitItems(walk, schema, value, path)
  else if (isSchema(value)) visitFields(walk, schema, value, path)
}

/** `true` where the type is wrong already, so that nothing deeper makes sense. */
function visitRules (walk: Walk, schema: JsonSchema, value: unknown, path: string): boolean {
  let wrongType = false
  for (const error of rulesOf(schema, walk.root)(value)) {
    if (error.instancePath !== '') continue
    if (error.keyword === 'required') addMissing(walk, schema, error.params.missingProperty, path)
    else if (error.keyword === 'type') { addWrongType(walk, schema, value, path); wrongType = true } else addProblem(walk, schema, value, path, error.keyword, expectation(error, schema))
  }
  return wrongType
}

function visitLiterals (walk: Walk, schema: JsonSchema, allowed: readonly unknown[], value: unknown, path: string): void {
  if (allowed.some(item => item === value)) return
  const word = typeof value === 'string' ? nearest(value, allowed.filter(item => typeof item === 'string')) : undefined
  // A number for a list of words is a slip of the pen; the wrong word may be what was meant.
  const rule = allowed.some(item => typeOf(item) === typeOf(value)) ? 'enum' : 'type'
  addProblem(walk, schema, value, path, rule, listValues(allowed), word)
}

function visitUnion (walk: Walk, branches: readonly JsonSchema[], schema: JsonSchema, value: unknown, path: string): void {
  if (branches.length === 0 || branches.some(branch => isValid(branch, walk.root, value))) return
  const choice = chooseBranch(branches, walk.root, value)
  if ('branch' in choice) return visit(walk, choice.branch, value, path)
  if ('field' in choice) return visitLiterals(walk, schema, choice.allowed, (value as Record<string, unknown>)[choice.field], propertyPath(path, choice.field))
  addProblem(walk, schema, value, path, 'type', expectedType(choice.types))
}

function visitCondition (walk: Walk, schema: JsonSchema, value: unknown, path: string): void {
  if (!isSchema(schema.if)) return
  const then: unknown = isValid(schema.if, walk.root, value) ? schema.then : schema.else
  if (isSchema(then)) visit(walk, then, value, path)
}

function visitItems (walk: Walk, schema: JsonSchema, value: readonly unknown[], path: string): void {
  const places = Array.isArray(schema.prefixItems) ? schema.prefixItems : Array.isArray(schema.items) ? schema.items : []
  const rest: unknown = Array.isArray(schema.items) ? schema.additionalItems : schema.items
  value.forEach((item, index) => {
    const subschema: unknown = places[index] ?? rest
    if (isSchema(subschema)) visit(walk, subschema, item, itemPath(path, index))
    else if (subschema === false && index === places.length) addProblem(walk, schema, value, path, 'maxItems', `an array of ${places.length} items`)
  })
}

function visitFields (walk: Walk, schema: JsonSchema, value: JsonSchema, path: string): void {
  const closed = schema.additionalProperties === false || schema.unevaluatedProperties === false
  const known = declaredFields(schema, walk.root, branch => isValid(branch, walk.root, value))
  for (const key of Object.keys(value)) {
    const subschemas = known.own(key)
    for (const subschema of subschemas) visit(walk, subschema, value[key], propertyPath(path, key))
    if (subschemas.length > 0) continue
    if (isSchema(schema.additionalProperties)) visit(walk, schema.additionalProperties, value[key], propertyPath(path, key))
    else if (closed && !known.has(key)) addUnknown(walk, known.names, value, key, path)
  }
}

function addMissing (walk: Walk, schema: JsonSchema, key: string, path: string): void {
  const declared: unknown = schema.properties?.[key]
  const field = isSchema(declared) ? resolve(declared, walk.root) : {}
  const allowed = literals(field, walk.root)
  const example: unknown = Array.isArray(field.examples) ? field.examples[0] : undefined
  const wanted = allowed !== undefined ? listValues(allowed) : field.type !== undefined ? expectedType(field.type) : 'a value'
  const like = example !== undefined && allowed === undefined ? ` like ${JSON.stringify(example)}` : ''
  walk.add({ field: propertyPath(path, key), rule: 'required', expected: `${wanted}${like}`, received: 'nothing' })
}

function addUnknown (walk: Walk, names: readonly string[], value: JsonSchema, key: string, path: string): void {
  // A field that is there already cannot be what was meant.
  const near = nearest(key, names.filter(name => !Object.hasOwn(value, name)))
  const expected = names.length === 0 ? 'no fields at all' : names.length === 1 ? `only the field ${names[0]}` : `only the fields ${names.slice(0, 20).join(', ')}${names.length > 20 ? `, … (${names.length} in all)` : ''}`
  if (near !== undefined) walk.rename(propertyPath(path, near))
  walk.add({ field: propertyPath(path, key), rule: 'additionalProperties', expected, received: 'an unknown field', ...(near !== undefined && { nearest: near }) })
}

function addWrongType (walk: Walk, schema: JsonSchema, value: unknown, path: string): void {
  const expected = expectedType(schema.type)
  addProblem(walk, schema, value, path, 'type', isJsonText(schema.type, value) ? `${expected}, not text that contains JSON` : expected)
}

function addProblem (walk: Walk, schema: JsonSchema, value: unknown, field: string, rule: string, expected: string, near?: string): void {
  const uncorrectable = schema[ownKeywords.correctable] === false && isValueRule(rule) ? schema[ownKeywords.code] ?? true : undefined
  walk.add({
    field,
    rule,
    expected,
    received: describeReceived(value, field, schema),
    ...(near !== undefined && { nearest: near }),
    ...(uncorrectable !== undefined && { uncorrectable })
  })
}

/** Models often send arrays and objects as quoted JSON. */
function isJsonText (type: unknown, value: unknown): boolean {
  if (typeof value !== 'string' || ![type].flat().some(name => name === 'array' || name === 'object')) return false
  try { return typeof JSON.parse(value) === 'object' } catch { return false }
}

const list = (value: unknown): JsonSchema[] => Array.isArray(value) ? value.filter(isSchema) : []

// What only looks into the value is walked above; everything else is one node's own rule.
const STRUCTURE = ['$ref', '$defs', 'properties', 'patternProperties', 'additionalProperties', 'unevaluatedProperties', 'items', 'prefixItems', 'additionalItems', 'unevaluatedItems', 'allOf', 'anyOf', 'oneOf', 'if', 'then', 'else']
const rules = new WeakMap<JsonSchema, ReturnType<typeof violations>>()

/** The rules of one node alone, compiled once. */
function rulesOf (schema: JsonSchema, root: JsonSchema): ReturnType<typeof violations> {
  let check = rules.get(schema)
  if (check === undefined) {
    const own = Object.fromEntries(Object.entries(schema).filter(([keyword]) => !STRUCTURE.includes(keyword)))
    check = violations(root.$defs === undefined ? own : { ...own, $defs: root.$defs })
    rules.set(schema, check)
  }
  return check
}

const checks = new WeakMap<JsonSchema, Check>()

function isValid (schema: JsonSchema, root: JsonSchema, value: unknown): boolean {
  let check = checks.get(schema)
  if (check === undefined) {
    check = checkOnly(root.$defs === undefined ? schema : { ...schema, $defs: root.$defs })
    checks.set(schema, check)
  }
  return check(value) === undefined
}
