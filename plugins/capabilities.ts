import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { admit, type Admission } from '../src/call/admission.js'
import { principalOf, RequestCaller } from '../src/call/caller.js'
import { readTimeoutMs } from '../src/call/deadline.js'
import type { Door } from '../src/call/door.js'
import { discoveryOf, formOf, type Discovery } from '../src/call/discovery.js'
import { fromRow } from '../src/call/framework-error.js'
import { handOver } from '../src/call/handed-over.js'
import { onHangUp } from '../src/call/hang-up.js'
import { begin } from '../src/call/invoke.js'
import { KeptAnswer } from '../src/call/kept-answer.js'
import type { Effect } from '../src/call/plain.js'
import type { Prepared } from '../src/call/prepared.js'
import { readJsonBytes } from '../src/call/read-json.js'
import { requestIdOf } from '../src/call/request-id.js'
import { setHeaders } from '../src/call/secure-response.js'
import type { Service } from '../src/call/service.js'
import { Views } from '../src/call/views.js'
import { capabilityNotFound } from '../src/call/untaken.js'
import { compressed, isJsonMediaType } from '../src/call/media-type.js'
import type { MadeAnswer } from '../src/protocol/answer.js'
import { requestHeaders } from '../src/protocol/headers.js'
import type { ToolError } from '../src/protocol/tool-error.js'

/** What the capability routes serve. */
export interface CapabilitiesOptions {
  service: Service
  /** The path before `/api`, as clients see it. */
  base: string
  /** From when on no new call is taken. */
  isStopping: () => boolean
}

interface Named { Params: { name: string } }
interface Formatted { Querystring: { format?: unknown } }
interface Body { value: unknown, bytes: number }

// On the request itself: a map beside it would cost every call more.
const ADMITTED = Symbol('candor.admitted')

interface Admitted { [ADMITTED]?: Prepared }

/**
 * Invocation and discovery. One parametric route for all capabilities, and no Fastify schema:
 * `invoke` checks, for every door alike.
 */
export const capabilities = fp(async (app: FastifyInstance, { service, base, isStopping }: CapabilitiesOptions) => {
  const { capabilities } = service
  const views = new Views([...capabilities.values()].map(({ capability }) => capability), visible => discoveryOf(visible, base, (capability, error) => {
    app.log.warn({ capability, err: error }, 'The input cannot be shown in tool definitions; an object of any fields stands there.')
  }))
  const discoveryFor = (request: FastifyRequest<any>): Discovery => views.for(principalOf(request))

  const hint = `GET ${base}/api/capabilities lists what can be called.`

  // A scope of their own: these routes parse JSON themselves, so that a wrong body is answered in the envelope with its position.
  await app.register(async scope => {
    scope.removeAllContentTypeParsers()
    // By its name too: what only the star takes is read anew for every request.
    scope.addContentTypeParser(['application/json', '*'], { parseAs: 'buffer' }, parseBody)

    scope.get<Formatted>('/api/capabilities', (request, reply) => {
      const form = formOf(discoveryFor(request), request.query.format)
      return form instanceof KeptAnswer ? sendKept(request, reply, form) : reply.sendToolError(form)
    })
    scope.get<Named>('/api/capabilities/:name', (request, reply) => {
      const found = discoveryFor(request).capabilities.get(request.params.name)
      return found === undefined ? unknownCapability(request, reply) : sendKept(request, reply, found.descriptor)
    })
    scope.get<Named>('/api/capabilities/:name/schema', (request, reply) => {
      const found = discoveryFor(request).capabilities.get(request.params.name)
      return found === undefined ? unknownCapability(request, reply) : sendKept(request, reply, found.schema)
    })
    // Before the body is read: a refusal costs as little as may be.
    const onRequest = (request: FastifyRequest<Named>, reply: FastifyReply, done: (error?: Error) => void): void => {
      const enter = (admission: Admission): unknown => {
        if (admission.headers !== undefined) reply.headers(admission.headers)
        if ('failure' in admission) return reply.sendToolError(admission.failure)
        ;(request as Admitted)[ADMITTED] = admission.prepared
        done()
      }
      const admission = admit(service, request.params.name, new RequestCaller(request), { isStopping: isStopping(), hint })
      if (admission instanceof Promise) admission.then(enter).catch(done)
      else enter(admission)
    }
    // Without a promise of its own: each costs a call more than all that is written down of it.
    scope.post<Named>('/api/capabilities/:name', { onRequest }, (request, reply) => {
      const prepared = (request as Admitted)[ADMITTED]!
      if (reply.raw.destroyed) {
        request.log.info({ capability: request.params.name, code: 'CALLER_GONE' }, 'The caller went away before the call began.')
        reply.hijack()
        return
      }
      const body = request.body as Body | undefined
      begin(prepared, service, body === undefined ? {} : body.value, doorOf(request, reply, body), answer => send(reply, answer, prepared.capability.effect))
    })
  })

  function unknownCapability (request: FastifyRequest<Named>, reply: FastifyReply): FastifyReply {
    return reply.sendToolError(capabilityNotFound(request.params.name, [...discoveryFor(request).capabilities.keys()], hint))
  }
}, { name: 'candor-capabilities', fastify: '5.x', decorators: { reply: ['sendToolError'] } })

function doorOf (request: FastifyRequest, reply: FastifyReply, body: Body | undefined): Door {
  const { headers } = request
  return {
    requestId: requestIdOf(request, request.id),
    log: request.log,
    bodyBytes: body?.bytes,
    principal: principalOf(request),
    timeoutMs: readTimeoutMs(headers[requestHeaders.requestTimeoutMs]),
    traceparent: headers[requestHeaders.traceparent]?.toString(),
    idempotencyKey: headers[requestHeaders.idempotencyKey]?.toString(),
    onGone: listener => onHangUp(reply.raw, listener)
  }
}

function send (reply: FastifyReply, answer: MadeAnswer | undefined, effect: Effect): void {
  if (answer === undefined) {
    // Nobody is there to answer.
    reply.hijack()
    return
  }
  handOver(reply, answer, effect)
  setHeaders(reply, answer)
  reply.code(answer.status).send(answer.body)
}

function sendKept (request: FastifyRequest, reply: FastifyReply, kept: KeptAnswer): FastifyReply {
  const { status, headers, body } = kept.answer(request.headers['if-none-match'], principalOf(request) !== undefined)
  return reply.code(status).headers(headers).send(body)
}

function parseBody (request: FastifyRequest, bytes: Buffer, done: (error: Error | null, body?: Body) => void): void {
  const { headers } = request
  if (!isJsonMediaType(headers['content-type'])) return done(unsupported())
  const packed = compressed(headers['content-encoding'])
  if (packed !== undefined) return done(packed)
  const read = readJsonBytes(bytes)
  if ('error' in read) done(read.error)
  else done(null, { value: read.value, bytes: bytes.length })
}

function unsupported (): ToolError {
  return fromRow('UNSUPPORTED_MEDIA_TYPE', 'The body has a content type that is not read here.', { expected: 'application/json, application/*+json, in UTF-8' })
}
