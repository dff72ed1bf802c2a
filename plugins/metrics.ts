import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import type { Metrics } from '../src/call/metrics.js'

/** What was counted, by `createMetrics`. */
export interface MetricsOptions {
  metrics: Pick<Metrics, 'text' | 'contentType'>
}

/** `GET /metrics`: what the service has counted, for Prometheus. */
export const metrics = fp(async (app: FastifyInstance, { metrics }: MetricsOptions) => {
  app.get('/metrics', async (_, reply) => reply.type(metrics.contentType).header('cache-control', 'no-store').send(await metrics.text()))
}, { name: 'candor-metrics', fastify: '5.x' })
