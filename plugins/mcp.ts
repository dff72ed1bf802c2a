import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { randomUUID } from 'node:crypto'
import { RequestCaller } from '../src/call/caller.js'
import { readTimeoutMs } from '../src/call/deadline.js'
import { fromRow } from '../src/call/framework-error.js'
import { handedOver } from '../src/call/handed-over.js'
import { onHangUp } from '../src/call/hang-up.js'
import { createDirectMcp, type DirectAnswer, type DirectMcpRequest } from '../src/call/mcp-direct.js'
import { rpcFailure } from '../src/call/mcp-failure.js'
import { RunningCalls } from '../src/call/mcp-running.js'
import type { McpOptions as ServerOptions, McpRequest } from '../src/call/mcp-server.js'
import { compressed, isJsonMediaType } from '../src/call/media-type.js'
import { readJsonBytes } from '../src/call/read-json.js'
import { requestIdOf } from '../src/call/request-id.js'
import { notFoundFailure } from '../src/call/routes.js'
import { secure } from '../src/call/secure-response.js'
import { basePath } from '../src/policy/base-path.js'
import { JSON_TYPE, requestHeaders } from '../src/protocol/headers.js'

/** What is served over MCP. */
export type McpOptions = Omit<ServerOptions, 'report'>

interface Body { value: unknown, bytes: number }

const SESSION = 'mcp-session-id'

/** `POST /mcp`: the same capabilities over MCP. Stateless: any instance of the service answers any request. */
export const mcp = fp(async (app: FastifyInstance, options: McpOptions) => {
  const own: ServerOptions = { ...options, report: (error, log = app.log) => log.info({ err: error }, 'MCP: a request was refused, or an answer could not be given.') }
  const running = new RunningCalls()
  const answerDirectly = createDirectMcp(own, running)
  let server: Promise<(request: McpRequest) => Promise<Response>> | undefined
  // The SDK takes a fifth of a second to load, and more memory than the service: it waits for the first request that is not answered without it.
  const load = (): NonNullable<typeof server> => {
    server ??= import('../src/call/mcp-server.js').then(({ createMcp }) => createMcp(own, running))
    return server
  }

  // A scope of their own: whatever fails here is said in the words of JSON-RPC.
  await app.register(async scope => {
    const answered = new WeakSet<FastifyReply>()
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, parseBody)

    scope.addHook('onSend', (request, reply, payload, done) => {
      if (reply.statusCode < 400 || (answered.has(reply) && handedOver(reply) === undefined)) return done(null, payload)
      reply.type(JSON_TYPE)
      done(null, rpcFailure(payload, (request.body as Body | undefined)?.value))
    })

    scope.post('/', { prefixTrailingSlash: 'no-slash' }, (request, reply) => {
      if (reply.raw.destroyed) {
        request.log.info({ code: 'CALLER_GONE' }, 'The caller went away before the call began.')
        return reply.hijack()
      }
      const asked = requestOf(request, reply)
      const direct = answerDirectly(asked)
      if (direct === undefined) return answerBySdk(asked, request, reply)
      const { headers, body } = direct
      // Where nobody is there to answer any more, nothing is sent.
      return body instanceof Promise ? body.then(text => reply.raw.destroyed ? reply.hijack() : under(headers, text, reply)) : under(headers, body, reply)
    })
    async function answerBySdk (asked: DirectMcpRequest, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
      const response = await (await load())({ ...asked, headers: mcpHeaders(request), signal: hangUpSignal(reply) })
      if (reply.raw.destroyed) return reply.hijack()
      answered.add(reply)
      if (!response.ok) request.log.info({ status: response.status }, 'MCP: the request was refused.')
      if (response.ok && isInitialize(request.body)) reply.header(SESSION, randomUUID())
      return await pass(response, reply)
    }
    scope.setNotFoundHandler((request, reply) => {
      const methods = request.url.split('?', 1)[0] === scope.prefix ? ['POST'] : []
      if (methods.length > 0) reply.header('allow', 'POST')
      if (methods.length > 0 && request.method === 'OPTIONS') return reply.code(204).send()
      return reply.sendToolError(notFoundFailure(request.method, request.url, methods, [scope.prefix], basePath(app.prefix)))
    })
  }, { prefix: '/mcp' })
}, { name: 'candor-mcp', fastify: '5.x', decorators: { reply: ['sendToolError'] } })

function requestOf (request: FastifyRequest, reply: FastifyReply): DirectMcpRequest {
  const body = request.body as Body | undefined
  return {
    headers: request.headers,
    body: body?.value,
    bodyBytes: body?.bytes,
    requestId: requestIdOf(request, request.id),
    log: request.log,
    caller: new RequestCaller(request),
    timeoutMs: readTimeoutMs(request.headers[requestHeaders.requestTimeoutMs]),
    traceparent: request.headers[requestHeaders.traceparent]?.toString(),
    session: request.headers[SESSION]?.toString(),
    onGone: listener => onHangUp(reply.raw, listener)
  }
}

/** Those that MCP knows. */
function mcpHeaders (request: FastifyRequest): Record<string, string> {
  const headers = Object.entries(request.headers).filter(([name, value]) => typeof value === 'string' && (name.startsWith('mcp-') || name === 'accept' || name === 'content-type'))
  return Object.fromEntries(headers as Array<[string, string]>)
}

function hangUpSignal (reply: FastifyReply): AbortSignal {
  const controller = new AbortController()
  const takeBack = onHangUp(reply.raw, () => controller.abort())
  reply.raw.once('finish', takeBack)
  return controller.signal
}

/** A body for the handler to return: Fastify sends it with less ado than a reply that it has to wait for. */
function under<Body> (headers: DirectAnswer['headers'], body: Body, reply: FastifyReply): Body {
  reply.headers(headers)
  secure(reply)
  return body
}

/** Names of the SDK's that would stand in the way of our own headers. */
const OURS = ['cache-control', 'connection']

async function pass (response: Response, reply: FastifyReply): Promise<FastifyReply> {
  reply.code(response.status)
  for (const [name, value] of response.headers) if (!OURS.includes(name)) reply.header(name, value)
  const streams = response.headers.get('content-type') === 'text/event-stream'
  return reply.send(streams ? response.body : await response.text())
}

/** The start of a session, as clients of 2025 ask for it. The name they are given is stored nowhere. */
function isInitialize (body: unknown): boolean {
  return ((body as Body | undefined)?.value as { method?: unknown } | null | undefined)?.method === 'initialize'
}

function parseBody (request: FastifyRequest, bytes: Buffer, done: (error: Error | null, body?: Body) => void): void {
  // Nobody reads it: what is wrong is the method, or the address.
  if (request.is404) return done(null)
  if (!isJsonMediaType(request.headers['content-type'])) return done(fromRow('UNSUPPORTED_MEDIA_TYPE', 'MCP is sent as application/json, in UTF-8.'))
  const packed = compressed(request.headers['content-encoding'])
  if (packed !== undefined) return done(packed)
  const read = readJsonBytes(bytes)
  if ('error' in read) done(read.error)
  else done(null, { value: read.value, bytes: bytes.length })
}
