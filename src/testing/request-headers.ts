/** Request headers in whatever form a client hands them to undici: an object, pairs, or names and values in turn. */
export function headersIn (headers: unknown): Record<string, string> {
  const flat = typeof headers !== 'object' || headers === null ? [] : isIterable(headers) ? [...headers] : Object.entries(headers)
  const pairs = flat.every(one => Array.isArray(one)) ? flat : flat.flatMap((name, index) => index % 2 === 0 ? [[name, flat[index + 1]]] : [])
  return Object.fromEntries(pairs.map(([name, value]) => [String(name).toLowerCase(), String(value)]))
}

function isIterable (value: object): value is Iterable<unknown> {
  return Symbol.iterator in value
}
