import type { Ajv2019, ErrorObject } from 'ajv/dist/2019.js'
import { canonical, repeatedItems } from './canonical.js'
import { typeOf } from './describe-value.js'
import type { JsonSchema } from './infer.js'
import { isSchema, mapSubschemas } from './walk.js'

/** A rule with what it has to say of the value it refused last. */
interface Rule {
  (value: any, data?: any): boolean
  errors?: Array<Partial<ErrorObject>>
}

/**
 * Replaces `enum` and `uniqueItems` by the same rules in one pass. The validator's own compare each with each: a megabyte of items
 * against five hundred values, or with each other, holds the event loop for seconds.
 */
export function addFastKeywords (ajv: Ajv2019): void {
  ajv.removeKeyword('enum')
  ajv.addKeyword({ keyword: 'enum', schemaType: 'array', compile: compileEnum, errors: 'full' })
  ajv.removeKeyword('uniqueItems')
  ajv.addKeyword({ keyword: 'uniqueItems', type: 'array', schemaType: 'boolean', validate: validateUnique, errors: 'full' })
}

function compileEnum (values: readonly unknown[]): Rule {
  const scalars = new Set(values)
  const objects = new Set(values.filter(value => typeof value === 'object' && value !== null).map(canonical))
  const validate: Rule = (value: unknown) => {
    if (scalars.has(value) || (typeof value === 'object' && objects.has(canonical(value)))) return true
    validate.errors = [{ keyword: 'enum', params: { allowedValues: values }, message: 'must be equal to one of the allowed values' }]
    return false
  }
  return validate
}

const validateUnique: Rule = (unique: boolean, items: readonly unknown[]) => {
  const repeated = unique ? repeatedItems(items) : undefined
  if (repeated === undefined) return true
  const [i, j] = repeated
  validateUnique.errors = [{ keyword: 'uniqueItems', params: { i, j }, message: `must not have equal items (${i} and ${j})` }]
  return false
}

/**
 * The same schema in a form that is checked faster: a union of literals is one list, and fields with literal values come first,
 * so that the wrong branch of a union is left before anything deeper is looked at. Without that, nested unions take exponential time.
 */
export function fastForm (schema: JsonSchema): JsonSchema {
  const copy = mapSubschemas(schema, fastForm)
  const values = copy.const === undefined && copy.enum === undefined ? literalUnion(copy.anyOf) : undefined
  if (values !== undefined) {
    copy.enum = values
    delete copy.anyOf
  }
  if (isSchema(copy.properties)) copy.properties = literalsFirst(copy.properties)
  return copy
}

const LITERAL = new Set(['const', 'type', 'title', 'description'])

/** The values of a union whose branches are literals and nothing else. */
function literalUnion (branches: unknown): unknown[] | undefined {
  const isLiteral = (branch: unknown): boolean => isSchema(branch) && Object.hasOwn(branch, 'const') && (branch.type === undefined || branch.type === typeOf(branch.const)) && Object.keys(branch).every(keyword => LITERAL.has(keyword))
  return Array.isArray(branches) && branches.length > 0 && branches.every(isLiteral) ? branches.map(branch => branch.const) : undefined
}

function literalsFirst (properties: JsonSchema): JsonSchema {
  const isLiteral = ([, field]: [string, unknown]): boolean => isSchema(field) && (Object.hasOwn(field, 'const') || Array.isArray(field.enum))
  const entries = Object.entries(properties)
  // `fromEntries` defines: a field named `__proto__` is a field like any other.
  return Object.fromEntries([...entries.filter(isLiteral), ...entries.filter(entry => !isLiteral(entry))])
}
