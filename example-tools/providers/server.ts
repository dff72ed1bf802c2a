import { existsSync, realpathSync } from 'node:fs'
import { STATUS_CODES } from 'node:http'
import { fileURLToPath } from 'node:url'
import closeWithGrace from 'close-with-grace'
import Fastify from 'fastify'
import type { FastifyInstance, FastifyServerOptions } from 'fastify'
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

/** Starts the server on `PORT` (8090 unless said) and `HOST` (127.0.0.1 unless said); fails with one clear line. */
export async function start (env: Record<string, string | undefined>): Promise<FastifyInstance> {
  const port = env.PORT ?? '8090'
  const host = env.HOST ?? '127.0.0.1'
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) throw new Error(`Expected PORT to be a whole number from 0 to 65535, got '${port}'.`)
  if (!/^[\w.:-]+$/.test(host)) throw new Error(`Expected HOST to be a host name or an IP address, got '${host}'.`)
  const app = createProviders()
  try {
    await app.listen({ port: Number(port), host })
  } catch (error) {
    await app.close()
    throw new Error(listenProblem((error as NodeJS.ErrnoException).code, port, host), { cause: error })
  }
  return app
}

function listenProblem (code: string | undefined, port: string, host: string): string {
  if (code === 'EADDRINUSE') return `Port ${port} on ${host} is already in use: set PORT to a free one.`
  if (code === 'EACCES') return `Port ${port} on ${host} is not ours to take: set PORT to one above 1023.`
  return `Cannot listen on port ${port} of ${host} (${code ?? 'unknown cause'}): set HOST to an address of this machine.`
}

// Through links, as Node itself resolves the module it is started with.
const [, started = ''] = process.argv
if (existsSync(started) && realpathSync(started) === fileURLToPath(import.meta.url)) {
  try {
    const app = await start(process.env)
    closeWithGrace({ delay: 2000 }, async () => app.close())
    console.log(`Simulated providers (sample data) on ${app.listeningOrigin}`)
  } catch (error) {
    console.error((error as Error).message)
    process.exitCode = 1
  }
}
