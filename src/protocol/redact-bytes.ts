/** May a text of JSON hold bytes as numbers? Cheap. */
export function mayHoldBytes (json: string): boolean {
  return /\[\d{1,3},\d{1,3},\d{1,3},\d|\{"0":\d{1,3},"1":\d/.test(json)
}

/** What the bytes of a `Buffer` or `Uint8Array` say that became JSON, as numbers in a list or by their index; `undefined` for anything else. */
export function bytesOf (value: object): string | undefined {
  const list: readonly unknown[] = Array.isArray(value) ? value : Object.hasOwn(value, '0') ? Object.values(value) : []
  if (list.length < 4 || !list.every(isByte)) return undefined
  return new TextDecoder().decode(Uint8Array.from(list as number[]))
}

function isByte (value: unknown): boolean {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 255
}
