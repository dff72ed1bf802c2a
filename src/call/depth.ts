/** The deepest nesting of an input that is read. */
export const MAX_DEPTH = 64

/** Is a JSON value nested deeper than `MAX_DEPTH`? Stops at the first place that is. */
export function isTooDeep (value: unknown, left: number = MAX_DEPTH): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (left === 0) return true
  for (const item of Array.isArray(value) ? value : Object.values(value)) if (isTooDeep(item, left - 1)) return true
  return false
}
