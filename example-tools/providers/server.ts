import { STATUS_CODES } from 'node:http'
import Fastify from 'fastify'
import type { FastifyInstance, FastifyServerOptions } from 'fastify'
import { listen, runDirectly } from '../serve.js'
import type { Environment } from '../settings.js'
import { host, port, readSettings } from '../settings.js'
import type { GeocodingOptions } from './geocoding.js'
import { faults, simulatedHeader } from './faults.js'
import { forecast } from './forecast.js'
import { geocoding } from './geocoding.js'
import { refuse } from './open-meteo.js'
import { rates } from './rates.js'

/** What `createProviders` takes. */
export interface ProvidersOptions extends GeocodingOptions {
  /** The clock the weather follows. @default the system's */
  now?: () => Date
  /** As Fastify's option of this name. @default false */
  logger?: FastifyServerOptions['logger']
}

/** A Fastify instance, not listening, that simulates Open-Meteo and Frankfurter from sample data and fails on demand. */
export function createProviders (options: ProvidersOptions = {}): FastifyInstance {
  const app = Fastify({
    logger: options.logger ?? false,
    // A request that hangs on demand must not keep close() waiting.
    forceCloseConnections: true,
    // Fastify's defaults drop unknown fields and turn "1" into 1: a fault with a typing error would be accepted and never happen.
    ajv: { customOptions: { removeAdditional: false, coerceTypes: false } },
    // Node answers a missing Host by itself, without our header.
    http: { requireHostHeader: false },
    clientErrorHandler: (_error, socket) => {
      if (socket.writable) socket.end(`HTTP/1.1 400 Bad Request\r\n${simulatedHeader}: true\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`)
    },
    frameworkErrors: (error, _request, reply) => refuse(reply.header(simulatedHeader, 'true'), error.message)
  })
  app.addHook('onRequest', async (_request, reply) => { reply.header(simulatedHeader, 'true') })
  app.setNotFoundHandler((_request, reply) => refuse(reply, 'Not Found', 404))
  app.setErrorHandler<Error & { statusCode?: number, validation?: { params: Record<string, unknown> }[] }>((error, request, reply) => {
    const status = error.statusCode ?? 500
    if (status >= 500) request.log.error(error)
    refuse(reply, status >= 500 ? STATUS_CODES[status] ?? 'Internal Server Error' : reasonOf(error), status)
  })
  faults(app)
  app.get('/health', async () => ({ status: 'ok', simulated: true }))
  geocoding(app, options)
  forecast(app, options.now ?? (() => new Date()))
  rates(app)
  return app
}

// Ajv says that there is a field too many, or a value not allowed, but not which.
function reasonOf (error: Error & { validation?: { params: Record<string, unknown> }[] }): string {
  const { additionalProperty, allowedValues } = error.validation?.[0]?.params ?? {}
  if (additionalProperty !== undefined) return `${error.message}: '${additionalProperty}'`
  return Array.isArray(allowedValues) ? `${error.message}: ${allowedValues.join(', ')}` : error.message
}

/** The variables it reads. */
export const variables = { PORT: port(8090), HOST: host }

/** Starts the server on `PORT` and `HOST`; fails with one clear line. */
export async function start (env: Environment): Promise<FastifyInstance> {
  const { PORT, HOST } = readSettings(variables, env)
  return listen(createProviders(), PORT, HOST)
}

await runDirectly(import.meta.url, process, 'Simulated providers (sample data)', start)
