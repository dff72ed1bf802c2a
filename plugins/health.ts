import { randomBytes } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { fromRow } from '../src/call/framework-error.js'
import { relaxedRules, type CapabilityRules } from '../src/call/relaxed-rules.js'

/** Who the service is, and whether it takes calls. */
export interface HealthOptions {
  name: string
  version: string
  /** What is not ready, in a word each; empty while calls are taken. */
  notReady: () => readonly string[]
  /** The rules of honest success that each capability keeps. @default none */
  rules?: readonly CapabilityRules[]
}

/** `GET /health`: the process is alive. `GET /ready`: it takes calls; else 503 with what is not ready. */
export const health = fp(async (app: FastifyInstance, { name, version, notReady, rules = [] }: HealthOptions) => {
  const id = `${name}-${randomBytes(4).toString('hex')}`
  const relaxed = relaxedRules(rules)
  app.get('/health', async () => ({ status: 'healthy', type: 'tool', name, id, version, ...relaxed }))
  app.get('/ready', async (_, reply) => {
    const missing = notReady()
    if (missing.length === 0) return { status: 'ready', type: 'tool', name, id, version }
    return reply.sendToolError(fromRow('SERVICE_UNAVAILABLE', `The service is not ready: ${missing.join(', ')}.`, { not_ready: missing }))
  })
}, { name: 'candor-health', fastify: '5.x', decorators: { reply: ['sendToolError'] } })
