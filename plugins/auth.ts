import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { isTokenRefused, notAllowed, notKnown } from '../src/call/authentication.js'
import { knowPrincipal, principalOf } from '../src/call/caller.js'
import { fromRow } from '../src/call/framework-error.js'
import { effectOf } from '../src/call/plain.js'
import { withoutToken } from '../src/call/without-token.js'
import type { Principal } from '../src/capability/call.js'
import type { Capability } from '../src/capability/define.js'
import type { AuthOptions } from '../src/policy/auth-options.js'
import { createAuthenticator } from '../src/policy/authenticate.js'
import { readBearer, type Bearer } from '../src/policy/bearer.js'
import { challengeOf } from '../src/policy/challenge.js'
import { missingScopes } from '../src/policy/principal.js'
import { METADATA_PATHS, metadataOf, metadataUrlOf, resourceOf } from '../src/policy/protected-resource.js'
import { belowPrefix, idleEntries, isPublicPath, isUnasked, mistakesInRoute } from '../src/policy/public-routes.js'

declare module 'fastify' {
  interface FastifyRequest {
    /** Who makes the request, as the service's `auth` found out; `undefined` without `auth`, and on public routes where no credentials were sent. */
    readonly principal: Principal | undefined
  }
  interface FastifyContextConfig {
    /** Is the route open to everybody? Credentials are not looked at then: it may ask for its own. @default false */
    public?: boolean
    /** What a caller must be allowed to, all of it; else 403 `FORBIDDEN`. @default nothing */
    scopes?: readonly string[]
  }
}

/** Who may call. */
export interface AuthPluginOptions {
  auth: AuthOptions
  /** Name of the service. */
  name: string
  /** The path before `/mcp`. */
  base: string
  capabilities: readonly Capability[]
}

/** Asks every request who makes it, before anything of it is read: known and unknown addresses alike. */
export const auth = fp(async (app: FastifyInstance, { auth, name, base, capabilities }: AuthPluginOptions) => {
  const authenticate = createAuthenticator(auth)
  const paths = new Set<string>()
  const tokenRefused = new WeakSet<FastifyRequest>()
  const resource = (request: FastifyRequest): string | undefined => resourceOf(auth.resource, request, base)

  app.decorateRequest('principal', { getter (this: FastifyRequest) { return principalOf(this) } })
  app.addHook('onRoute', ({ url, config }) => {
    const mistakes = mistakesInRoute(url, config)
    if (mistakes.length > 0) throw new TypeError(mistakes.join(' '))
    paths.add(belowPrefix(url, base))
  })

  app.addHook('onRequest', async (request, reply) => {
    const access = accessOf(request)
    if (access === 'unasked') return
    const { scopes = [] } = request.routeOptions.config
    const bearer = readBearer(request.headers.authorization, request.raw.rawHeaders)
    if (access === 'open' && scopes.length === 0 && isMissing(bearer)) return
    const verdict = await authenticate(bearer, { headers: request.headers, ip: request.ip })
    if (!('principal' in verdict)) {
      if (isTokenRefused(verdict) || ('failure' in verdict && 'token' in bearer)) tokenRefused.add(request)
      return reply.sendToolError(notKnown('token' in bearer ? withoutToken(verdict, bearer.token) : verdict, auth, effectOf(request.method)))
    }
    knowPrincipal(request, verdict.principal)
    const missing = missingScopes({ scopes }, verdict.principal)
    if (missing.length > 0) return reply.header('www-authenticate', challengeOf({ error: 'insufficient_scope', scopes })).sendToolError(notAllowed(missing))
  })

  app.addHook('onSend', async (request, reply) => {
    // Everywhere else the answer may depend on who asks, and a 401 does anywhere.
    if (accessOf(request) !== 'unasked' || reply.statusCode === 401) varyByCaller(reply)
    // What stands there is the bare word of the protocol: here it is known how to come in.
    if (reply.getHeader('www-authenticate') !== 'Bearer') return
    const from = auth.jwt === undefined ? undefined : resource(request)
    reply.header('www-authenticate', challengeOf({ realm: name, error: tokenRefused.has(request) ? 'invalid_token' : undefined, resourceMetadata: from && metadataUrlOf(from) }))
  })

  const { jwt } = auth
  if (jwt !== undefined) {
    for (const path of METADATA_PATHS) {
      app.get(path, (request, reply) => {
        const from = resource(request)
        return from === undefined ? reply.sendToolError(fromRow('MALFORMED_REQUEST', 'The request names no host.', { expected: 'a Host header' })) : reply.send(metadataOf(from, name, jwt.issuer, capabilities))
      })
    }
  }

  app.addHook('onReady', async () => {
    const idle = idleEntries(auth.public ?? [], [...paths])
    if (idle.length > 0) throw new TypeError(`${name} cannot start.\n${idle.map(entry => `- Expected \`auth.public\` to name routes that there are, got '${entry}'.`).join('\n')}`)
  })

  /** By the route that was found, never by the address: that has many spellings. */
  function accessOf ({ routeOptions: { url, config } }: FastifyRequest): Access {
    if (url === undefined) return 'closed'
    if (config.public === true || isUnasked(belowPrefix(url, base))) return 'unasked'
    return isPublicPath(belowPrefix(url, base), auth.public) ? 'open' : 'closed'
  }
}, { name: 'candor-auth', fastify: '5.x', decorators: { reply: ['sendToolError'] } })

/** Nobody is asked; those who send credentials are; everybody is. */
type Access = 'unasked' | 'open' | 'closed'

function isMissing (bearer: Bearer): boolean {
  return 'problem' in bearer && bearer.problem === 'missing'
}

function varyByCaller (reply: FastifyReply): void {
  const given = [reply.getHeader('vary') ?? []].flat().join(', ')
  if (given !== '*' && !/\bauthorization\b/i.test(given)) reply.header('vary', given === '' ? 'Authorization' : `${given}, Authorization`)
}
