import type { Readable } from 'node:stream'
import { toolsIn } from '../capability/dialects.js'
import type { Answer } from '../protocol/answer.js'
import { JSON_TYPE } from '../protocol/headers.js'
import { KeepAlive } from './mcp-keep-alive.js'
import { readPlainRequest, type PlainRequest } from './mcp-plain-request.js'
import type { RunningCalls } from './mcp-running.js'
import type { McpOptions, McpRequest } from './mcp-server.js'
import { answerTool } from './tool-call.js'
import { Views } from './views.js'

/** What is sent, with status 200: bytes where nothing has to be waited for, else a text, or a stream where it takes long. */
export interface DirectAnswer { readonly headers: Record<string, string>, readonly body: Buffer | Promise<string | Readable> }

/** A request whose caller can be heard leaving without a signal, which would cost more than all the rest. */
export interface DirectMcpRequest extends Omit<McpRequest, 'headers' | 'signal'> {
  readonly headers: Readonly<Record<string, unknown>>
  onGone (listener: () => void): () => void
}

/** Answers a request without the SDK; `undefined` where it has to go through it. */
export type AnswerDirectly = (request: DirectMcpRequest) => DirectAnswer | undefined

type Era = PlainRequest['era']

const HEADERS = { legacy: { 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' }, modern: { 'content-type': JSON_TYPE } } satisfies Record<Era, Record<string, string>>
// Around a message: clients of 2025 are sent an event.
const BEGIN = { legacy: 'event: message\ndata: {"result":', modern: '{"result":' } satisfies Record<Era, string>
const END = { legacy: '}\n\n', modern: '}' } satisfies Record<Era, string>

/**
 * Answers plain requests, a single call or list, without making a server of the SDK for each. Word for word what the SDK
 * sends: a test plays both against each other.
 */
export function createDirectMcp ({ service, name, version, description, isStopping, report }: McpOptions, running: RunningCalls, keepAliveMs?: number): AnswerDirectly {
  const server = `"_meta":${JSON.stringify({ 'io.modelcontextprotocol/serverInfo': { name, version, description } })}`
  // What each line of revisions adds to a result.
  const afterList = { legacy: '', modern: `,"resultType":"complete","ttlMs":0,"cacheScope":"private",${server}` }
  const afterCall = { legacy: '', modern: `,"resultType":"complete",${server}` }
  const keepAlive = new KeepAlive(keepAliveMs)
  // As bytes: a text as long as this would be gone through again for every request.
  const lists = new Views([...service.capabilities.values()].map(({ capability }) => capability), visible =>
    Buffer.from(`{"tools":${JSON.stringify(toolsIn('mcp', visible, (capability, error) => report(new Error(`The input of ${capability} cannot be shown.`, { cause: error }))))}`))

  return request => {
    const plain = readPlainRequest(request.headers, request.body)
    if (plain === undefined) return undefined
    const { era, call } = plain
    if (call === undefined) return { headers: HEADERS[era], body: Buffer.concat([Buffer.from(BEGIN[era]), lists.for(request.caller.principal), Buffer.from(afterList[era] + endOf(plain))]) }
    const answered = answerTool(call, service, isStopping(), era === 'legacy' ? cancellable(plain, request) : request)
      // Empty: the call was taken back, and ends without an answer.
      .then(answer => answer === undefined ? '' : BEGIN[era] + resultOf(answer) + afterCall[era] + endOf(plain))
    return { headers: HEADERS[era], body: era === 'modern' ? answered : keepAlive.soonOrStreamed(answered) }
  }

  /** A client of 2025 takes a call back in another request; one of 2026 closes its stream. */
  function cancellable ({ id }: PlainRequest, request: DirectMcpRequest): DirectMcpRequest {
    const { session } = request
    if (session === undefined) return request
    return { ...request, onGone: listener => onGone(request, running.add(session, id, listener), listener) }
  }
}

function onGone (request: DirectMcpRequest, forget: () => void, listener: () => void): () => void {
  const stay = request.onGone(listener)
  return () => {
    stay()
    forget()
  }
}

/** Without its closing brace. The envelope twice: for programs, and word for word as HTTP sends it for models whose host shows them text alone. */
function resultOf ({ status, body }: Answer): string {
  return `{"content":[{"type":"text","text":${JSON.stringify(body)}}],"structuredContent":${body}${status >= 400 ? ',"isError":true' : ''}`
}

/** From the closing brace of the result on. */
function endOf ({ id, era }: PlainRequest): string {
  return `},"jsonrpc":"2.0","id":${typeof id === 'number' ? id : JSON.stringify(id)}${END[era]}`
}
