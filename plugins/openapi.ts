import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { KeptAnswer } from '../src/call/kept-answer.js'
import { visibleCapabilities } from '../src/capability/describe.js'
import { openapiDocument, type OpenapiOptions as DocumentOptions } from '../src/capability/openapi.js'
import { mistakesInRoutes, type DocumentedRoute } from '../src/capability/route-operations.js'

declare module 'fastify' {
  /** What `/openapi.json` says of a route, beside the schemas that Fastify itself uses. */
  interface FastifySchema {
    /** Leaves the route out of the document. */
    hide?: boolean
    operationId?: string
    tags?: readonly string[]
    summary?: string
    description?: string
    deprecated?: boolean
    consumes?: readonly string[]
    produces?: readonly string[]
  }
}

/** What the OpenAPI document describes. */
export type OpenapiOptions = Omit<DocumentOptions, 'routes'>

/**
 * `GET /openapi.json`: every capability as OpenAPI 3.1, and every route with a schema that is added after this plugin to the same
 * app or below it. Made when it is first asked for: of a thousand capabilities it takes longer than all the rest of the start.
 * What could keep it from being made is refused at start, with the other mistakes; here, an `operationId` that is taken.
 */
export const openapi = fp(async (app: FastifyInstance, options: OpenapiOptions) => {
  const routes: DocumentedRoute[] = []
  const kept = new KeptAnswer(() => JSON.stringify(openapiDocument({ ...options, routes })))

  app.get('/openapi.json', (request, reply) => {
    const { status, headers, body } = kept.answer(request.headers['if-none-match'])
    return reply.code(status).headers(headers).send(body)
  })

  app.addHook('onRoute', function ({ method, url, schema }) {
    // Asked for later: a schema may be added after the route that refers to it.
    if (schema !== undefined) routes.push({ methods: [method].flat(), url, schema, shared: () => this.getSchemas() })
  })
  app.addHook('onReady', async () => {
    const mistakes = mistakesInRoutes(routes, visibleCapabilities(options.capabilities).map(({ name }) => name))
    if (mistakes.length > 0) throw new TypeError(`${options.name} cannot start.\n${mistakes.map(mistake => `- ${mistake}`).join('\n')}`)
  })
}, { name: 'candor-openapi', fastify: '5.x' })
