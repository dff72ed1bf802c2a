/** A logger as pino makes them. */
interface Parent {
  child (bindings: object, options?: object): object
  onChild?: { readonly name: string }
}

const BINDINGS = Symbol('candor.bindings')
// By parent: what all its children share.
const prototypes = new WeakMap<Parent, object | null>()

/**
 * A child of a logger that works its bindings out when it writes its first line: most requests write none, and a child costs
 * each of them more than its route. Where the parent is no pino, or has to be told of its children, it makes the child itself.
 */
export function childLog (parent: Parent, bindings: object, options: object = {}): object {
  if (isToldOf(parent) || Object.keys(options).length > 0) return parent.child(bindings, options)
  let prototype = prototypes.get(parent)
  if (prototype === undefined) prototypes.set(parent, prototype = prototypeOf(parent))
  if (prototype === null) return parent.child(bindings, options)
  const child = Object.create(prototype)
  child[BINDINGS] = bindings
  return child
}

function isToldOf ({ onChild }: Parent): boolean {
  return onChild !== undefined && onChild.name !== 'noop'
}

/** pino keeps what it writes of its bindings under a symbol of its own: every copy of it has another. */
function prototypeOf (parent: Parent): object | null {
  const key = symbolOf(parent)
  if (key === undefined) return null
  const prototype = parent.child({})
  // Somebody has wrapped it: what is written is not written by this object.
  if (Object.getPrototypeOf(prototype) !== parent) return null
  return Object.defineProperty(prototype, key, {
    get (this: { [BINDINGS]: object }) {
      const { [key]: written } = parent.child(this[BINDINGS]) as Record<symbol, unknown>
      Object.defineProperty(this, key, { value: written, writable: true })
      return written
    },
    // A child of the child sets its own.
    set (this: object, value: unknown) { Object.defineProperty(this, key, { value, writable: true }) }
  })
}

function symbolOf (parent: object): symbol | undefined {
  return Object.getOwnPropertySymbols(parent).find(({ description }) => description === 'pino.chindings')
}
