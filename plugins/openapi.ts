import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { principalOf } from '../src/call/caller.js'
import { KeptAnswer } from '../src/call/kept-answer.js'
import { Views } from '../src/call/views.js'
import type { Capability } from '../src/capability/define.js'
import { visibleCapabilities } from '../src/capability/describe.js'
import { openapiDocument, type OpenapiOptions as DocumentOptions } from '../src/capability/openapi.js'
import { mistakesInRoutes, type DocumentedRoute } from '../src/capability/route-operations.js'
import type { AuthOptions } from '../src/policy/auth-options.js'
import { belowPrefix, isPublicPath } from '../src/policy/public-routes.js'

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
export interface OpenapiOptions extends Omit<DocumentOptions, 'routes' | 'auth'> {
  /** Who may call. @default everybody */
  auth?: AuthOptions
}

interface Shown { readonly scopes: readonly string[], readonly capability?: Capability, readonly route?: DocumentedRoute }

/**
 * `GET /openapi.json`: every capability as OpenAPI 3.1, and every route with a schema that is added after this plugin to the same
 * app or below it. Made when it is first asked for: of a thousand capabilities it takes longer than all the rest of the start.
 * What could keep it from being made is refused at start, with the other mistakes; here, an `operationId` that is taken.
 */
export const openapi = fp(async (app: FastifyInstance, { auth, ...options }: OpenapiOptions) => {
  const routes: DocumentedRoute[] = []
  const isPublic = (url: string): boolean => isPublicPath(belowPrefix(url, options.base), auth?.public)
  const security = auth === undefined ? undefined : { areCallsPublic: isPublic(`${options.base}/api/capabilities/:name`) }
  // Made when all routes are there: those that ask for scopes are shown to nobody else, as capabilities are.
  let views: Views<Shown, KeptAnswer> | undefined
  const createViews = (): Views<Shown, KeptAnswer> => new Views<Shown, KeptAnswer>([
    ...[...options.capabilities].map(capability => ({ scopes: capability.scopes, capability })),
    ...routes.map(route => ({ scopes: route.scopes ?? [], route }))
  ], visible => new KeptAnswer(() => JSON.stringify(openapiDocument({
    ...options,
    capabilities: visible.flatMap(({ capability }) => capability ?? []),
    routes: visible.flatMap(({ route }) => route ?? []),
    auth: security
  }))))

  app.get('/openapi.json', (request, reply) => {
    const principal = principalOf(request)
    views ??= createViews()
    const { status, headers, body } = views.for(principal).answer(request.headers['if-none-match'], principal !== undefined)
    return reply.code(status).headers(headers).send(body)
  })

  app.addHook('onRoute', function ({ method, url, schema, config }) {
    // Asked for later: a schema may be added after the route that refers to it.
    if (schema !== undefined) routes.push({ methods: [method].flat(), url, schema, shared: () => this.getSchemas(), ...auth !== undefined && { scopes: config?.scopes, isPublic: config?.public === true || isPublic(url) } })
  })
  app.addHook('onReady', async () => {
    const mistakes = mistakesInRoutes(routes, visibleCapabilities(options.capabilities).map(({ name }) => name))
    if (mistakes.length > 0) throw new TypeError(`${options.name} cannot start.\n${mistakes.map(mistake => `- ${mistake}`).join('\n')}`)
  })
}, { name: 'candor-openapi', fastify: '5.x' })
