import type { Principal } from '../capability/call.js'
import { mayCall } from '../policy/principal.js'

/** How many are kept: callers are many, what they may call is not. */
const MAX_VIEWS = 50

/**
 * What discovery shows, by what a caller may call: made once for all that may call the same. Whoever is not known sees what asks
 * for nothing; in a service without `auth` that is everything.
 */
export class Views<Item extends { readonly scopes: readonly string[] }, View> {
  readonly #items: readonly Item[]
  readonly #make: (visible: readonly Item[]) => View
  /** The scopes that make a difference. */
  readonly #asked: readonly string[]
  /** By the scopes that a caller has of them; the one that was used last stands last. */
  readonly #views = new Map<string, View>()

  constructor (items: Iterable<Item>, make: (visible: readonly Item[]) => View) {
    this.#items = [...items]
    this.#make = make
    this.#asked = [...new Set(this.#items.flatMap(({ scopes }) => scopes))]
  }

  /** The view of a caller. */
  for (principal: Principal | undefined): View {
    // No scope holds a space.
    const key = this.#asked.filter(scope => principal?.scopes.includes(scope)).join(' ')
    const view = this.#views.get(key) ?? this.#make(this.#items.filter(item => mayCall(item, principal)))
    this.#views.delete(key)
    this.#views.set(key, view)
    if (this.#views.size > MAX_VIEWS) this.#views.delete(this.#views.keys().next().value!)
    return view
  }
}
