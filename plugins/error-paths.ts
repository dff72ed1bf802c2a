import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest, RouteHandlerMethod } from 'fastify'
import fp from 'fastify-plugin'
import { principalOf } from '../src/call/caller.js'
import { frameworkError, fromRow, statusError, type Circumstances } from '../src/call/framework-error.js'
import { guard, handedOver, isAnswered, isFailure, takeBack, type HandedOver } from '../src/call/handed-over.js'
import { logFailure } from '../src/call/log.js'
import { emptyResult } from '../src/call/output.js'
import { effectOf, refusalOf, toToolError } from '../src/call/plain.js'
import { createRequestId, requestIdOf } from '../src/call/request-id.js'
import { notFoundFailure, RouteIndex } from '../src/call/routes.js'
import { isSecured } from '../src/call/secure-response.js'
import { endWith, isRefused } from '../src/call/socket-failure.js'
import { internalError } from '../src/call/thrown.js'
import { unfitHeaders } from '../src/call/unfit-headers.js'
import { awaitHandler, beginHandler, stateOf } from '../src/call/waiting-requests.js'
import { answerFailure } from '../src/call/answer.js'
import { basePath } from '../src/policy/base-path.js'
import { readableHeaders } from '../src/policy/cors.js'
import type { Answer } from '../src/protocol/answer.js'
import { responseHeaders, securityHeaders } from '../src/protocol/headers.js'
import type { ToolError } from '../src/protocol/tool-error.js'
import { withOutcome } from '../src/upstream/exchange.js'

/**
 * Puts every failure of a scope into the envelope, and request id and security headers on all its responses.
 * Needs the reply decorators.
 */
export const errorPaths = fp(async (app: FastifyInstance) => {
  const { routerOptions, ...own } = app.initialConfig
  const routes = new RouteIndex({ ...own, ...routerOptions })
  // Replies on which an error was met, with the success it stopped: what is sent then is an error handler's answer, not a hook's.
  const errored = new WeakMap<FastifyReply, HandedOver | undefined>()

  app.addHook('onRoute', route => {
    routes.add([route.method].flat(), route.url, route.config?.scopes)
    route.handler = watch(route.handler)
  })
  app.addHook('onRequest', (request, reply, done) => {
    guard(reply)
    awaitHandler(request.raw)
    const { httpVersion, headers } = request.raw
    if (httpVersion === '1.1' && headers.host === undefined) return reply.sendToolError(fromRow('MALFORMED_REQUEST', 'The request names no host.', { expected: 'a Host header' }))
    done()
  })

  // The two hooks that never call `done`: a failure that was on its way was stopped, and Fastify is about to write the
  // error's own message. The failure is written past all hooks, and the reply goes no further.
  app.addHook('onError', (request, reply, error, done) => {
    const stopped = handedOver(reply)
    if (stopped !== undefined && isFailure(stopped)) {
      request.log.error({ err: error }, 'A failure could not be sent; it is sent without hooks.')
      return writePastHooks(reply, stopped.answer)
    }
    errored.set(reply, stopped)
    takeBack(reply)
    done()
  })
  app.addHook('onSend', (request, reply, payload, done) => {
    const given = handedOver(reply)
    if (given !== undefined && isFailure(given) && payload !== given.answer.body) return writePastHooks(reply, given.answer)
    const answeredByHook = given === undefined && reply.statusCode >= 400 && !hasBegun(request) && !request.is404 && !errored.has(reply)
    const body = answeredByHook ? enveloped(request, reply, payload) : payload
    // An answer that was handed over has them.
    if (given === undefined) complete(request, reply)
    done(null, body)
  })

  app.setErrorHandler((error, request, reply) => {
    if (isRefused(request.raw.socket)) {
      reply.hijack()
    } else if (reply.raw.destroyed) {
      request.log.info({ code: 'CALLER_GONE', err: error }, 'The caller went away before it was answered.')
      reply.hijack()
    } else if (request.is404 && frameworkError(error) !== undefined) {
      answerNotFound(request, reply)
    } else {
      // What a first try to write the head has left: the reason phrase of another status.
      if (UNWRITABLE.has((error as { code?: unknown } | null)?.code)) reply.raw.statusMessage = ''
      reply.sendToolError(withTold(classify(error, request, reply), errored.get(reply)))
    }
  })
  try {
    app.setNotFoundHandler(answerNotFound)
  } catch {
    // The app has its own for these paths, and it stays.
  }

  function answerNotFound (request: FastifyRequest, reply: FastifyReply): void {
    const offered = routes.methodsFor(request.url)
    // A handler may say that there is nothing: of a file that is not there the method is not what is wrong.
    const methods = offered.includes(request.method) ? [] : offered
    if (methods.length > 0) reply.header('allow', methods.join(', '))
    if (request.method === 'OPTIONS' && methods.length > 0) reply.code(204).send()
    else reply.sendToolError(notFoundFailure(request.method, request.url, methods, routes.pathsFor(principalOf(request)), basePath(app.prefix)))
  }

  // Node answers an expectation by itself, before any request is made of it. A second service of the app finds the first one listening.
  if (app.server.listenerCount('checkExpectation') === 0) app.server.on('checkExpectation', answerExpectation(app.log))
  // Node hangs up without a word where nobody listens.
  if (app.server.listenerCount('connect') === 0) app.server.on('connect', answerConnect(app))
}, { name: 'candor-error-paths', fastify: '5.x', decorators: { reply: ['sendToolError'] } })

const SECURITY = Object.entries(securityHeaders)
const UNWRITABLE = new Set<unknown>(['ERR_INVALID_CHAR', 'ERR_INVALID_HTTP_TOKEN'])

function complete (request: FastifyRequest, reply: FastifyReply): void {
  if (!reply.hasHeader(responseHeaders.requestId)) reply.header(responseHeaders.requestId, requestIdOf(request, request.id))
  if (isSecured(reply.raw)) return
  for (const [name, value] of SECURITY) if (!reply.hasHeader(name)) reply.header(name, value)
}

/** Before it has, a 4xx is a plugin's word about the request; after, it is somebody else's number. */
function hasBegun ({ raw }: FastifyRequest): boolean {
  return stateOf(raw) === 'begun'
}

function classify (error: unknown, request: FastifyRequest, reply: FastifyReply): ToolError {
  const circumstances: Circumstances = { bodyLimit: request.routeOptions.bodyLimit, retryAfter: reply.getHeader('retry-after') }
  const effect = effectOf(request.method)
  return hasBegun(request) ? toToolError(error, effect, circumstances) : refusalOf(error, effect, circumstances)
}

/** Where the handler was done and had succeeded, what failed is telling it. */
function withTold (failure: ToolError, stopped: HandedOver | undefined): ToolError {
  return stopped?.effect === 'write' ? withOutcome(failure, 'applied') : failure
}

/**
 * The handler, marked as begun. One that ends without an answer has failed, however friendly an empty 200 looks; what
 * one does after its answer is logged, and the answer stands.
 */
function watch (handler: RouteHandlerMethod): RouteHandlerMethod {
  return function (request, reply) {
    beginHandler(request.raw)
    const result = handler.call(this, request, reply) as unknown
    if (!(result instanceof Promise)) return result
    return result.then(value => {
      if (isAnswered(reply)) return value === undefined ? value : reply.sendToolSuccess(value)
      return value === undefined && !reply.sent && reply.statusCode === 200 ? reply.sendToolError(emptyResult()) : value
    }, (error: unknown) => {
      if (!isAnswered(reply)) throw error
      return reply.sendToolError(error)
    })
  }
}

/** The envelope for what a plugin's hook answered by itself. */
function enveloped (request: FastifyRequest, reply: FastifyReply, payload: unknown): string {
  const { statusCode } = reply
  const answered = Object.assign(new Error(`A hook answered ${statusCode}: ${typeof payload === 'string' ? payload : typeof payload}`), { statusCode })
  const failure = statusError(answered) ?? internalError(answered)
  logFailure(request.log, failure)
  for (const name of unfitHeaders(reply.getHeaders())) reply.removeHeader(name)
  const { status, headers, body } = answerFailure(failure, requestIdOf(request, request.id))
  reply.code(status).headers(headers)
  return body
}

function writePastHooks (reply: FastifyReply, { status, headers, body }: Answer): void {
  reply.hijack()
  const { raw } = reply
  if (raw.headersSent) return
  for (const name of unfitHeaders(reply.getHeaders())) reply.removeHeader(name)
  for (const name of raw.getHeaderNames()) raw.removeHeader(name)
  raw.writeHead(status, { ...readableHeaders(reply.getHeaders()), ...headers, 'content-length': Buffer.byteLength(body), connection: 'close' }).end(body)
}

function answerExpectation (log: FastifyBaseLogger): (request: IncomingMessage, response: ServerResponse) => void {
  return (request, response) => {
    const requestId = createRequestId(request.headers)
    const failure = fromRow('EXPECTATION_FAILED', 'The server cannot do what the Expect header asks for.', { expected: '100-continue, or no Expect header' })
    logFailure(log.child({ requestId }), failure)
    const { status, headers, body } = answerFailure(failure, requestId)
    response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body), connection: 'close' }).end(body)
  }
}

/** A tunnel that is asked for: this is no proxy. Of an address that is a host there is no method to offer. */
function answerConnect ({ server, log }: FastifyInstance): (request: IncomingMessage, socket: Duplex) => void {
  return (request, socket) => {
    // Somebody has made it one.
    if (server.listenerCount('connect') > 1) return
    socket.on('error', () => {})
    const requestId = createRequestId(request.headers)
    const failure = fromRow('METHOD_NOT_ALLOWED', 'This service is no proxy: it has no CONNECT.', { expected: 'a request for a path of this service' })
    logFailure(log.child({ requestId }), failure)
    const { headers, ...answer } = answerFailure(failure, requestId)
    endWith(socket, { ...answer, headers: { ...headers, allow: '' } })
  }
}
