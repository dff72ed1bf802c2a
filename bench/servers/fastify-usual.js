// Fastify with the plugins that a team puts on it before it goes out: helmet, a rate limit, an OpenAPI document, metrics, a log.
import helmet from '@fastify/helmet'
import rateLimit from '@fastify/rate-limit'
import swagger from '@fastify/swagger'
import Fastify from 'fastify'
import metrics from 'fastify-metrics'
import { forecast, ready, schemas } from './lib.js'

const app = Fastify({ logger: { level: 'info' } })
await app.register(helmet)
await app.register(rateLimit, { max: 1e9, timeWindow: 60_000 })
await app.register(swagger, { openapi: { openapi: '3.1.0', info: { title: 'bench', version: '1.0.0' } } })
await app.register(metrics.default ?? metrics, { endpoint: '/metrics' })
app.post('/forecast', { schema: { body: schemas.input, response: { 200: schemas.output } } }, async request => forecast(request.body))
await app.listen({ port: 0, host: '127.0.0.1' })
ready(app.server.address().port)
