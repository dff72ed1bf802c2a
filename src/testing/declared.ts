import type { Category } from '../protocol/category.js'
import { expectationOf, type Trial } from './expectation.js'
import type { Told } from './told.js'

/** Which statuses of an upstream a declared error may put into words of its own. Of its own failures a tool may always speak. */
const statusesFor: Readonly<Record<Category, readonly number[] | undefined>> = {
  INPUT_ERROR: [400, 404, 409, 410, 412, 413, 414, 422, 431],
  NOT_FOUND: [400, 404, 409, 410, 412, 413, 414, 422, 431],
  AUTH_ERROR: [401, 402, 403, 451],
  RATE_LIMIT: [420, 429],
  SERVICE_ERROR: undefined
}

/** What was expected of a failure with a declared code, where it contradicts what the upstream did. */
export function declaredProblem (trial: Trial, { code, category, retryable, outcome }: Told): string | undefined {
  const { capability, broken: { status } } = trial
  const declared = capability.errors[code]!.category
  const statuses = statusesFor[declared]
  if (statuses !== undefined && !statuses.some(one => one === status)) return `${code} (${declared}) only where the upstream answers ${statuses.join(', ')}`
  const expected = expectationOf(trial)
  const isCorrectable = category === 'INPUT_ERROR' || category === 'NOT_FOUND'
  if (retryable && !isCorrectable && !expected.some(one => one.retryable)) return `${code} with retryable: false`
  if (!expected.some(one => one.outcome === outcome)) return `${code} with outcome: ${expected[0].outcome}`
  return undefined
}
