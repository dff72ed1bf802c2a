/** The deepest nesting of an input that is read. */
export const MAX_DEPTH = 64

/** Is a JSON value nested deeper than `MAX_DEPTH`? Stops at the first place that is. */
export function isTooDeep (value: unknown, left: number = MAX_DEPTH): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (left === 0) return true
  // The scalars of a long list cost nothing but a look.
  if (Array.isArray(value)) return value.some(item => typeof item === 'object' && isTooDeep(item, left - 1))
  for (const key in value) {
    const item = (value as Record<string, unknown>)[key]
    if (typeof item === 'object' && isTooDeep(item, left - 1)) return true
  }
  return false
}
