import { randomBytes } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { fromRow } from '../src/call/framework-error.js'
import type { HonestyOptions } from '../src/capability/honesty-rules.js'

/** Who the service is, and whether it takes calls. */
export interface HealthOptions {
  name: string
  version: string
  /** What is not ready, in a word each; empty while calls are taken. */
  notReady: () => readonly string[]
  /** Rules of honest success that are not `refuse`, by capability. @default none */
  relaxed?: Readonly<Record<string, HonestyOptions>>
}

/** `GET /health`: the process is alive. `GET /ready`: it takes calls; else 503 with what is not ready. */
export const health = fp(async (app: FastifyInstance, { name, version, notReady, relaxed = {} }: HealthOptions) => {
  const id = `${name}-${randomBytes(4).toString('hex')}`
  app.get('/health', async () => ({ status: 'healthy', type: 'tool', name, id, version, ...(Object.keys(relaxed).length > 0 && { honesty: relaxed }) }))
  app.get('/ready', async (_, reply) => {
    const missing = notReady()
    if (missing.length === 0) return { status: 'ready', type: 'tool', name, id, version }
    return reply.sendToolError(fromRow('SERVICE_UNAVAILABLE', `The service is not ready: ${missing.join(', ')}.`, { not_ready: missing }))
  })
}, { name: 'candor-health', fastify: '5.x', decorators: { reply: ['sendToolError'] } })
