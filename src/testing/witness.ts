import type { Upstream } from '../upstream/client.js'
import type { Exchange } from '../upstream/exchange.js'

/** Looks on at what calls ask of their upstreams, until it is told to stop. */
export interface Witness {
  /** The exchanges since the last look, and forgets them. */
  look (): readonly Exchange[]
  stop (): void
}

/** A witness of everything that is asked through our client. */
export function createWitness (upstreams: readonly Upstream[]): Witness {
  let seen: Exchange[] = []
  for (const upstream of upstreams) {
    const clientFor = upstream.clientFor.bind(upstream)
    upstream.clientFor = call => {
      const { ledger } = call
      // What the call says of its end is asked later, so the rest of it is left where it is.
      const watched = Object.create(call, { ledger: { value: { record (exchange: Exchange) { seen.push(exchange); ledger.record(exchange) } } } })
      return clientFor(watched)
    }
  }
  return {
    look () {
      const since = seen
      seen = []
      return since
    },
    stop () {
      for (const upstream of upstreams) Reflect.deleteProperty(upstream, 'clientFor')
    }
  }
}
