import type { FastifyInstance, FastifyReply } from 'fastify'
import fp from 'fastify-plugin'
import { handOver, isAnswered } from '../src/call/handed-over.js'
import { logFailure, logObjection, logRefusal } from '../src/call/log.js'
import { mistakeInMeta, withWarnings } from '../src/call/meta.js'
import { emptyResult, outputInvalid } from '../src/call/output.js'
import { claimOf } from '../src/call/plain-claim.js'
import { effectOf, toToolError, type Failure } from '../src/call/plain.js'
import { requestIdOf } from '../src/call/request-id.js'
import { unfitHeaders } from '../src/call/unfit-headers.js'
import { answerFailure, answerSuccess } from '../src/call/answer.js'
import type { BrokenData } from '../src/policy/honesty.js'
import type { Answer } from '../src/protocol/answer.js'
import type { Meta } from '../src/protocol/envelope.js'
import { encodeJson, type Encoded } from '../src/protocol/json.js'
import type { ToolError } from '../src/protocol/tool-error.js'

declare module 'fastify' {
  interface FastifyReply {
    /**
     * Answers with the success envelope around `data`: 200, or 202 where `meta.status` is `pending`.
     * Data that JSON cannot hold is 500 `OUTPUT_INVALID`, `undefined` 500 `EMPTY_HANDLER_RESULT`, a key of `meta` that the protocol does not know 500 `INTERNAL_ERROR`.
     */
    sendToolSuccess (data: unknown, meta?: Meta): FastifyReply
    /**
     * Answers with the failure envelope; the status is always one of the category's row.
     * Takes a literal `{ code, message, category, … }`, a `ToolError`, or anything thrown: of that, neither status nor message is passed on.
     */
    sendToolError (failure: Failure): FastifyReply
  }
}

/** Decorates the replies of an app, or of one scope, without the checks of the plugin. */
export function decorateReplies (app: FastifyInstance): void {
  if (app.hasReplyDecorator('sendToolError')) return
  app.decorateReply('sendToolSuccess', sendToolSuccess)
  app.decorateReply('sendToolError', sendToolError)
}

function sendToolSuccess (this: FastifyReply, data: unknown, meta?: Meta): FastifyReply {
  if (this.sent || isAnswered(this)) return dropped(this)
  const mistake = mistakeInMeta(meta)
  if (mistake !== undefined) return this.sendToolError(new TypeError(mistake))
  const encoded = data === undefined ? undefined : encodeJson(data)
  // Without data `null` is sent, where the rule that refuses it is relaxed.
  const text = encoded !== undefined && 'text' in encoded ? encoded.text : 'null'
  const broken = brokenOf(encoded)
  const claim = claimOf(this.request)
  if (claim === undefined) return broken === undefined ? success(this, text, meta) : this.sendToolError(broken.error)
  const { refusal, warnings } = claim.judge(data, meta, broken)
  if (refusal === undefined) {
    for (const warning of warnings) logObjection(this.request.log, warning)
    return success(this, text, withWarnings(meta, warnings))
  }
  const error = claim.failureOf(refusal)
  logRefusal(this.request.log, refusal, error)
  return failure(this, error)
}

function success (reply: FastifyReply, text: string, meta: Meta | undefined): FastifyReply {
  return send(reply, answerSuccess(text, meta, requestIdOf(reply.request, reply.request.id)))
}

function brokenOf (encoded: Encoded | undefined): BrokenData | undefined {
  if (encoded === undefined) return { rule: 'no-result', error: emptyResult() }
  return 'problem' in encoded ? { rule: 'output-schema', error: outputInvalid(encoded.problem), unsendable: true } : undefined
}

function sendToolError (this: FastifyReply, given: Failure): FastifyReply {
  if (this.sent || isAnswered(this)) return dropped(this, given)
  const error = toToolError(given, effectOf(this.request.method))
  logFailure(this.request.log, error)
  return failure(this, error)
}

function failure (reply: FastifyReply, error: ToolError): FastifyReply {
  for (const name of unfitHeaders(reply.getHeaders())) reply.removeHeader(name)
  return send(reply, answerFailure(error, requestIdOf(reply.request, reply.request.id)))
}

/** As text, with a serialiser that leaves it alone: a route's response schema, which may know nothing of the envelope, has no say. */
function send (reply: FastifyReply, answer: Answer): FastifyReply {
  handOver(reply, answer, effectOf(reply.request.method))
  return reply.serializer(asItIs).code(answer.status).headers(answer.headers).send(answer.body)
}

function asItIs (text: string): string {
  return text
}

/** The first answer stands. */
function dropped (reply: FastifyReply, failure?: unknown): FastifyReply {
  reply.request.log.error({ err: failure ?? new Error('Expected one answer to a request, got a second one.') }, 'A second answer was dropped; the first one stands.')
  return reply
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
