import { PassThrough, type Readable } from 'node:stream'
import { toolsIn } from '../capability/dialects.js'
import type { Answer } from '../protocol/answer.js'
import { JSON_TYPE } from '../protocol/headers.js'
import { readPlainRequest, type PlainRequest } from './mcp-plain-request.js'
import type { RunningCalls } from './mcp-running.js'
import type { McpOptions, McpRequest } from './mcp-server.js'
import { answerTool } from './tool-call.js'
import { Views } from './views.js'

/** What is sent, with status 200: a text, or a stream where it takes long. */
export interface DirectAnswer { readonly headers: Record<string, string>, readonly body: string | Readable }

/** A request whose caller can be heard leaving without a signal, which would cost more than all the rest. */
export interface DirectMcpRequest extends Omit<McpRequest, 'headers' | 'signal'> {
  readonly headers: Readonly<Record<string, unknown>>
  onGone (listener: () => void): () => void
}

/** Answers a request without the SDK; `undefined` where it has to go through it. */
export type AnswerDirectly = (request: DirectMcpRequest) => Promise<DirectAnswer> | undefined

/** In this rhythm a comment keeps whoever stands between from closing a stream that says nothing, as the SDK does. */
const KEEP_ALIVE_MS = 15_000

/**
 * Answers plain requests, a single call or list, without making a server of the SDK for each. Word for word what the SDK
 * sends: a test plays both against each other.
 */
export function createDirectMcp ({ service, name, version, description, isStopping, report }: McpOptions, running: RunningCalls, keepAliveMs: number = KEEP_ALIVE_MS): AnswerDirectly {
  const server = `"_meta":${JSON.stringify({ 'io.modelcontextprotocol/serverInfo': { name, version, description } })}`
  // What each line of revisions adds to a result.
  const ends = {
    list: { legacy: '', modern: `,"resultType":"complete","ttlMs":0,"cacheScope":"private",${server}` },
    call: { legacy: '', modern: `,"resultType":"complete",${server}` }
  }
  const lists = new Views([...service.capabilities.values()].map(({ capability }) => capability), visible =>
    JSON.stringify(toolsIn('mcp', visible, (capability, error) => report(new Error(`The input of ${capability} cannot be shown.`, { cause: error })))))

  return request => {
    const plain = readPlainRequest(request.headers, request.body)
    if (plain === undefined) return undefined
    const { era, call } = plain
    if (call === undefined) return Promise.resolve(answerWith(plain, `{"tools":${lists.for(request.caller.principal)}${ends.list[era]}}`))
    const answered = answerTool(call, service, isStopping(), { ...request, onGone: listener => onGone(plain, request, listener) })
      // Closed without an answer: the call was taken back.
      .then(answer => answer === undefined ? { headers: EVENTS, body: '' } : answerWith(plain, `${resultOf(answer)}${ends.call[era]}}`))
    return era === 'modern' ? answered : soonOrStreamed(answered, keepAliveMs)
  }

  function onGone ({ id, era }: PlainRequest, request: DirectMcpRequest, listener: () => void): () => void {
    const stay = request.onGone(listener)
    // A client of 2026 closes its stream instead.
    const forget = era === 'legacy' ? running.add(request.session, id, listener) : undefined
    return () => {
      stay()
      forget?.()
    }
  }
}

const EVENTS = { 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' }
const JSON_HEADERS = { 'content-type': JSON_TYPE }

/** Without its closing brace. The envelope twice: for programs, and word for word as HTTP sends it for models whose host shows them text alone. */
function resultOf ({ status, body }: Answer): string {
  return `{"content":[{"type":"text","text":${JSON.stringify(body)}}],"structuredContent":${body}${status >= 400 ? ',"isError":true' : ''}`
}

interface TextAnswer extends DirectAnswer { readonly body: string }

function answerWith ({ id, era }: PlainRequest, result: string): TextAnswer {
  const message = `{"result":${result},"jsonrpc":"2.0","id":${JSON.stringify(id)}}`
  return era === 'modern' ? { headers: JSON_HEADERS, body: message } : { headers: EVENTS, body: `event: message\ndata: ${message}\n\n` }
}

/** The answer, or a stream that says from time to time that it is still to come. */
function soonOrStreamed (answered: Promise<TextAnswer>, keepAliveMs: number): Promise<DirectAnswer> {
  return new Promise(resolve => {
    const timer = setTimeout(() => resolve({ headers: EVENTS, body: streamed(answered, keepAliveMs) }), keepAliveMs)
    const settle = (): void => {
      clearTimeout(timer)
      resolve(answered)
    }
    answered.then(settle, settle)
  })
}

function streamed (answered: Promise<TextAnswer>, keepAliveMs: number): Readable {
  const stream = new PassThrough()
  const ping = (): void => { stream.write(': keepalive\n\n') }
  ping()
  const timer = setInterval(ping, keepAliveMs)
  stream.once('close', () => clearInterval(timer))
  answered.then(({ body }) => stream.end(body), (error: Error) => stream.destroy(error))
  return stream
}
