import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { checkClaimOf, PlainClaim, type PlainRules } from '../src/call/plain-claim.js'
import { effectOf } from '../src/call/plain.js'
import { mistakesInHonesty, type HonestyOptions } from '../src/capability/honesty-rules.js'
import { createMarkerSearch, type MockMarker } from '../src/policy/mock-markers.js'
import { Directory } from '../src/upstream/directory.js'
import { watchClients } from '../src/upstream/observe.js'
import { observedBy } from '../src/upstream/observer.js'
import { readTarget } from '../src/upstream/target.js'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Rules of honest success that are not `refuse` on this route. */
    honesty?: HonestyOptions
  }
}

/** Whose failures a success may not hide, and how strictly. */
export interface HonestyPluginOptions {
  /** By label: the third parties that the routes ask, whatever client asks them. A failure of any other host only warns. */
  upstreams?: Readonly<Record<string, { baseUrl?: string, simulated?: boolean }>>
  /** Rules that are not `refuse`. */
  honesty?: HonestyOptions
  /** More marks by which made-up data is told. */
  mockMarkers?: readonly MockMarker[]
}

/**
 * Checks what plain routes claim with `reply.sendToolSuccess` against what their requests to third parties came to.
 * A capability's own calls are checked without it. Needs `toolReplies`.
 */
export const honesty = fp(async (app: FastifyInstance, { upstreams = {}, honesty, mockMarkers }: HonestyPluginOptions) => {
  check('honesty', honesty)
  const addresses = Object.entries(upstreams).map(([label, { baseUrl, simulated = false }]) => {
    const { origin, prefix } = readTarget({ baseUrl, allowTarget: true })
    return { label, origin, prefix, simulated }
  })
  const rules: PlainRules = { directory: new Directory(addresses), labels: Object.keys(upstreams), honesty, findMarker: createMarkerSearch({}, mockMarkers) }
  const unwatch = watchClients()
  app.addHook('onClose', async () => unwatch())
  app.addHook('onRoute', route => {
    const { url, config, handler } = route
    check(`config of ${url}`, config?.honesty)
    // Around the handler itself: a hook that calls back later would lose whose request it was.
    route.handler = function (request, reply) {
      const claim = new PlainClaim(rules, `${request.method} ${url}`, effectOf(request.method), config?.honesty)
      checkClaimOf(request, claim)
      return observedBy(claim, () => handler.call(this, request, reply))
    }
  })
}, { name: 'candor-honesty', fastify: '5.x', decorators: { reply: ['sendToolSuccess'] } })

function check (where: string, given: unknown): void {
  const mistakes = mistakesInHonesty(given)
  if (mistakes.length > 0) throw new TypeError(mistakes.map(mistake => `Expected in ${where} ${mistake}`).join(' '))
}
