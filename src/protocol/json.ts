/** JSON text of a value, or why there can be none. */
export type Encoded = { text: string } | { problem: string }

/**
 * JSON text of a value that loses nothing in silence. Problems, not nulls and empty objects: a cycle, a BigInt, `NaN`, the
 * infinities and invalid dates; `undefined`, a function or a symbol as an item; a Map, a promise, or any other object of
 * a class that has neither an enumerable field nor a `toJSON`. The problem names the path for the log; it is no text for an agent.
 */
export function encodeJson (value: unknown): Encoded {
  try {
    const text = JSON.stringify(value) as string | undefined
    if (text === undefined) return { problem: `There is no JSON for ${typeof value}.` }
    // What is lost leaves one of these behind: only such a text is worth a second look.
    const problem = text.includes('null') || text.includes('{}') ? firstLoss(value) : undefined
    return problem === undefined ? { text } : { problem }
  } catch (error) {
    return { problem: error instanceof Error ? error.message.split('\n')[0]! : 'A toJSON method threw something that is no error.' }
  }
}

/** The first null or empty object of the text that is none in the value. Walked by hand: a replacer takes five times as long. */
function firstLoss (value: unknown): string | undefined {
  const trail: string[] = []
  const loss = lossOf(value, '', trail)
  return loss === undefined ? undefined : `$${trail.join('')} ${loss}`
}

/** What JSON loses of a value, as the end of a sentence; `trail` is left at the place. */
function lossOf (given: unknown, key: string, trail: string[], isItem = false): string | undefined {
  const value = answerOf(given, key)
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : 'is not a finite number.'
  if (value === null) return given instanceof Date ? 'is not a valid date.' : undefined
  if (isItem && NOTHING.has(typeof value)) return `is ${value === undefined ? 'undefined' : `a ${typeof value}`}, which JSON writes as null.`
  if (typeof value !== 'object') return undefined
  return Array.isArray(value) ? lossInItems(value, trail) : lossInFields(value as Record<string, unknown>, trail)
}

// Left out of an object by JSON, and so not there; an array has no way to leave an item out.
const NOTHING = new Set(['undefined', 'function', 'symbol'])

/** What the value says that its JSON is: asked as JSON asks, once. */
function answerOf (given: unknown, key: string): unknown {
  if ((typeof given !== 'object' && typeof given !== 'function') || given === null) return given
  const { toJSON } = given as { toJSON?: unknown }
  return typeof toJSON === 'function' ? toJSON.call(given, key) : given
}

function lossInItems (items: readonly unknown[], trail: string[]): string | undefined {
  // By index: a hole is an item too.
  for (let index = 0; index < items.length; index++) {
    trail.push(`[${index}]`)
    const loss = lossOf(items[index], String(index), trail, true)
    if (loss !== undefined) return loss
    trail.pop()
  }
  return undefined
}

function lossInFields (fields: Record<string, unknown>, trail: string[]): string | undefined {
  const keys = Object.keys(fields)
  if (keys.length === 0) return isPlain(fields) ? undefined : `is ${nameOf(fields)}, of which JSON keeps nothing.`
  for (const key of keys) {
    trail.push(`.${key}`)
    const loss = lossOf(fields[key], key, trail)
    if (loss !== undefined) return loss
    trail.pop()
  }
  return undefined
}

/** Every realm has an `Object.prototype` of its own; what they share is that nothing is above it. */
function isPlain (value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}

/** `a Map`, `an Error`. */
function nameOf ({ constructor }: object): string {
  const name = typeof constructor === 'function' && constructor.name !== '' ? constructor.name : 'object of a class'
  return /^[aeio]/i.test(name) ? `an ${name}` : `a ${name}`
}
