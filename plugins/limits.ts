import rateLimit, { normalizeIP } from '@fastify/rate-limit'
import underPressure from '@fastify/under-pressure'
import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import type { RateLimit } from '../src/capability/rate-limit.js'
import { fromRow } from '../src/call/framework-error.js'
import { effectOf, refusalOf } from '../src/call/plain.js'
import type { Service } from '../src/call/service.js'
import { basePath } from '../src/policy/base-path.js'
import { CountStore } from '../src/policy/count-store.js'
import { FragileStore } from '../src/policy/fragile-store.js'
import type { LimitOptions, OverloadOptions } from '../src/policy/limit-options.js'
import type { CountCall, RateState } from '../src/policy/rate-counter.js'
import { withFields } from '../src/protocol/tool-error.js'

/** How much may be asked. */
export interface LimitsPluginOptions {
  limits: LimitOptions
  /** Name of the service: its counts in Redis are kept under it. */
  name: string
  /** Its calls are counted from now on. */
  service: Service
}

/** How long callers are told to wait at least while the process is past its bounds, in milliseconds. */
const OVERLOAD_WAIT_MS = 10_000

/** Counts calls, and refuses requests while the process is past its bounds. */
export const limits = fp(async (app: FastifyInstance, { limits, name, service }: LimitsPluginOptions) => {
  // The two plugins get an instance of their own: on an app that has them too, they would share its counts, or not start.
  const own = Fastify()
  app.addHook('onClose', async () => { await own.close() })
  const count = await createCounter(own, limits, name)
  const ask = limits.redis === undefined ? count : askStore(count, app, limits)
  service.countCall = async ({ name, rateLimit = limits.rate }, caller) => rateLimit ? await ask(`${name}:${personOf(caller)}`, rateLimit) : undefined
  if (limits.overload !== undefined) await watch(app, own, limits.overload, service)
}, { name: 'candor-limits', fastify: '5.x', decorators: { reply: ['sendToolError'] } })

type Count = (key: string, limit: RateLimit) => Promise<RateState>

/** What stands in the place of a request where one call is counted. */
interface Counted { key: string, limit: RateLimit, routeOptions: object }

async function createCounter (own: FastifyInstance, { redis }: LimitOptions, name: string): Promise<Count> {
  const counted = (request: unknown): Counted => request as Counted
  await own.register(rateLimit, {
    global: false,
    ...redis === undefined ? { store: CountStore } : { redis },
    nameSpace: `candor:${name}:`,
    keyGenerator: request => counted(request).key,
    max: request => counted(request).limit.max,
    timeWindow: request => counted(request).limit.windowMs
  })
  const count = own.createRateLimit()
  return async (key, limit) => {
    const call: Counted = { key, limit, routeOptions: {} }
    // Without a list of callers that are always allowed, it always says how many are left.
    const { remaining, ttl, isExceeded } = await count(call as unknown as FastifyRequest) as Exclude<Awaited<ReturnType<typeof count>>, { isAllowed: true }>
    return { ...limit, isAllowed: !isExceeded, remaining, resetMs: Math.max(ttl, 0) }
  }
}

/** Whoever has one address of IPv6 has all of its /64. */
function personOf (caller: string): string {
  const [, address] = /^address (.+)$/.exec(caller) ?? []
  return address === undefined ? caller : `address ${normalizeIP(address)}`
}

/** Counts in a store that may be gone: then calls are taken, or refused, as is said. */
function askStore (count: Count, { log }: FastifyInstance, { whenRedisIsGone = 'open' }: LimitOptions): (...call: Parameters<Count>) => ReturnType<CountCall> {
  const isOpen = whenRedisIsGone === 'open'
  const store = new FragileStore({
    gone: err => log.warn({ err }, `Redis does not answer: until it does, calls that are limited are ${isOpen ? 'taken uncounted' : 'refused'}.`),
    back: () => log.info('Redis answers again: calls are counted.')
  })
  return async (...call) => await store.ask(async () => await count(...call)) ?? (isOpen ? undefined : 'unknown')
}

/** Refuses requests while the process is past its bounds, but for those who ask how it is. */
async function watch (app: FastifyInstance, own: FastifyInstance, { maxEventLoopDelayMs, maxHeapUsedBytes, maxRssBytes }: OverloadOptions, service: Service): Promise<void> {
  await own.register(underPressure, { maxEventLoopDelay: maxEventLoopDelayMs, maxHeapUsedBytes, maxRssBytes })
  service.isOverloaded = () => own.isUnderPressure()
  const open = ['/health', '/ready'].map(path => basePath(app.prefix) + path)
  app.addHook('onRequest', async (request, reply) => {
    if (!own.isUnderPressure() || open.includes(request.routeOptions.url ?? '')) return
    const failure = fromRow('OVERLOADED', 'The service has more to do than it can, and takes nothing new at the moment.')
    const retryAfterMs = service.waits.spread('service', OVERLOAD_WAIT_MS)
    return reply.sendToolError(refusalOf(withFields(failure, { retryAfterMs }), effectOf(request.method)))
  })
}
