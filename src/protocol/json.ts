/** JSON text of a value, or why there can be none. */
export type Encoded = { text: string } | { problem: string }

/**
 * JSON text of a value that loses nothing in silence: a cycle, a BigInt, `NaN` and the infinities are problems, not nulls.
 * The problem names the path for the log; it is no text for an agent.
 */
export function encodeJson (value: unknown): Encoded {
  let text: string | undefined
  try {
    text = JSON.stringify(value)
  } catch (error) {
    return { problem: error instanceof Error ? error.message.split('\n')[0]! : 'A toJSON method threw something that is no error.' }
  }
  if (text === undefined) return { problem: `A ${typeof value} has no JSON.` }
  // JSON writes NaN as null: only a text that holds a null is worth the walk.
  const path = text.includes('null') ? notFinite(value, '$') : undefined
  return path === undefined ? { text } : { problem: `${path} is not a finite number.` }
}

function notFinite (value: unknown, path: string): string | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : path
  if (typeof value !== 'object' || value === null) return undefined
  const seen = typeof (value as { toJSON?: unknown }).toJSON === 'function' ? (value as { toJSON: () => unknown }).toJSON() : value
  if (seen !== value) return notFinite(seen, path)
  for (const [key, item] of Object.entries(value)) {
    const found = notFinite(item, Array.isArray(value) ? `${path}[${key}]` : `${path}.${key}`)
    if (found !== undefined) return found
  }
  return undefined
}
