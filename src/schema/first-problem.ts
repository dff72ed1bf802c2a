import type { ErrorObject } from 'ajv/dist/2019.js'
import { itemPath, propertyPath } from './describe-value.js'
import type { Report } from './problems.js'
import { expectation } from './rules.js'

/** A report of one violation alone, for an input too large to be explained in full. */
export function firstProblem (violation: ErrorObject): Report {
  const { keyword, params } = violation
  const parent = pathOf(violation.instancePath)
  const key: unknown = params.missingProperty ?? params.additionalProperty ?? params.unevaluatedProperty
  const field = typeof key === 'string' ? propertyPath(parent, key) : parent
  const rule = keyword === 'unevaluatedProperties' ? 'additionalProperties' : keyword
  return { problems: [{ field, rule, expected: expected(rule, violation) }], total: 1 }
}

function expected (rule: string, violation: ErrorObject): string {
  if (rule === 'required') return 'a value'
  return rule === 'additionalProperties' ? 'only declared fields' : expectation(violation, {})
}

function pathOf (pointer: string): string {
  return pointer.split('/').slice(1)
    .map(part => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce((parent, key) => /^\d+$/.test(key) ? itemPath(parent, Number(key)) : propertyPath(parent, key), '')
}
