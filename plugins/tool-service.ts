import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import Fastify, { type FastifyBaseLogger, type FastifyInstance, type FastifyHttpOptions, type RawReplyDefaultExpression, type RawRequestDefaultExpression, type RawServerDefault, type RouteOptions } from 'fastify'
import fp from 'fastify-plugin'
import { createMetrics } from '../src/call/metrics.js'
import { prepare } from '../src/call/prepared.js'
import { keepSecrets, redactLine } from '../src/call/secrets.js'
import type { CapabilityRules } from '../src/call/relaxed-rules.js'
import { announceService, type Service } from '../src/call/service.js'
import { mistakesInService, warningsInService, type ServiceDeclaration } from '../src/call/service-mistakes.js'
import type { Capability } from '../src/capability/define.js'
import { describeOption } from '../src/schema/describe-option.js'
import { Upstream } from '../src/upstream/client.js'
import { Directory } from '../src/upstream/directory.js'
import type { UpstreamOptions } from '../src/upstream/options.js'
import { basePath } from '../src/policy/base-path.js'
import { Waits } from '../src/policy/waits.js'
import { capabilities } from './capabilities.js'
import { docs } from './docs.js'
import { errorPaths } from './error-paths.js'
import { guard } from './guard.js'
import { health } from './health.js'
import { honesty } from './honesty.js'
import { mcp } from './mcp.js'
import { metrics } from './metrics.js'
import { openapi } from './openapi.js'
import { loggerOptions, serverOptions } from './server-options.js'
import { stopping } from './stopping.js'
import { decorateReplies } from './tool-replies.js'

export { loggerOptions, serverOptions } from './server-options.js'

/** A service: its name, what it can do, and the third parties it asks. */
export type ToolServiceOptions = ServiceDeclaration

/** The options of `createToolService`: a service, and what Fastify's constructor takes beside `serverOptions`. */
export interface CreateToolServiceOptions extends ToolServiceOptions {
  /** Fastify's own: `false`, `true`, pino's options, or an instance. @default true */
  logger?: FastifyHttpOptions<RawServerDefault>['logger']
  /** More options for Fastify's constructor. */
  server?: Omit<FastifyHttpOptions<RawServerDefault>, 'logger'>
}

/** What `createToolService` returns: a Fastify instance that types routes from TypeBox schemas. */
export type ToolServiceInstance = FastifyInstance<RawServerDefault, RawRequestDefaultExpression, RawReplyDefaultExpression, FastifyBaseLogger, TypeBoxTypeProvider>

/**
 * A whole tool service as a Fastify plugin; `prefix` as in Fastify.
 * Start fails with a `TypeError` that names every mistake in the declarations at once.
 */
export async function toolService (app: FastifyInstance, options: ToolServiceOptions): Promise<void> {
  const mistakes = mistakesInService(options)
  if (mistakes.length > 0) throw new TypeError(`${String(options.name)} cannot start.\n${mistakes.map(mistake => `- ${mistake}`).join('\n')}`)

  const upstreams = createUpstreams(options.upstreams ?? {})
  const forget = [...upstreams.values()].map(upstream => keepSecrets(text => upstream.redact(text)))
  const state = { stopping: false }
  app.addHook('onClose', async () => {
    await Promise.all([...upstreams.values()].map(upstream => upstream.close()))
    for (const forgetOne of forget) forgetOne()
  })
  for (const warning of warningsInService(options)) app.log.warn(warning)

  const counted = options.metrics === false ? undefined : createMetrics()
  const service = createService(options, upstreams, app.log, counted?.report)
  announceService(app.server, service)

  // In this order: replies, then everything that may fail, then the routes. What not every service has is loaded where it is asked for.
  const { name, version, description, servers, allowedHosts, cors, auth: authentication } = options
  const base = basePath(app.prefix)
  decorateReplies(app)
  await app.register(errorPaths)
  await app.register(guard, { allowedHosts, cors })
  if (authentication === undefined) app.addHook('onRoute', refuseScopes)
  else await app.register((await import('./auth.js')).auth, { auth: authentication, name, base, capabilities: options.capabilities })
  if (hasLimits(options)) await app.register((await import('./limits.js')).limits, { limits: options.limits ?? {}, name, service })
  await app.register(stopping, { state, delayMs: options.stopDelayMs ?? 0 })
  await app.register(health, { name, version, notReady: () => [...state.stopping ? ['stopping'] : [], ...service.isOverloaded?.() === true ? ['overloaded'] : []], rules: rulesOf(service) })
  await app.register(capabilities, { service, base, isStopping: () => state.stopping })
  if (options.mcp !== false) await app.register(mcp, { service, name, version, description, isStopping: () => state.stopping })
  if (counted !== undefined) await app.register(metrics, { metrics: counted })
  await app.register(openapi, { name, version, description, servers, base, capabilities: options.capabilities, auth: authentication })
  if (options.docs !== false) await app.register(docs, { name, base, servers })
  // After the capabilities, whose calls are checked where they are made: its hook is for the routes you add.
  await app.register(honesty, { upstreams: options.upstreams, honesty: options.honesty, mockMarkers: options.mockMarkers })
}

/** A Fastify app that is a tool service: add your own routes and plugins, then `listen`. */
export async function createToolService (given: CreateToolServiceOptions): Promise<ToolServiceInstance> {
  if (typeof given !== 'object' || given === null) throw new TypeError(`Expected the options of a service, got ${describeOption(given)}.`)
  if ('prefix' in given) throw new TypeError('Expected no `prefix`, which `createToolService` would not heed: register `toolService` with it.')
  const { logger = true, server, ...options } = given
  const app = Fastify({ ...serverOptions, ...server, http: { ...serverOptions.http, ...server?.http }, logger: withRedaction(logger) }).withTypeProvider<TypeBoxTypeProvider>()
  try {
    // At the root, not in a scope: what you add yourself has the replies and the error paths too.
    // A function of its own: `fp` marks the one it is given, and `toolService` has to keep its scope where a user registers it.
    await app.register(fp(async (root: FastifyInstance, all: ToolServiceOptions) => await toolService(root, all), { name: 'candor-tool-service', fastify: '5.x' }), options)
  } catch (error) {
    await app.close()
    throw error
  }
  return app
}

function createService (options: ToolServiceOptions, upstreams: ReadonlyMap<string, Upstream>, log: FastifyBaseLogger, report: Service['report']): Service {
  return {
    capabilities: new Map(options.capabilities.map(one => [one.name, prepare(one, options, () => sayOverstayed(log, one))])),
    upstreams,
    directory: new Directory([...upstreams.values()].map(({ label, simulated, target }) => ({ label, simulated, origin: target.origin, prefix: target.prefix }))),
    waits: new Waits(),
    isProtected: options.auth !== undefined,
    report
  }
}

/** Nothing else would tell why the other calls of this capability have to wait. */
function sayOverstayed (log: FastifyBaseLogger, { name, maxConcurrent }: Capability): void {
  log.warn({ capability: name, maxConcurrent }, 'A handler still runs long after its call ended; until it ends, it keeps its place.')
}

/** Nobody would be asked for them. */
function refuseScopes ({ url, config }: RouteOptions): void {
  if (config?.scopes !== undefined) throw new TypeError(`Route ${url}: expected \`config.scopes\` only in a service with \`auth\`, or nobody would be asked for them.`)
}

/** Without any, no hook is added and nothing is counted. */
function hasLimits ({ limits, capabilities }: ToolServiceOptions): boolean {
  return limits?.rate !== undefined || limits?.overload !== undefined || capabilities.some(({ rateLimit }) => typeof rateLimit === 'object')
}

/** For `/health`, which everybody may ask: who is asked who they are hears of no name before. */
function rulesOf ({ capabilities, isProtected }: Service): CapabilityRules[] {
  return [...capabilities.values()].map(({ capability: { name, hidden }, modes }) => ({ name: hidden || isProtected ? undefined : name, modes }))
}

function createUpstreams (options: Readonly<Record<string, UpstreamOptions>>): Map<string, Upstream> {
  return new Map(Object.entries(options).map(([label, one]) => [label, new Upstream(label, one)]))
}

/** An instance of somebody's own is left alone: it has its hooks already. */
function withRedaction (logger: CreateToolServiceOptions['logger']): CreateToolServiceOptions['logger'] {
  if (logger === true) return loggerOptions
  if (typeof logger !== 'object' || 'child' in logger) return logger
  const own: ((line: string) => string) | undefined = (logger as typeof loggerOptions).hooks?.streamWrite
  return { ...logger, hooks: { ...logger.hooks, streamWrite: line => redactLine(own?.(line) ?? line) } }
}
