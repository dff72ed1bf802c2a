import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { fromRow } from '../src/call/framework-error.js'
import type { CorsOptions } from '../src/policy/cors-options.js'
import { isForeign } from '../src/policy/foreign-origin.js'

/** Whose pages may ask, and for which hosts. */
export interface GuardOptions {
  /** Names that the service is reached by, beside `localhost` and addresses. */
  allowedHosts?: readonly string[]
  cors?: CorsOptions
}

/** Refuses what another site's page sends, on every route and before anything is read. */
export const guard = fp(async (app: FastifyInstance, { allowedHosts }: GuardOptions) => {
  app.addHook('onRequest', async (request, reply) => {
    if (isForeign(request.headers, addressOf(app), allowedHosts)) return reply.sendToolError(fromRow('ORIGIN_NOT_ALLOWED', 'The request comes from a page, or for a host, that is not known here: the service names its hosts in allowedHosts.'))
  })
}, { name: 'candor-guard', fastify: '5.x', decorators: { reply: ['sendToolError'] } })

function addressOf ({ server }: FastifyInstance): string | undefined {
  const address = server.address()
  return typeof address === 'object' ? address?.address : undefined
}
