/** Reads a property of anything; a getter or proxy that throws counts as absent. */
export function get (value: unknown, key: PropertyKey): unknown {
  return isObject(value) ? attempt(() => value[key]) : undefined
}

/** Reads a property that is a string. */
export function getText (value: unknown, key: PropertyKey): string | undefined {
  const found = get(value, key)
  return typeof found === 'string' ? found : undefined
}

/** The result of `run`, or `undefined` where it throws: what is read here was written by strangers. */
export function attempt<T> (run: () => T): T | undefined {
  try { return run() } catch { return undefined }
}

/** Is this an object with nothing but fields, of whatever realm? A stream or a class is not. */
export function isPlain (value: unknown): value is Record<string, unknown> {
  return attempt(() => {
    const prototype = isObject(value) && typeof value !== 'function' ? Object.getPrototypeOf(value) : undefined
    return prototype === null || (prototype !== undefined && Object.getPrototypeOf(prototype) === null)
  }) === true
}

/** The first items of a list, of which a stranger may have made a very long one. */
export function itemsOf (value: unknown, max: number): unknown[] {
  if (attempt(() => Array.isArray(value)) !== true) return []
  const length = Math.min(Number(get(value, 'length')), max)
  return Array.from({ length }, (_, index) => get(value, index))
}

/** One value of a chain of failures, with what caused it. */
export interface Link {
  readonly value: unknown
  readonly cause?: Link
  /** The children of an `AggregateError`. */
  readonly errors: readonly Link[]
  /** Was a part of the chain too deep or too broad to be read? Nothing is proven then. */
  readonly cut: boolean
}

const MAX_DEPTH = 8
const MAX_BREADTH = 16
const MAX_LINKS = 32

/** The chain along `cause` and `errors`: eight levels below the first, cycles survived. */
export function chainOf (error: unknown): Link {
  const seen = new Set<unknown>()
  function link (value: unknown, depth: number): Link {
    if (isObject(value)) seen.add(value)
    const below = [get(value, 'cause'), ...itemsOf(get(value, 'errors'), MAX_BREADTH + 1)]
    const fresh = below.map(item => item !== undefined && item !== null && !seen.has(item))
    const cut = (depth === MAX_DEPTH && fresh.includes(true)) || below.length > MAX_BREADTH + 1
    // A list is filled while it is walked: an item may have been reached through the one before it.
    const [cause, ...errors] = below.slice(0, MAX_BREADTH + 1).map((item, index) =>
      fresh[index] === true && !seen.has(item) && depth < MAX_DEPTH && seen.size < MAX_LINKS ? link(item, depth + 1) : undefined)
    return { value, cause, errors: errors.filter(item => item !== undefined), cut: cut || seen.size >= MAX_LINKS }
  }
  return link(error, 0)
}

/** All links of a chain, each before what caused it. */
export function linksOf (link: Link): Link[] {
  return [link, ...(link.cause === undefined ? [] : linksOf(link.cause)), ...link.errors.flatMap(linksOf)]
}

/** The names of a value: its own and its class's, which some SDKs do not copy into `name`. */
export function namesOf (value: unknown): string[] {
  return [getText(value, 'name'), getText(get(value, 'constructor'), 'name')].filter(name => name !== undefined)
}

/** The text of a failure: a message, or a thrown string itself. */
export function textOf (value: unknown): string {
  return (typeof value === 'string' ? value : getText(value, 'message') ?? '').slice(0, 2_000)
}

function isObject (value: unknown): value is Record<PropertyKey, unknown> {
  return (typeof value === 'object' && value !== null) || typeof value === 'function'
}
