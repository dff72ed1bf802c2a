/**
 * The five kinds of failure a tool can report. The category decides the HTTP status; the agent routes on it.
 */
export const Category = {
  INPUT_ERROR: 'INPUT_ERROR',
  NOT_FOUND: 'NOT_FOUND',
  AUTH_ERROR: 'AUTH_ERROR',
  RATE_LIMIT: 'RATE_LIMIT',
  SERVICE_ERROR: 'SERVICE_ERROR'
} as const

export type Category = typeof Category[keyof typeof Category]

/** What one category allows on the wire. */
export interface CategoryRow {
  /** The status sent where nothing more exact is known. */
  readonly status: number
  /** Other statuses an error of this category may carry. */
  readonly alsoStatuses: readonly number[]
  /** May a caller act on the failure by itself, unless the error says otherwise? */
  readonly retryable: boolean
}

/** The category table: default status, further statuses, default `retryable`. */
export const categories = {
  INPUT_ERROR: { status: 400, alsoStatuses: [405, 408, 409, 413, 414, 415, 417, 422, 431], retryable: false },
  NOT_FOUND: { status: 404, alsoStatuses: [410], retryable: false },
  AUTH_ERROR: { status: 401, alsoStatuses: [402, 403], retryable: false },
  RATE_LIMIT: { status: 429, alsoStatuses: [], retryable: true },
  SERVICE_ERROR: { status: 503, alsoStatuses: [500, 502, 504], retryable: true }
} as const satisfies Record<Category, CategoryRow>

/** Is this one of the five categories? Inherited names such as `constructor` are not. */
export function isCategory (value: unknown): value is Category {
  return typeof value === 'string' && Object.hasOwn(categories, value)
}

/** The default HTTP status of a category; 500 for anything that is none of the five. */
export function httpStatusForCategory (category: unknown): number {
  return isCategory(category) ? categories[category].status : 500
}

/** Every status an error of this category may carry, the default first. */
export function statusesOf (category: Category): readonly number[] {
  const { status, alsoStatuses } = categories[category]
  return [status, ...alsoStatuses]
}

/** May an error of this category carry this status? */
export function isStatusOf (category: Category, status: unknown): status is number {
  return statusesOf(category).includes(status as number)
}

/** The default of `retryable` for a category and status: 408 may be sent again, 500 may not. */
export function defaultRetryable (category: Category, status: number = categories[category].status): boolean {
  if (status === 408) return true
  if (status === 500) return false
  return categories[category].retryable
}
