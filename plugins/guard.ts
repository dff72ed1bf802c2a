import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { fromRow } from '../src/call/framework-error.js'
import { dropStalledReaders } from '../src/call/stalled-reader.js'
import { createCors, varyByOrigin, type Cors } from '../src/policy/cors.js'
import type { CorsOptions } from '../src/policy/cors-options.js'
import { foreignPart, type Sender } from '../src/policy/foreign-origin.js'
import { namesSeveralHosts } from '../src/policy/several-hosts.js'
import type { ToolError } from '../src/protocol/tool-error.js'

/** Whose pages may ask, and for which hosts. */
export interface GuardOptions {
  /** Names that the service is reached by, beside `localhost` and addresses. */
  allowedHosts?: readonly string[]
  cors?: CorsOptions
}

const MESSAGES = {
  origin: 'The request comes from a web page that may not call this service: its origin is neither the service itself nor in cors.origins.',
  host: 'The request is for a host that this service does not know as its own: its names stand in allowedHosts.'
}

/**
 * Refuses what another site's page sends, on every route and before anything is read, and tells browsers which pages may call.
 * CORS without its usual plugin: that one answers every OPTIONS, by a route for all paths, which scopes of their own do not see.
 */
export const guard = fp(async (app: FastifyInstance, { allowedHosts, cors: options }: GuardOptions) => {
  const cors = options && createCors(options)
  const bindOf = addressOf(app)
  dropStalledReaders(app.server)
  // Nearly every request says of itself what the last one said: nobody has to read that again.
  let welcome: Sender | undefined
  let welcomedAt: string | undefined

  app.addHook('onRequest', (request, reply, done) => {
    if (cors !== undefined) allow(cors, request, reply)
    const refusal = refusalOf(request)
    if (refusal !== undefined) return reply.sendToolError(refusal)
    const { origin } = request.headers
    if (cors === undefined || origin === undefined || !cors.has(origin) || !isPreflight(request)) return done()
    // Here, before anybody asks for credentials: browsers send none.
    return reply.code(204).headers(cors.preflightHeaders).send()
  })
  if (cors !== undefined) {
    // Again: what a route says the answer depends on may have taken its place.
    app.addHook('onSend', (_, reply, payload, done) => {
      reply.header('vary', varyByOrigin(reply.getHeader('vary')))
      done(null, payload)
    })
  }

  function refusalOf (request: FastifyRequest): ToolError | undefined {
    const { host, protocol, headers, raw } = request
    if (namesSeveralHosts(raw.rawHeaders, raw.url!)) return fromRow('MALFORMED_REQUEST', 'The request names more than one host.', { expected: 'one Host header, and no other host in the address' })
    const sender: Sender = { host, hostHeader: headers.host, scheme: protocol, origin: headers.origin, fetchSite: headers['sec-fetch-site'] }
    const bind = bindOf()
    if (welcome !== undefined && welcomedAt === bind && isSame(sender, welcome)) return undefined
    const part = foreignPart(sender, { bind, hosts: allowedHosts, origins: cors })
    if (part === undefined) [welcome, welcomedAt] = [sender, bind]
    return part && fromRow('ORIGIN_NOT_ALLOWED', MESSAGES[part], undefined, whoAsked(sender))
  }
}, { name: 'candor-guard', fastify: '5.x', decorators: { reply: ['sendToolError'] } })

function isSame (one: Sender, other: Sender): boolean {
  return one.host === other.host && one.hostHeader === other.hostHeader && one.scheme === other.scheme && one.origin === other.origin && one.fetchSite === other.fetchSite
}

/** Failures too: a page has to be able to read why. */
function allow (cors: Cors, { headers: { origin } }: FastifyRequest, reply: FastifyReply): void {
  reply.header('vary', varyByOrigin(reply.getHeader('vary')))
  if (origin !== undefined && cors.has(origin)) reply.headers(cors.answerHeaders(origin))
}

function isPreflight ({ method, headers }: FastifyRequest): boolean {
  return method === 'OPTIONS' && headers['access-control-request-method'] !== undefined
}

/** For the log: without it nobody could tell what to configure. */
function whoAsked (sender: object): string {
  return Object.entries(sender).flatMap(([name, value]) => value === undefined ? [] : `${name} ${String(value).slice(0, 200)}`).join(', ')
}

/** The address that is listened at, asked for once: the question costs more than all of the check. A socket of the file system has none. */
function addressOf ({ server }: FastifyInstance): () => string | undefined {
  let known: { address?: string } | undefined
  return () => {
    if (server.listening) known ??= read(server.address())
    return known?.address
  }
}

function read (address: ReturnType<FastifyInstance['server']['address']>): { address?: string } {
  return typeof address === 'object' && address !== null ? address : {}
}
