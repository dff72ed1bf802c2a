import type { KnownUpstream } from './observer.js'

/** What tells an upstream by its address. */
export interface Address {
  readonly label: string
  /** `undefined` where every path is a whole URL. */
  readonly origin: string | undefined
  /** The base path, without a slash at its end. */
  readonly prefix: string
  readonly simulated: boolean
}

/** Which configured upstream has an address. */
export class Directory {
  readonly #byOrigin = new Map<string, Address[]>()

  constructor (addresses: Iterable<Address>) {
    for (const address of addresses) {
      if (address.origin === undefined) continue
      const same = this.#byOrigin.get(address.origin) ?? []
      // The longest base path first: it says most about what was meant.
      this.#byOrigin.set(address.origin, [...same, address].sort((a, b) => b.prefix.length - a.prefix.length))
    }
  }

  /** The upstream at an origin, a declared one first; `undefined` where none is configured there. */
  find (origin: string, path: string, declared: readonly string[]): KnownUpstream | undefined {
    const here = this.#byOrigin.get(origin)
    if (here === undefined) return undefined
    const under = here.filter(({ prefix }) => isUnder(path, prefix))
    const likely = under.length > 0 ? under : here
    const { label, simulated } = likely.find(one => declared.includes(one.label)) ?? likely[0]!
    return { label, declared: declared.includes(label), simulated }
  }
}

function isUnder (path: string, prefix: string): boolean {
  return path.startsWith(prefix) && (prefix === '' || ['/', '?', undefined].includes(path[prefix.length]))
}
