import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'
import { LogController, type FastifyError, type FastifyInstance, type FastifyReply, type FastifyRequest, type FastifyServerOptions } from 'fastify'
import fp from 'fastify-plugin'
import { logFailure } from '../src/call/log.js'
import { toToolError } from '../src/call/plain.js'
import { createRequestId, requestIdOf } from '../src/call/request-id.js'
import { socketFailure } from '../src/call/socket-failure.js'
import { notFoundFailure, RouteIndex } from '../src/call/routes.js'
import { failureAnswer } from '../src/protocol/answer.js'
import { responseHeaders, securityHeaders } from '../src/protocol/headers.js'

/** The largest body that is read, in bytes. */
const BODY_LIMIT = 1024 * 1024

/** A bad URL and the like: no hook runs there and no decorator is sure to be there, so headers and log are done by hand. */
function answerFrameworkError (error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  const failure = toToolError(error, 'read')
  logFailure(request.log, failure)
  const { status, headers, body } = failureAnswer(failure, requestIdOf(request, request.id))
  reply.code(status).headers(headers).send(body)
}

/** What never became a request. Something is written only where nothing was begun. */
function answerSocket (this: FastifyInstance, error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const requestId = createRequestId({})
  const failure = socketFailure(error)
  logFailure(this.log.child({ requestId }), failure)
  if (socket.bytesWritten > 0) {
    socket.destroy()
    return
  }
  const { status, headers, body } = failureAnswer(failure, requestId)
  const lines = Object.entries({ ...headers, 'content-length': String(Buffer.byteLength(body)), connection: 'close' }).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${status} ${STATUS_TEXTS[status] ?? 'Error'}\r\n${lines.join('')}\r\n${body}`)
}

const STATUS_TEXTS: Readonly<Record<number, string>> = { 400: 'Bad Request', 408: 'Request Timeout', 413: 'Payload Too Large', 431: 'Request Header Fields Too Large' }

/**
 * What has to be said to Fastify's constructor: `Fastify({ ...serverOptions, logger: true })`.
 * Without it, failures before a route is found keep Fastify's own form, and request ids are Fastify's counter.
 */
export const serverOptions = {
  bodyLimit: BODY_LIMIT,
  requestIdHeader: false,
  genReqId: (request: IncomingMessage) => createRequestId(request.headers),
  // A failure is logged once, with its cause; two lines for every success would cost more than the call.
  logController: new LogController({ requestIdLogLabel: 'requestId', disableRequestLogging: true }),
  return503OnClosing: false,
  frameworkErrors: answerFrameworkError,
  clientErrorHandler: answerSocket
} satisfies FastifyServerOptions<Server>

/**
 * Puts every failure of a scope into the envelope, and request id and security headers on all its responses.
 * Needs the reply decorators.
 */
export const errorPaths = fp(async (app: FastifyInstance) => {
  const routes = new RouteIndex()
  app.addHook('onRoute', ({ method, url }) => routes.add([method].flat(), url))
  app.addHook('onSend', async (request, reply) => {
    if (reply.hasHeader(responseHeaders.requestId)) return
    reply.header(responseHeaders.requestId, requestIdOf(request, request.id))
    for (const [name, value] of Object.entries(securityHeaders)) if (!reply.hasHeader(name)) reply.header(name, value)
  })
  app.setErrorHandler((error, _, reply) => reply.sendToolError(error))
  app.setNotFoundHandler((request, reply) => {
    const methods = routes.methodsFor(request.url)
    if (methods.length > 0) reply.header('allow', methods.join(', '))
    return reply.sendToolError(notFoundFailure(request.method, request.url, methods, routes.paths))
  })
}, { name: 'candor-error-paths', fastify: '5.x', decorators: { reply: ['sendToolError'] } })
