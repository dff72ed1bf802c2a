import type { Dispatcher } from 'undici'
import { nearest } from '../schema/nearest.js'
import { servicesOf, unknown, upstreamsOf, type App } from './app.js'
import { parsed } from './call-capability.js'
import { fakeFailures, FunctionDispatcher, play, type FakeAnswer, type FullHandler } from './fake-answer.js'
import { headersIn } from './request-headers.js'

/** A request that a fake upstream was asked. */
export interface FakeRequest {
  readonly upstream: string
  readonly method: string
  /** As it went out: with the path of the base URL, without the query. */
  readonly path: string
  /** A parameter that was sent more than once as a list. */
  readonly query: Readonly<Record<string, string | string[]>>
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** Parsed where it is JSON, else text; `undefined` where there was none. */
  readonly body: unknown
}

/** Decides what to answer; `undefined` is a request that nobody expected. */
export type AnswerMaker = (request: FakeRequest) => FakeAnswer | undefined

/** The answers of one upstream by `'GET /v1/latest'`: one for every time, or a list, given one after the other. Or one function for all. */
export type FakeAnswers = AnswerMaker | Readonly<Record<string, FakeAnswer | readonly FakeAnswer[] | AnswerMaker>>

export interface FakeUpstreams {
  /** All that was asked, in order. */
  readonly requests: readonly FakeRequest[]
  /** Those that no answer was there for: the call ends in `INTERNAL_ERROR`. */
  readonly unexpected: readonly FakeRequest[]
  /** Puts the real upstreams back. Throws an `Error` that names the unexpected requests, so that no test passes by mistake. */
  restore (): void
}

/**
 * Answers for upstreams without a socket: put in where `call.upstream` sends, so that everything behind is as in production.
 * Only the upstreams named are faked; a handler's other clients are not reached. Throws a `TypeError` for a label or key that cannot be meant.
 */
export function fakeUpstreams (app: App, answers: Readonly<Record<string, FakeAnswers>>): FakeUpstreams {
  const services = servicesOf(app)
  const requests: FakeRequest[] = []
  const unexpected: FakeRequest[] = []
  const routes = Object.entries(answers).map(([label, own]) => ({ label, known: keysOf(label, own), answer: answering(own), upstreams: upstreamsOf(services, label) }))
  const restores = routes.flatMap(({ label, known, answer, upstreams }) => {
    const dispatcher = new FunctionDispatcher((options, handler) => {
      const request = readRequest(label, options)
      requests.push(request)
      const given = answer(request)
      if (given !== undefined) {
        play(given, handler as FullHandler)
        return true
      }
      unexpected.push(request)
      throw new TypeError(unanswered(request, known))
    })
    return upstreams.map(upstream => upstream.divert(dispatcher))
  })
  return {
    requests,
    unexpected,
    restore () {
      for (const restore of restores.splice(0).reverse()) restore()
      const lines = unexpected.map(request => unanswered(request, routes.find(({ label }) => label === request.upstream)!.known))
      if (lines.length > 0) throw new Error([...new Set(lines)].join('\n'))
    }
  }
}

function keysOf (label: string, answers: FakeAnswers): readonly string[] {
  if (typeof answers === 'function') return []
  for (const [key, answer] of Object.entries(answers)) {
    if (!/^[A-Z]+ \/[^?#\s]*$/.test(key)) throw new TypeError(`Expected the answers of '${label}' by method and path without a query, as in 'GET /v1/latest', got '${key}'.`)
    for (const one of [answer].flat()) if (typeof one !== 'function' && one.fails !== undefined && !Object.hasOwn(fakeFailures, one.fails)) unknown('a failure', one.fails, Object.keys(fakeFailures))
  }
  return Object.keys(answers)
}

function answering (answers: FakeAnswers): AnswerMaker {
  if (typeof answers === 'function') return answers
  const asked = new Map<string, number>()
  return request => {
    const key = keyOf(request)
    const answer = Object.hasOwn(answers, key) ? answers[key] : undefined
    if (typeof answer === 'function') return answer(request)
    const nth = asked.get(key) ?? 0
    asked.set(key, nth + 1)
    return isList(answer) ? answer[nth] : answer
  }
}

function isList (answer: FakeAnswer | readonly FakeAnswer[] | undefined): answer is readonly FakeAnswer[] {
  return Array.isArray(answer)
}

function keyOf ({ method, path }: FakeRequest): string {
  return `${method} ${path}`
}

function unanswered (request: FakeRequest, known: readonly string[]): string {
  const key = keyOf(request)
  if (known.includes(key)) return `Upstream '${request.upstream}' was asked ${key} more often than it has answers.`
  const near = nearest(key, known)
  return `Upstream '${request.upstream}' was asked ${key}, which has no answer${known.length > 0 ? ` (${known.join(', ')} ${known.length === 1 ? 'has' : 'have'})` : ''}.${near === undefined ? '' : ` Did you mean '${near}'?`}`
}

function readRequest (upstream: string, { method, path, headers, body }: Dispatcher.DispatchOptions): FakeRequest {
  const { pathname, searchParams } = new URL(path, 'http://fake.invalid')
  const query = Object.fromEntries([...new Set(searchParams.keys())].map(name => {
    const values = searchParams.getAll(name)
    return [name, values.length === 1 ? values[0]! : values]
  }))
  const named = headersIn(headers)
  const text = body === undefined ? undefined : Buffer.from(body as string | Uint8Array).toString()
  return { upstream, method, path: pathname, query, headers: named, body: /\bjson\b/i.test(named['content-type'] ?? '') ? parsed(text ?? '') ?? text : text }
}
