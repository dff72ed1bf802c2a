import { isSchema } from './walk.js'

/** The places of the first item that is there twice; `undefined` where all are different. */
export function repeatedItems (items: readonly unknown[]): readonly [number, number] | undefined {
  const places = new Map<string, number>()
  for (const [index, item] of items.entries()) {
    const text = canonical(item)
    const first = places.get(text)
    if (first !== undefined) return [first, index]
    places.set(text, index)
  }
  return undefined
}

/** A value as text that does not depend on the order of its keys. */
export function canonical (value: unknown): string {
  if (typeof value !== 'object' || value === null) return typeof value === 'string' ? `"${value}` : String(value)
  return JSON.stringify(value, (_, item: unknown) => isSchema(item) ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => a < b ? -1 : 1)) : item)
}
