import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { LogController, type FastifyBaseLogger, type FastifyError, type FastifyInstance, type FastifyReply, type FastifyRequest, type FastifyHttpOptions, type FastifyServerOptions } from 'fastify'
import { childLog } from '../src/call/child-log.js'
import { redactLine } from '../src/call/secrets.js'
import { logFailure } from '../src/call/log.js'
import { toToolError } from '../src/call/plain.js'
import { createRequestId, giveRequestId, requestIdOf } from '../src/call/request-id.js'
import { createRouteValidator } from '../src/call/route-validator.js'
import { SecureResponse } from '../src/call/secure-response.js'
import { endWith, socketFailure } from '../src/call/socket-failure.js'
import { answerFailure } from '../src/call/answer.js'

/** A bad URL and the like: no hook runs there and no decorator is sure to be there, so headers and log are done by hand. */
function answerFrameworkError (error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  const failure = toToolError(error, 'read')
  logFailure(request.log, failure)
  const { status, headers, body } = answerFailure(failure, requestIdOf(request, request.id))
  reply.code(status).headers(headers).send(body)
}

/** A socket of Node's server, with what Node keeps there: the response that is under way, and the request that comes in. */
interface ServerSocket extends Socket {
  _httpMessage?: ServerResponse | null
  parser?: { incoming?: IncomingMessage | null } | null
}

/** What never became a request, or never all of one. */
function answerSocket (this: FastifyInstance, error: Error & { code?: string }, socket: ServerSocket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const requestId = createRequestId({})
  const incoming = socket.parser?.incoming
  const failure = socketFailure(error, incoming?.complete === false ? incoming : undefined)
  logFailure(this.log.child({ requestId }), failure)
  const answer = answerFailure(failure, requestId)
  // Node's own handler looks there too.
  const current = socket._httpMessage
  if (current?.req.complete === true) current.once('finish', () => endWith(socket, answer))
  else if (current?.headersSent === true) socket.destroy()
  else endWith(socket, answer)
}

/** Fastify's default error handler is silent with request logging off; an error it takes would be lost. */
class FailureLog extends LogController {
  override defaultErrorLog (error: unknown, _: FastifyRequest, reply: FastifyReply): void {
    reply.log[reply.statusCode >= 500 ? 'error' : 'info']({ err: error }, "An error came to Fastify's own error handler.")
  }
}

type BuildValidator = NonNullable<NonNullable<FastifyServerOptions<Server>['schemaController']>['compilersFactory']>['buildValidator']

/**
 * Keeps credentials out of a log: known secrets of all services of this process, sensitive input of running calls, what
 * stands under the name of a credential, and what looks like one in a text. `createToolService` sets it; on an app of
 * one's own: `Fastify({ ...serverOptions, logger: { ...loggerOptions, level: 'info' } })`. A logger that is an instance
 * has its hooks already and is left alone: give its maker these, `pino({ ...loggerOptions })`, or redact there yourself.
 */
export const loggerOptions = { hooks: { streamWrite: redactLine } }

/**
 * What has to be said to Fastify's constructor: `Fastify({ ...serverOptions, logger: true })`.
 * Without it, failures before a route is found keep Fastify's own form, and request ids are Fastify's counter. To change
 * a part of `http`, spread `serverOptions.http` too.
 */
export const serverOptions = {
  bodyLimit: 1024 * 1024,
  requestIdHeader: false,
  genReqId: (request: IncomingMessage) => giveRequestId(request),
  // A failure is logged once, with its cause; two lines for every success would cost more than the call.
  logController: new FailureLog({ requestIdLogLabel: 'requestId', disableRequestLogging: true }),
  childLoggerFactory: (logger: FastifyBaseLogger, bindings: object, options: object) => childLog(logger, bindings, options) as FastifyBaseLogger,
  return503OnClosing: false,
  // A sender may not hold a socket by being slow: ten seconds for the headers, of which a socket that says nothing has as many, thirty for all of
  // a request. A reader has thirty, again and again, to take some of its answer. A call may be silent for as long as its capability lets it.
  requestTimeout: 30_000,
  connectionTimeout: 0,
  // Longer than the minute after which load balancers drop an idle connection: one that is dropped here may have a request on its way.
  keepAliveTimeout: 72_000,
  http: { headersTimeout: 10_000, connectionsCheckingInterval: 1_000, requireHostHeader: false, ServerResponse: SecureResponse },
  // Fastify takes any function that answers `true` or `{ error }`; its type asks for one of Ajv's.
  schemaController: { compilersFactory: { buildValidator: createRouteValidator as unknown as BuildValidator } },
  frameworkErrors: answerFrameworkError,
  clientErrorHandler: answerSocket
} satisfies FastifyHttpOptions<Server>
