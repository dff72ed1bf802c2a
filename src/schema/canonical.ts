/** The places of the first item that is there twice; `undefined` where all are different. */
export function repeatedItems (items: readonly unknown[]): readonly [number, number] | undefined {
  const places = new Map<string, number>()
  for (let index = 0; index < items.length; index++) {
    const text = canonical(items[index])
    const first = places.get(text)
    if (first !== undefined) return [first, index]
    places.set(text, index)
  }
  return undefined
}

/** A JSON value as text that does not depend on the order of its keys. Written by hand: `JSON.stringify` with a replacer takes ten times as long. */
export function canonical (value: unknown): string {
  if (typeof value !== 'object' || value === null) return typeof value === 'string' ? JSON.stringify(value) : String(value)
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  const fields = value as Record<string, unknown>
  return `{${Object.keys(fields).sort().map(key => `${JSON.stringify(key)}:${canonical(fields[key])}`).join(',')}}`
}
