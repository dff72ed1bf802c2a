/** JSON text of a value, or why there can be none. */
export type Encoded = { text: string } | { problem: string }

/**
 * JSON text of a value that loses nothing in silence: a cycle, a BigInt, `NaN`, the infinities and invalid dates are problems, not nulls.
 * The problem names the path for the log; it is no text for an agent.
 */
export function encodeJson (value: unknown): Encoded {
  try {
    const text = JSON.stringify(value) as string | undefined
    if (text === undefined) return { problem: `There is no JSON for ${typeof value}.` }
    // JSON writes NaN as null: only a text that holds a null is worth a second look.
    const problem = text.includes('null') ? falseNull(value) : undefined
    return problem === undefined ? { text } : { problem }
  } catch (error) {
    return { problem: error instanceof Error ? error.message.split('\n')[0]! : 'A toJSON method threw something that is no error.' }
  }
}

/** The first null of the text that is none in the value. A replacer sees what JSON sees, `toJSON` included. */
function falseNull (value: unknown): string | undefined {
  const paths = new Map<unknown, string>()
  let problem: string | undefined
  JSON.stringify(value, function (this: Record<string, unknown>, key: string, item: unknown) {
    const parent = paths.get(this)
    const path = parent === undefined ? '$' : Array.isArray(this) ? `${parent}[${key}]` : `${parent}.${key}`
    if (typeof item === 'number' && !Number.isFinite(item)) problem ??= `${path} is not a finite number.`
    if (item === null && this[key] instanceof Date) problem ??= `${path} is not a valid date.`
    if (typeof item === 'object' && item !== null) paths.set(item, path)
    return item
  })
  return problem
}
