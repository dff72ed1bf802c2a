import { canonical, repeatedItems } from './canonical.js'
import { checkOnly, type Check } from './compile.js'
import { pointsIn, typeOf } from './describe-value.js'
import type { JsonSchema } from './infer.js'

// The rules of one schema about one value, without what lies in it. They are read here and not compiled: an explanation
// visits any node of any schema, and compiling one costs more than reading a thousand. A test holds them against Ajv.

type Rule = (limit: any, value: any, schema: JsonSchema) => boolean

const NUMBER: Record<string, Rule> = {
  minimum: (limit, value) => value >= limit,
  exclusiveMinimum: (limit, value) => value > limit,
  maximum: (limit, value) => value <= limit,
  exclusiveMaximum: (limit, value) => value < limit,
  multipleOf: (step, value) => isWhole(value / step),
  format: (name, value) => matchesFormat(name, value)
}

// In this order: a pattern never runs over a text that is too long for it.
const STRING: Record<string, Rule> = {
  maxLength: (limit, value) => value.length <= limit || pointsIn(value) <= limit,
  minLength: (limit, value) => pointsIn(value) >= limit,
  pattern: (pattern, value) => regExp(pattern).test(value),
  format: (name, value) => matchesFormat(name, value)
}

const ARRAY: Record<string, Rule> = {
  minItems: (limit, value) => value.length >= limit,
  maxItems: (limit, value) => value.length <= limit,
  uniqueItems: (unique, value) => unique !== true || repeatedItems(value) === undefined
}

const OBJECT: Record<string, Rule> = {
  minProperties: (limit, value) => Object.keys(value).length >= limit,
  maxProperties: (limit, value) => Object.keys(value).length <= limit
}

const RULES: Record<string, Record<string, Rule>> = { number: NUMBER, string: STRING, array: ARRAY, object: OBJECT }

/** The first rule of the schema itself that the value breaks: of `type`, `const`, `enum`, bounds, lengths, pattern and format. With `isListed` the value is known to be an allowed one. */
export function brokenRule (schema: JsonSchema, value: unknown, isListed: boolean = false): string | undefined {
  if (!hasType(schema, value)) return 'type'
  if (!isListed && Object.hasOwn(schema, 'const') && !isSame(schema.const, value)) return 'const'
  if (!isListed && Array.isArray(schema.enum) && !schema.enum.some(item => isSame(item, value))) return 'enum'
  const rules = RULES[typeOf(value)]
  for (const keyword in rules) {
    if (schema[keyword] !== undefined && !rules[keyword]!(schema[keyword], value, schema)) return keyword
  }
  return undefined
}

function hasType ({ type, nullable }: JsonSchema, value: unknown): boolean {
  const actual = typeOf(value)
  // The largest doubles are infinite by the time they are parsed.
  if (actual === 'number' && !Number.isFinite(value)) return type === undefined
  if (type === undefined || (nullable === true && value === null)) return true
  return Array.isArray(type) ? type.some(name => isOf(name, actual, value)) : isOf(type, actual, value)
}

function isOf (name: unknown, actual: string, value: unknown): boolean {
  return name === actual || (name === 'integer' && Number.isInteger(value))
}

function isSame (a: unknown, b: unknown): boolean {
  return a === b || (typeof a === 'object' && typeof b === 'object' && canonical(a) === canonical(b))
}

/** Is this quotient a whole number, but for what binary fractions lose? 19.99 is a multiple of 0.01. */
function isWhole (quotient: number): boolean {
  return Math.abs(Math.round(quotient) - quotient) <= 1e-6
}

const expressions = new Map<string, RegExp>()

/** From an author's schema: there are as many as are written there. */
function regExp (pattern: string): RegExp {
  let expression = expressions.get(pattern)
  if (expression === undefined) expressions.set(pattern, expression = new RegExp(pattern, 'u'))
  return expression
}

const checks = new Map<string, Check>()

function matchesFormat (name: string, value: unknown): boolean {
  let check = checks.get(name)
  if (check === undefined) checks.set(name, check = checkOnly({ format: name }, { isLinted: true }))
  return check(value) === undefined
}
