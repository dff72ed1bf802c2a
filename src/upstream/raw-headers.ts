import { attempt, itemsOf } from './evidence.js'

const MAX_ITEMS = 512

/** Headers as they came over the wire, name and value by turns, as pairs. */
export function pairsOf (headers: unknown): Array<[name: string, value: string]> {
  const items = itemsOf(headers, MAX_ITEMS).map(item => attempt(() => String(item)) ?? '')
  return items.flatMap((name, index) => index % 2 === 0 ? [[name, items[index + 1] ?? '']] : [])
}
