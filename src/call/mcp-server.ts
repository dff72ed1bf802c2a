import { createMcpHandler, ProtocolError, ProtocolErrorCode, Server, type ServerContext, type Tool } from '@modelcontextprotocol/server'
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/server/validators/ajv'
import type { Log, Progress } from '../capability/call.js'
import { toolsIn } from '../capability/dialects.js'
import type { McpTool } from '../capability/mcp-tool.js'
import { isSchema as isObject } from '../schema/walk.js'
import type { Caller } from './caller.js'
import { callTool } from './mcp-call.js'
import { rpcError } from './mcp-failure.js'
import { RunningCalls } from './mcp-running.js'
import type { Service } from './service.js'
import { Views } from './views.js'

/** What is served over MCP. */
export interface McpOptions {
  service: Service
  name: string
  version: string
  description?: string
  /** From when on no new call is taken. */
  isStopping: () => boolean
  /** Told what the protocol's own code met: it is on no answer. */
  report: (error: Error, log?: Log) => void
}

/** One HTTP request of MCP. */
export interface McpRequest {
  headers: Readonly<Record<string, string>>
  /** The parsed body; `undefined` without one. */
  body: unknown
  bodyBytes?: number
  /** Fires when the caller hangs up. */
  signal: AbortSignal
  requestId: string
  log: Log
  caller: Caller
  traceparent?: string
  /** Less time than the capability has, in milliseconds. */
  timeoutMs?: number
  /** What the client was given with the answer to `initialize`. */
  session?: string
}

/** A request whose arguments are no object. */
interface WrongRequest extends McpRequest { wrong?: unknown }

/** Answers requests of MCP: one server of the SDK each, so that any instance of a service answers any request. */
export function createMcp ({ service, name, version, description, isStopping, report }: McpOptions, running: RunningCalls = new RunningCalls()): (request: McpRequest) => Promise<Response> {
  const requests = new WeakMap<Request, WrongRequest>()
  // Of their own they would be made for every request.
  const jsonSchemaValidator = new AjvJsonSchemaValidator()
  const tools = new Views([...service.capabilities.values()].map(({ capability }) => capability), visible =>
    toolsIn('mcp', visible, (capability, error) => report(new Error(`The input of ${capability} cannot be shown.`, { cause: error }))) as McpTool[])

  const handler = createMcpHandler(({ era, requestInfo }) => {
    const request = requests.get(requestInfo!)!
    const { session, body, log, caller } = request
    const server = new Server({ name, version, description }, { capabilities: { tools: {} }, jsonSchemaValidator })
    server.onerror = error => report(error, log)
    server.setRequestHandler('tools/list', ({ params }) => {
      if (params?.cursor !== undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'There is one page of tools: no cursor is known.')
      return { tools: tools.for(caller.principal) as Tool[] }
    })
    server.setRequestHandler('tools/call', async ({ params }, context) => await callTool('wrong' in request ? { ...params, arguments: request.wrong } : params, service, isStopping(), {
      ...request,
      signal: context.mcpReq.signal,
      onCancel: listener => running.add(session, context.mcpReq.id, () => {
        listener()
        // Closed without an answer. In a batch others wait for theirs on the same stream.
        if (!Array.isArray(body)) server.close().catch(report)
      }),
      progress: progressOf(context)
    }))
    // A client of 2026 closes its stream instead.
    if (era === 'legacy') server.setNotificationHandler('notifications/cancelled', ({ params }) => running.cancel(session, params.requestId))
    return server
  }, { onerror: report })

  return async request => {
    const { headers, signal } = request
    const { body, wrong } = splitArguments(request.body)
    // Tools do not change while a service runs: a stream to hear of it would only keep it from stopping.
    if (isObject(body) && body.method === 'subscriptions/listen') return Response.json(JSON.parse(rpcError(ProtocolErrorCode.MethodNotFound, 'Method not found', body)), { status: 404 })
    const web = new Request('http://localhost/mcp', { method: 'POST', headers, signal })
    requests.set(web, wrong === undefined ? request : { ...request, wrong: wrong.value })
    // Without a body of its own the SDK would read the one of `web`, which has none.
    return await handler.fetch(web, { parsedBody: body ?? null })
  }
}

/**
 * The SDK refuses arguments that are no object before any tool hears of them, in words that no model sees. What is wrong with
 * them is told as everything else that is: they are taken out here, and checked as the input that they are.
 */
function splitArguments (body: unknown): { body: unknown, wrong?: { value: unknown } } {
  if (!isObject(body) || body.method !== 'tools/call' || !isObject(body.params) || !('arguments' in body.params) || isObject(body.params.arguments)) return { body }
  const { arguments: value, ...params } = body.params
  return { body: { ...body, params }, wrong: { value } }
}

/** Only a client that sent a token wants to hear of progress. */
function progressOf ({ mcpReq: { _meta, notify } }: ServerContext): ((progress: Progress) => void) | undefined {
  const progressToken = _meta?.progressToken
  if (progressToken === undefined) return undefined
  return ({ done, total, message }) => {
    // A client that is gone meanwhile is told nothing.
    notify({ method: 'notifications/progress', params: { progressToken, progress: done, total, message } }).catch(() => {})
  }
}
