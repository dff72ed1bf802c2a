import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { logFailure } from '../src/call/log.js'
import { toToolError, type Failure } from '../src/call/plain.js'
import { requestIdOf } from '../src/call/request-id.js'
import { emptyResult, outputInvalid } from '../src/call/output.js'
import { failureAnswer, successAnswer, type Answer } from '../src/protocol/answer.js'
import type { Meta } from '../src/protocol/envelope.js'
import { encodeJson } from '../src/protocol/json.js'

declare module 'fastify' {
  interface FastifyReply {
    /** Answers with the success envelope around `data`: 200, or 202 where `meta.status` is `pending`. Data that JSON cannot hold is 500 `OUTPUT_INVALID`. */
    sendToolSuccess (data: unknown, meta?: Meta): FastifyReply
    /**
     * Answers with the failure envelope; the status is always one of the category's row.
     * Takes a literal `{ code, message, category, … }`, a `ToolError`, or anything thrown: of that, neither status nor message is passed on.
     */
    sendToolError (failure: Failure): FastifyReply
  }
}

const READS = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Decorates the replies of an app, or of one scope, without the checks of the plugin. */
export function decorateReplies (app: FastifyInstance): void {
  if (app.hasReplyDecorator('sendToolError')) return
  app.decorateReply('sendToolSuccess', function (this: FastifyReply, data: unknown, meta?: Meta) {
    if (data === undefined) return this.sendToolError(emptyResult())
    const encoded = encodeJson(data)
    if ('problem' in encoded) return this.sendToolError(outputInvalid(encoded.problem))
    return sendAnswer(this, successAnswer(encoded.text, meta, idOf(this.request)))
  })
  app.decorateReply('sendToolError', function (this: FastifyReply, failure: Failure) {
    const error = toToolError(failure, READS.has(this.request.method) ? 'read' : 'write')
    logFailure(this.request.log, error)
    return sendAnswer(this, failureAnswer(error, idOf(this.request)))
  })
}

/** Sends an answer of the framework's. The first answer stands: a second one is logged and dropped. */
export function sendAnswer (reply: FastifyReply, answer: Answer): FastifyReply {
  if (reply.sent) {
    reply.request.log.error({ err: new Error('A second answer was sent; the first one stands.') }, 'A second answer was dropped.')
    return reply
  }
  return reply.code(answer.status).headers(answer.headers).send(answer.body)
}

function idOf (request: FastifyRequest): string {
  return requestIdOf(request, request.id)
}

/**
 * Gives every reply of an app `sendToolSuccess(data, meta?)` and `sendToolError(failure)`.
 * Takes no options. Registered again it has no effect; registered after a route, start-up fails and says so.
 */
export const toolReplies = fp(async (app: FastifyInstance, options: object) => {
  const [unknown] = Object.keys(options)
  if (unknown !== undefined) throw new TypeError(`Expected \`toolReplies\` to be registered without options, got \`${unknown}\`.`)
  if (app.hasReplyDecorator('sendToolError')) return
  if (app.printRoutes() !== '(empty tree)') {
    throw new Error('Expected `toolReplies` to be registered before the first route: put `await app.register(toolReplies)` above it.')
  }
  decorateReplies(app)
}, { name: 'candor-tool-replies', fastify: '5.x' })
