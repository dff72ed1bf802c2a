import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { isTokenRefused, notAllowed, notKnown } from '../src/call/authentication.js'
import { knowPrincipal, principalOf } from '../src/call/caller.js'
import { fromRow } from '../src/call/framework-error.js'
import { effectOf } from '../src/call/plain.js'
import { keepSecrets } from '../src/call/secrets.js'
import type { Principal } from '../src/capability/call.js'
import type { Capability } from '../src/capability/define.js'
import type { AuthOptions } from '../src/policy/auth-options.js'
import { createAuthenticator } from '../src/policy/authenticate.js'
import { readBearer } from '../src/policy/bearer.js'
import { challengeOf } from '../src/policy/challenge.js'
import { missingScopes } from '../src/policy/principal.js'
import { METADATA_PATHS, metadataOf, metadataUrlOf, resourceOf } from '../src/policy/protected-resource.js'
import { belowPrefix, idleEntries, isPublicPath, mistakesInRoute } from '../src/policy/public-routes.js'
import { createRedactor } from '../src/protocol/redact.js'
import type { ToolError } from '../src/protocol/tool-error.js'

declare module 'fastify' {
  interface FastifyRequest {
    /** Who makes the request, as the service's `auth` found out; `undefined` on public routes, and without `auth`. */
    readonly principal: Principal | undefined
  }
  interface FastifyContextConfig {
    /** Is the route open to everybody? Credentials are not looked at then. @default false */
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
    if (isPublic(request)) return
    const bearer = readBearer(request.headers.authorization, request.raw.rawHeaders)
    const verdict = await authenticate(bearer, { headers: request.headers, ip: request.ip })
    if (!('principal' in verdict)) {
      if (isTokenRefused(verdict)) tokenRefused.add(request)
      const failure = notKnown(verdict, auth, effectOf(request.method))
      return 'refused' in verdict || !('token' in bearer) ? reply.sendToolError(failure) : sendWithout(bearer.token, reply, failure)
    }
    knowPrincipal(request, verdict.principal)
    const { scopes = [] } = request.routeOptions.config
    const missing = missingScopes({ scopes }, verdict.principal)
    if (missing.length > 0) return reply.header('www-authenticate', challengeOf({ error: 'insufficient_scope', scopes })).sendToolError(notAllowed(missing))
  })

  app.addHook('onSend', async (request, reply) => {
    // Everywhere else the answer may depend on who asks, and a 401 does anywhere.
    if (!isPublic(request) || reply.statusCode === 401) varyByCaller(reply)
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
  function isPublic ({ routeOptions: { url, config } }: FastifyRequest): boolean {
    return url !== undefined && (config.public === true || isPublicPath(belowPrefix(url, base), auth.public))
  }
}, { name: 'candor-auth', fastify: '5.x', decorators: { reply: ['sendToolError'] } })

/** What a team's own function throws may hold the token: the line that is logged here, and the answer, do not. */
function sendWithout (token: string, reply: FastifyReply, failure: ToolError): FastifyReply {
  const forget = keepSecrets(createRedactor([token]))
  try {
    return reply.sendToolError(failure)
  } finally {
    forget()
  }
}

function varyByCaller (reply: FastifyReply): void {
  const given = [reply.getHeader('vary') ?? []].flat().join(', ')
  if (given !== '*' && !/\bauthorization\b/i.test(given)) reply.header('vary', given === '' ? 'Authorization' : `${given}, Authorization`)
}
