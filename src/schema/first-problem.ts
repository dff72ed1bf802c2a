import type { ErrorObject } from 'ajv/dist/2019.js'
import { itemPath, propertyPath } from './describe-value.js'
import type { JsonSchema } from './infer.js'
import { expectationOf } from './phrases.js'
import type { Report } from './problem.js'
import { expectationText, oneOf } from './rules.js'

/** A report of one violation alone, from what the validator says of it: for an input that cannot be explained in full. */
export function firstProblem (violation: ErrorObject): Report {
  const { keyword, params, instancePath } = violation
  const parent = pathOf(instancePath)
  const key: unknown = params.missingProperty ?? params.additionalProperty ?? params.unevaluatedProperty
  const field = typeof key === 'string' ? propertyPath(parent, key) : parent
  const rule = keyword === 'unevaluatedProperties' ? 'additionalProperties' : keyword
  const received = rule === 'uniqueItems' ? { received: `an array whose items ${params.i} and ${params.j} are equal` } : undefined
  return { problems: [{ field, rule, expected: expected(rule, violation), ...received }], total: 1, complete: false, onlyMissing: false }
}

function expected (rule: string, { params, message }: ErrorObject): string {
  if (rule === 'required') return 'a value'
  if (rule === 'additionalProperties') return 'only declared fields'
  if (params.allowedValues !== undefined) return expectationText(oneOf(params.allowedValues), 480)
  const schema = schemaOf(rule, params)
  return schema === undefined ? message ?? `a value that satisfies ${rule}` : expectationText(expectationOf(schema, schema), 480)
}

const TYPES: Readonly<Record<string, string>> = {
  minimum: 'number',
  maximum: 'number',
  exclusiveMinimum: 'number',
  exclusiveMaximum: 'number',
  multipleOf: 'number',
  minLength: 'string',
  maxLength: 'string',
  pattern: 'string',
  format: 'string',
  minItems: 'array',
  maxItems: 'array',
  minProperties: 'object',
  maxProperties: 'object'
}

/** The part of the schema that a violation tells of. */
function schemaOf (rule: string, params: ErrorObject['params']): JsonSchema | undefined {
  if (rule === 'type') return { type: params.type }
  if (rule === 'uniqueItems') return { type: 'array', uniqueItems: true }
  const limit: unknown = rule === 'const' ? undefined : params.limit ?? params[rule]
  if (rule === 'const' && params.allowedValue !== undefined) return { const: params.allowedValue }
  return Object.hasOwn(TYPES, rule) && limit !== undefined ? { type: TYPES[rule], [rule]: limit } : undefined
}

function pathOf (pointer: string): string {
  return pointer.split('/').slice(1)
    .map(part => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce((parent, key) => /^\d+$/.test(key) ? itemPath(parent, Number(key)) : propertyPath(parent, key), '')
}
