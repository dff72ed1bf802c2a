import http from 'node:http'
import https from 'node:https'
import net from 'node:net'
import tls from 'node:tls'
import vm from 'node:vm'
import t from 'tap'
import { Agent, request } from 'undici'
import { createRedactor, createToolError, isToolError, type ToolError } from '../../../src/protocol/index.js'
import { classifyUpstreamError, classifyUpstreamResponse, readFailure, type ClassifyContext } from '../../../src/upstream/classify.js'
import { closedPort, fakeUpstream, rawAnswer, type Act } from '../../fixtures/fake-upstream.js'

const read: ClassifyContext = { upstream: 'forecast', now: 0 }
const write: ClassifyContext = { ...read, effect: 'write' }

// --- The table, as literals: the status of the upstream, then code, status, category and retryable of a read. ---

const STATUSES: Array<[statuses: number[], code: string, status: number, category: string, retryable: boolean]> = [
  [[400, 422, 413, 414, 431], 'UPSTREAM_REJECTED_INPUT', 400, 'INPUT_ERROR', false],
  [[404, 410], 'UPSTREAM_NOT_FOUND', 400, 'INPUT_ERROR', false],
  [[409, 412], 'UPSTREAM_CONFLICT', 400, 'INPUT_ERROR', false],
  [[401], 'UPSTREAM_AUTH_FAILED', 401, 'AUTH_ERROR', false],
  [[403, 451], 'UPSTREAM_FORBIDDEN', 403, 'AUTH_ERROR', false],
  [[402], 'UPSTREAM_PAYMENT_REQUIRED', 402, 'AUTH_ERROR', false],
  [[429, 420], 'UPSTREAM_RATE_LIMITED', 429, 'RATE_LIMIT', true],
  [[408, 423, 424, 425, 500, 501, 502, 503, 504, 520, 522, 524, 529, 530, 599], 'UPSTREAM_UNAVAILABLE', 502, 'SERVICE_ERROR', true],
  [[300, 301, 302, 303, 304, 307, 308], 'UPSTREAM_REDIRECTED', 502, 'SERVICE_ERROR', false],
  [[405, 406, 407, 411, 415, 417, 418, 421, 426, 428, 499, 600, 888, 999], 'UPSTREAM_REFUSED', 502, 'SERVICE_ERROR', false],
  [[200, 204, 299], 'UPSTREAM_INVALID_RESPONSE', 502, 'SERVICE_ERROR', true],
  [[100, 101, 199], 'UPSTREAM_PROTOCOL_ERROR', 502, 'SERVICE_ERROR', false]
]

t.test('each status of an upstream has its row', async t => {
  for (const [statuses, code, status, category, retryable] of STATUSES) {
    for (const upstreamStatus of statuses) {
      const error = classifyUpstreamResponse({ status: upstreamStatus, headers: {} }, read)
      t.match(error, { code, status, category, retryable, details: { upstream: 'forecast', upstream_status: String(upstreamStatus) } }, String(upstreamStatus))
      t.match(error.message, upstreamStatus === 0 ? '' : "Upstream 'forecast'")
      if (upstreamStatus >= 300) t.match(classifyUpstreamError({ statusCode: upstreamStatus }, read), { code, status, category, retryable }, `thrown ${upstreamStatus}`)
    }
  }
})

t.test('no status from 100 to 999 leads to an illegal answer, or to one that says failed', async t => {
  const bad: number[] = []
  for (let status = 100; status <= 999; status++) {
    for (const context of [read, write, { ...write, idempotent: true }, {}]) {
      const error = classifyUpstreamResponse({ status, headers: {} }, context)
      if (!isToolError(error) || error.status === 888 || /fail/i.test(error.message) || error.details.outcome === undefined !== (context.effect !== 'write')) bad.push(status)
    }
  }
  t.strictSame(bad, [])
})

t.test('every status from 100 to 999 of a write is conclusive or unknown', async t => {
  const wrong: number[] = []
  for (let status = 100; status <= 999; status++) {
    const refused = (status >= 400 && status <= 499 && status !== 408) || status === 307 || status === 308
    const { details, retryable, status: ours } = classifyUpstreamResponse({ status, headers: {} }, write)
    const right = refused ? details.outcome === 'not_applied' : details.outcome === 'unknown' && ours === 500 && !retryable
    if (!right) wrong.push(status)
  }
  t.strictSame(wrong, [])
})

t.test('too early for a write is told as not applied, and may be sent again', async t => {
  t.match(classifyUpstreamResponse({ status: 425, headers: {} }, write), { code: 'UPSTREAM_UNAVAILABLE', status: 502, retryable: true, details: { outcome: 'not_applied' } })
})

t.test('a conflict of a write may have met an earlier attempt', async t => {
  t.match(classifyUpstreamResponse({ status: 409, headers: {} }, write), { code: 'UPSTREAM_CONFLICT', status: 400, retryable: false, details: { outcome: 'not_applied', hint: /earlier attempt/ } })
  t.equal(classifyUpstreamResponse({ status: 412, headers: {} }, write).details.hint, undefined)
})

t.test('complete JSON of a wrong shape under a 2xx is a write that was carried out; a page there proves nothing', async t => {
  t.match(classifyUpstreamResponse({ status: 200, headers: {}, body: '{"id":7}' }, write), { code: 'UPSTREAM_INVALID_RESPONSE', status: 500, retryable: false, details: { outcome: 'applied', phase: 'body' } })
  t.match(classifyUpstreamResponse({ status: 200, headers: {}, body: '<!DOCTYPE html><p>Log in' }, write).details, { outcome: 'unknown', api_error: undefined })
})

t.test('an idempotent write with an unknown outcome keeps the status and flag of the table', async t => {
  t.match(classifyUpstreamResponse({ status: 503, headers: { 'retry-after': '9' } }, { ...write, idempotent: true }), { status: 502, retryable: true, retryAfterMs: 9000, details: { outcome: 'unknown' } })
})

// --- Waiting ---

t.test('a 429 from upstream keeps its Retry-After', async t => {
  t.match(classifyUpstreamResponse({ status: 429, headers: { 'retry-after': '7' } }, read), { retryAfterMs: 7_000 })
  t.match(classifyUpstreamResponse({ status: 429, headers: new Headers([['Retry-After', '5'], ['Retry-After', '120']]) }, read), { retryAfterMs: 120_000 })
  t.match(classifyUpstreamResponse({ status: 429, headers: { 'retry-after': ['5', '120'] } }, read), { retryAfterMs: 120_000 })
  t.match(classifyUpstreamResponse({ status: 429, headers: { 'retry-after': '99999999999' } }, read), { retryAfterMs: 86_400_000, details: { retry_after_capped: 'true' } })
  t.match(classifyUpstreamResponse({ status: 429, headers: { date: 'Thu, 01 Jan 1970 00:00:00 GMT', 'retry-after': 'Thu, 01 Jan 1970 00:01:00 GMT' } }, read), { retryAfterMs: 60_000 })
})

t.test('what is no number is absent, and stays a rate limit', async t => {
  for (const value of ['+5', '-5', '60s', '120junk', '1e3', '0x10', 'Infinity', '', 'soon', '2026-01-01T00:00:00Z']) {
    const error = classifyUpstreamResponse({ status: 429, headers: { 'retry-after': value } }, read)
    t.match(error, { category: 'RATE_LIMIT', retryable: true })
    t.equal(error.retryAfterMs, undefined, value)
  }
})

t.test('a 503 keeps its Retry-After and its category; a refusal promises nothing', async t => {
  t.match(classifyUpstreamResponse({ status: 503, headers: { 'retry-after': '120' } }, read), { category: 'SERVICE_ERROR', retryAfterMs: 120_000 })
  for (const status of [301, 413, 200, 404]) t.equal(classifyUpstreamResponse({ status, headers: { 'retry-after': '5' } }, read).retryAfterMs, undefined)
  t.equal(classifyUpstreamResponse({ status: 503, headers: { 'retry-after': '120' } }, write).retryAfterMs, undefined)
})

t.test('a used-up quota names no wait', async t => {
  const error = classifyUpstreamResponse({ status: 429, headers: { 'retry-after': '60' }, body: { error: { code: 'insufficient_quota', message: 'You exceeded your current quota.' } } }, read)
  t.match(error, { code: 'UPSTREAM_QUOTA_EXHAUSTED', status: 429, category: 'RATE_LIMIT', retryable: false, details: { api_error: '"You exceeded your current quota."' } })
  t.equal(error.retryAfterMs, undefined)
})

t.test('a 403 that is a rate limit carries its wait', async t => {
  t.match(classifyUpstreamResponse({ status: 403, headers: { 'retry-after': '60' } }, read), { code: 'UPSTREAM_RATE_LIMITED', status: 429, retryAfterMs: 60_000, details: { upstream_status: '403' } })
  t.match(classifyUpstreamResponse({ status: 403, headers: { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '90' } }, read), { retryAfterMs: 90_000 })
  t.match(classifyUpstreamResponse({ status: 403, headers: { 'x-ratelimit-remaining': '4999' } }, read), { code: 'UPSTREAM_FORBIDDEN', message: /does not allow/ })
})

// --- Clients that are not installed, by the shape of their errors ---

const SHAPES: Array<[name: string, failure: unknown, code: string, retryAfterMs?: number]> = [
  ['undici 6', { name: 'ResponseStatusCodeError', code: 'UND_ERR_RESPONSE_STATUS_CODE', status: 429, statusCode: 429, headers: { 'retry-after': '7' } }, 'UPSTREAM_RATE_LIMITED', 7_000],
  ['undici 7', { name: 'ResponseError', code: 'UND_ERR_RESPONSE', statusCode: 404 }, 'UPSTREAM_NOT_FOUND'],
  ['the retry of undici', { name: 'RequestRetryError', code: 'UND_ERR_REQ_RETRY', statusCode: 503, data: { count: 5 }, headers: { 'retry-after': '3' } }, 'UPSTREAM_UNAVAILABLE', 3_000],
  ['the retry of undici, on a part', { name: 'RequestRetryError', code: 'UND_ERR_REQ_RETRY', statusCode: 206 }, 'UPSTREAM_INVALID_RESPONSE'],
  ['axios', { name: 'AxiosError', isAxiosError: true, code: 'ERR_BAD_REQUEST', message: 'Request failed with status code 401', response: { status: 401, headers: {}, data: 'no' } }, 'UPSTREAM_AUTH_FAILED'],
  ['axios, timed out', { name: 'AxiosError', code: 'ECONNABORTED', message: 'timeout of 50ms exceeded' }, 'UPSTREAM_TIMEOUT'],
  ['axios, cancelled', { name: 'CanceledError', code: 'ERR_CANCELED' }, 'CALLER_GONE'],
  ['axios, not JSON', { name: 'SyntaxError', code: 'ERR_BAD_RESPONSE', response: { status: 200 } }, 'UPSTREAM_INVALID_RESPONSE'],
  ['got', { name: 'HTTPError', code: 'ERR_NON_2XX_3XX_RESPONSE', response: { statusCode: 503, headers: { 'retry-after': '4' } } }, 'UPSTREAM_UNAVAILABLE', 4_000],
  ['got, redirected', { name: 'MaxRedirectsError', code: 'ERR_TOO_MANY_REDIRECTS', response: { statusCode: 302 } }, 'UPSTREAM_REDIRECTED'],
  ['got, timed out', { name: 'TimeoutError', code: 'ETIMEDOUT', event: 'connect' }, 'UPSTREAM_TIMEOUT'],
  ['got, not JSON', { name: 'ParseError', code: 'ERR_BODY_PARSE_FAILURE', response: { statusCode: 200 } }, 'UPSTREAM_INVALID_RESPONSE'],
  ['ky', { name: 'HTTPError', response: new Response(new ReadableStream(), { status: 429, headers: { 'retry-after': '2' } }) }, 'UPSTREAM_RATE_LIMITED', 2_000],
  ['ky, timed out', { name: 'TimeoutError', request: {} }, 'UPSTREAM_TIMEOUT'],
  ['the AWS SDK, throttled', { name: 'ThrottlingException', $fault: 'client', $metadata: { httpStatusCode: 400 }, $retryable: { throttling: true } }, 'UPSTREAM_RATE_LIMITED'],
  ['the AWS SDK, slowed down', { name: 'SlowDown', $metadata: { httpStatusCode: 503 }, $response: { headers: { 'retry-after': '6' } } }, 'UPSTREAM_RATE_LIMITED', 6_000],
  ['the AWS SDK', { name: 'ResourceNotFoundException', $metadata: { httpStatusCode: 404 } }, 'UPSTREAM_NOT_FOUND'],
  ['Gaxios', { name: 'GaxiosError', code: '403', response: { status: 403, data: { error: { errors: [{ reason: 'forbidden' }] } } } }, 'UPSTREAM_FORBIDDEN'],
  ['Gaxios, by code alone', { code: '503', config: {} }, 'UPSTREAM_UNAVAILABLE'],
  ['Gaxios, bad key', { status: 400, response: { status: 400, data: { error: { status: 'INVALID_ARGUMENT', details: [{ reason: 'API_KEY_INVALID' }] } } } }, 'UPSTREAM_AUTH_FAILED'],
  ['OpenAI', { status: 429, headers: new Headers({ 'retry-after-ms': '1500' }), error: { message: 'slow' }, code: 'rate_limit_exceeded' }, 'UPSTREAM_RATE_LIMITED', 1_500],
  ['OpenAI, no quota', { status: 429, headers: new Headers(), code: 'insufficient_quota', error: { message: 'pay' } }, 'UPSTREAM_QUOTA_EXHAUSTED'],
  ['OpenAI, connection', Object.assign(new (class APIConnectionError extends Error {})('Connection error.'), { cause: new TypeError('fetch failed', { cause: { code: 'ECONNREFUSED' } }) }), 'UPSTREAM_UNREACHABLE'],
  ['OpenAI, timed out', new (class APIConnectionTimeoutError extends Error {})('Request timed out.'), 'UPSTREAM_TIMEOUT'],
  ['Anthropic, overloaded', { status: 529, headers: {}, error: { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } } }, 'UPSTREAM_UNAVAILABLE'],
  ['a parser without a code', { name: 'HTTPParserError', message: 'Invalid header value char' }, 'UPSTREAM_PROTOCOL_ERROR'],
  ['fetch of another realm', vm.runInNewContext("new TypeError('fetch failed')"), 'UPSTREAM_FAILED'],
  ['a dispatcher of another undici', new TypeError('fetch failed', { cause: { name: 'InvalidArgumentError', code: 'UND_ERR_INVALID_ARG' } }), 'INTERNAL_ERROR'],
  ['a client that was closed', { name: 'ClientDestroyedError', code: 'UND_ERR_DESTROYED' }, 'SERVICE_STOPPING'],
  ['a certificate', new TypeError('fetch failed', { cause: { code: 'CERT_HAS_EXPIRED' } }), 'UPSTREAM_TLS_FAILED'],
  ['DNS, busy', { code: 'EAI_AGAIN' }, 'UPSTREAM_UNREACHABLE'],
  ['DNS, no such name', { code: 'ENOTFOUND', hostname: 'nope.invalid' }, 'UPSTREAM_UNREACHABLE'],
  ['a mistake of ours', new TypeError('x is not a function'), 'INTERNAL_ERROR'],
  ['an unknown error', new Error('boom'), 'UPSTREAM_FAILED'],
  ['nothing', null, 'UPSTREAM_FAILED'],
  ['text', new Error('provider said HTTP 429'), 'UPSTREAM_RATE_LIMITED']
]

t.test('errors of all known clients are read by shape, never by class', async t => {
  for (const [name, failure, code, retryAfterMs] of SHAPES) {
    const error = classifyUpstreamError(failure, read)
    t.equal(error.code, code, name)
    t.equal(error.retryAfterMs, retryAfterMs, name)
  }
})

t.test('two ways to use a key end as one: nothing of what was thrown is in the message', async t => {
  const secret = 'SECRET-in-the-text'
  for (const [, failure] of SHAPES) {
    const error = classifyUpstreamError(typeof failure === 'object' && failure !== null && !(failure instanceof Error) ? { ...failure, message: secret } : new Error(secret, { cause: failure }), read)
    t.notMatch(JSON.stringify([error.message, error.details]), secret)
  }
})

t.test('the cause goes along for the log, and is not serialised', async t => {
  const cause = new Error('10.0.0.7 refused')
  const error = classifyUpstreamError(cause, read)
  t.equal(error.cause, cause)
  t.notMatch(JSON.stringify(error), /10\.0/)
})

// --- Precedence ---

const mine = createToolError({ code: 'CITY_CLOSED', message: 'The city is closed.', category: 'NOT_FOUND', retryable: true })

t.test('an adapter goes first, even before our own errors', async t => {
  const seen: unknown[] = []
  const adapters = [(failure: unknown, context: ClassifyContext) => { seen.push(failure, context.upstream); return undefined }, () => mine]
  const failure = { status: 500, headers: {} }
  t.equal(classifyUpstreamResponse(failure, { ...read, adapters }), mine)
  t.equal(classifyUpstreamError(createToolError({ code: 'OTHER', message: 'o', category: 'NOT_FOUND' }), { ...read, adapters }), mine)
  t.strictSame(seen.slice(0, 2), [failure, 'forecast'])
})

t.test('an adapter that throws or answers something else is passed over', async t => {
  const adapters = [() => { throw new Error('no') }, () => ({ code: 'X' }) as never, () => new Proxy({}, { get: () => true }) as never]
  t.equal(classifyUpstreamResponse({ status: 404, headers: {} }, { ...read, adapters }).code, 'UPSTREAM_NOT_FOUND')
})

t.test('no adapter makes an unknown write one that may be sent again', async t => {
  const busy = createToolError({ code: 'BUSY', message: 'Busy.', category: 'SERVICE_ERROR', retryable: true, retryAfterMs: 5 })
  t.match(classifyUpstreamError({ code: 'ECONNRESET' }, { ...write, adapters: [() => busy] }), { code: 'BUSY', status: 500, retryable: false, details: { outcome: 'unknown' } })
  t.match(classifyUpstreamResponse({ status: 400, headers: {} }, { ...write, adapters: [() => busy] }), { code: 'BUSY', status: 503, retryable: true, details: { outcome: 'not_applied' } })
})

t.test('a tool error is returned as it is; what only says to be one is not', async t => {
  t.equal(classifyUpstreamError(mine, write), mine)
  t.equal(classifyUpstreamError(new Proxy({}, { get: () => true }), read).code, 'UPSTREAM_FAILED')
})

t.test('a status goes before a code, a code before a name', async t => {
  t.equal(classifyUpstreamError({ statusCode: 404, code: 'ECONNRESET', name: 'TimeoutError' }, read).code, 'UPSTREAM_NOT_FOUND')
  t.equal(classifyUpstreamError({ code: 'ECONNRESET', name: 'TimeoutError' }, read).code, 'UPSTREAM_CONNECTION_LOST')
  t.equal(classifyUpstreamError({ name: 'ThrottlingException', statusCode: 400, code: 'ECONNRESET' }, read).code, 'UPSTREAM_RATE_LIMITED')
})

// --- What the context adds ---

t.test('a lost connection is read as what the exchange had done', async t => {
  const reset = { code: 'ECONNRESET' }
  t.match(classifyUpstreamError(reset, { ...read, phase: 'headers' }), { code: 'UPSTREAM_CONNECTION_LOST', details: { phase: 'headers' } })
  t.match(classifyUpstreamError(reset, { ...read, phase: 'body' }), { code: 'UPSTREAM_INVALID_RESPONSE', details: { phase: 'body' } })
  t.match(classifyUpstreamError(reset, { ...write, sent: false, phase: 'connect' }), { code: 'UPSTREAM_UNREACHABLE', status: 502, retryable: true, details: { outcome: 'not_applied', phase: 'connect' } })
  t.match(classifyUpstreamError(reset, { ...write, sent: true }), { code: 'UPSTREAM_CONNECTION_LOST', status: 500, retryable: false, details: { outcome: 'unknown' } })
  t.match(classifyUpstreamError({ code: 'ECONNRESET', response: { status: 200 } }, { ...read, phase: 'headers' }), { code: 'UPSTREAM_INVALID_RESPONSE', details: { phase: 'body', upstream_status: '200' } })
})

t.test('what was answered was sent, whoever says otherwise', async t => {
  t.match(classifyUpstreamResponse({ status: 503, headers: {} }, { ...write, sent: false }).details, { outcome: 'unknown' })
})

t.test('a number in a sentence proves nothing about a write', async t => {
  t.match(classifyUpstreamError(new Error('HTTP 404'), write), { code: 'UPSTREAM_NOT_FOUND', status: 500, details: { outcome: 'unknown', upstream_status: '404' } })
})

t.test('a timeout names the budget', async t => {
  t.equal(classifyUpstreamError({ name: 'TimeoutError' }, { ...read, timeoutMs: 50 }).message, "Upstream 'forecast' gave no complete answer within 50 ms.")
  t.equal(classifyUpstreamError({ name: 'TimeoutError' }).message, 'An upstream gave no complete answer in time.')
})

t.test('an upstream without a label is not named', async t => {
  t.match(classifyUpstreamError(null, { upstream: 'unlabelled' }), { message: 'An upstream gave no usable answer.', details: { upstream: 'unlabelled' } })
})

t.test("an upstream's own words are quoted without its secrets, and only where that is allowed", async t => {
  const answer = { status: 422, headers: {}, body: '{"error":"City \\"X\\" with key SECRET1234 <b>unknown</b>"}' }
  t.equal(classifyUpstreamResponse(answer, { ...read, redact: createRedactor(['SECRET1234']) }).details.api_error, '"City \'X\' with key [redacted] unknown"')
  t.equal(classifyUpstreamResponse(answer, { ...read, quote: false }).details.api_error, undefined)
  t.equal(classifyUpstreamResponse({ status: 502, headers: { 'content-type': 'text/html' }, body: '<html>Bad Gateway</html>' }, read).details.api_error, undefined)
})

// --- Real sockets ---

const clients: Record<string, (url: string, signal?: AbortSignal) => Promise<unknown>> = {
  fetch: async (url, signal) => await (await fetch(url, { signal })).text(),
  undici: async (url, signal) => await (await request(url, { signal })).body.text(),
  'node:http': async (url, signal) => await new Promise((resolve, reject) => {
    http.get(url, { signal, agent: false }, response => response.on('error', reject).on('end', resolve).resume()).on('error', reject)
  })
}

async function failureOf (run: () => Promise<unknown>): Promise<unknown> {
  try { await run() } catch (error) { return error }
  throw new Error('Expected a failure, got an answer.')
}

// What a raw server does, the code for a read, and whether one client has no way to know better.
const LIES: Array<[name: string, act: Act, code: string, except?: Record<string, string>]> = [
  ['reads the request, then destroys', socket => socket.destroy(), 'UPSTREAM_CONNECTION_LOST'],
  ['resets', socket => socket.resetAndDestroy(), 'UPSTREAM_CONNECTION_LOST'],
  ['dies in the status line', socket => socket.end('HTTP/1.1 20'), 'UPSTREAM_CONNECTION_LOST'],
  ['dies in the body', socket => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\n{"a":', () => setTimeout(() => socket.destroy(), 30)), 'UPSTREAM_INVALID_RESPONSE', { undici: 'UPSTREAM_CONNECTION_LOST' }],
  ['dies between chunks', socket => socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\n{"\r\n', () => setTimeout(() => socket.destroy(), 30)), 'UPSTREAM_INVALID_RESPONSE', { undici: 'UPSTREAM_CONNECTION_LOST' }],
  ['speaks no HTTP', socket => socket.end('hello\nworld\n\n'), 'UPSTREAM_PROTOCOL_ERROR'],
  ['sends a bad header', socket => socket.end('HTTP/1.1 200 OK\r\nx(y: 1\r\n\r\n'), 'UPSTREAM_PROTOCOL_ERROR'],
  ['sends 20 KB of header', socket => socket.end(rawAnswer(200, { x: 'a'.repeat(20_000) })), 'UPSTREAM_PROTOCOL_ERROR']
]

for (const [name, act, code, except] of LIES) {
  t.test(`an upstream that ${name}`, async t => {
    const { url } = await fakeUpstream(t, act)
    for (const [client, call] of Object.entries(clients)) {
      const failure = await failureOf(() => call(url))
      t.match(classifyUpstreamError(failure, read), { code: except?.[client] ?? code, category: 'SERVICE_ERROR', status: 502 }, client)
      t.equal(classifyUpstreamError(failure, { ...read, phase: 'body' }).code, except === undefined && code === 'UPSTREAM_CONNECTION_LOST' ? 'UPSTREAM_INVALID_RESPONSE' : code, `${client}, whose caller knows how far it came`)
      t.match(classifyUpstreamError(failure, write), { status: 500, retryable: false, details: { outcome: 'unknown' } }, `${client}, a write`)
      t.notMatch(JSON.stringify(classifyUpstreamError(failure, read)), '127.0.0.1')
    }
  })
}

t.test('an upstream that refuses the connection was sent nothing', async t => {
  const url = `http://127.0.0.1:${await closedPort()}`
  for (const [client, call] of Object.entries(clients)) {
    const failure = await failureOf(() => call(url))
    t.match(classifyUpstreamError(failure, write), { code: 'UPSTREAM_UNREACHABLE', status: 502, retryable: true, details: { phase: 'connect', outcome: 'not_applied' } }, client)
    t.match(readFailure(failure), { proof: 'code', unsent: true }, client)
  }
})

t.test('a name with two addresses, both closed, was sent nothing', async t => {
  const port = await closedPort()
  const lookup = ((_: string, __: object, done: (error: null, addresses: object[]) => void) => done(null, [{ address: '::1', family: 6 }, { address: '127.0.0.1', family: 4 }])) as unknown as net.LookupFunction
  const dispatcher = new Agent({ connect: { lookup, autoSelectFamily: true } })
  t.teardown(() => dispatcher.destroy())
  const failure = await failureOf(async () => await request(`http://weather.test:${port}`, { dispatcher }))
  t.match(failure, { name: 'AggregateError', message: '' })
  t.match(classifyUpstreamError(new Error('weather lookup failed', { cause: new TypeError('fetch failed', { cause: failure }) }), write), { code: 'UPSTREAM_UNREACHABLE', details: { outcome: 'not_applied' } })
})

t.test('a name that does not exist was sent nothing', async t => {
  for (const [client, call] of Object.entries(clients)) {
    t.match(classifyUpstreamError(await failureOf(() => call('http://nope.invalid')), write), { code: 'UPSTREAM_UNREACHABLE', details: { phase: 'dns', outcome: 'not_applied' } }, client)
  }
})

t.test('an upstream that stays silent: our timeout, and a caller who goes away', async t => {
  const { url } = await fakeUpstream(t, () => {})
  for (const [client, call] of Object.entries(clients)) {
    const late = await failureOf(() => call(url, AbortSignal.timeout(40)))
    t.match(classifyUpstreamError(late, { ...read, timeoutMs: 40 }), { code: 'UPSTREAM_TIMEOUT', status: 504, retryable: true, message: /within 40 ms/ }, client)
    t.match(classifyUpstreamError(late, write), { status: 500, retryable: false, details: { outcome: 'unknown' } }, client)
    const controller = new AbortController()
    setTimeout(() => controller.abort(), 40)
    t.equal(classifyUpstreamError(await failureOf(() => call(url, controller.signal)), read).code, 'CALLER_GONE', client)
  }
})

t.test('abort reasons that are no errors say nothing and break nothing', async t => {
  const { url } = await fakeUpstream(t, () => {})
  for (const reason of ['FETCH_TIMEOUT', null, 0, Symbol('s')]) {
    const controller = new AbortController()
    setTimeout(() => controller.abort(reason), 20)
    t.equal(classifyUpstreamError(await failureOf(() => clients.fetch!(url, controller.signal)), read).code, 'UPSTREAM_FAILED')
  }
})

t.test("undici's own timeouts say their phase, bare and under fetch", async t => {
  const { url } = await fakeUpstream(t, (socket, _, text) => { if (text.startsWith('GET /body')) socket.write('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n{') })
  const dispatcher = new Agent({ headersTimeout: 40, bodyTimeout: 40 })
  t.teardown(() => dispatcher.destroy())
  t.match(classifyUpstreamError(await failureOf(async () => await request(url, { dispatcher })), read), { code: 'UPSTREAM_TIMEOUT', details: { phase: 'headers' } })
  t.match(classifyUpstreamError(await failureOf(async () => await (await request(`${url}/body`, { dispatcher })).body.text()), read), { code: 'UPSTREAM_TIMEOUT', details: { phase: 'body' } })
})

t.test('a redirect ring, and statuses over the wire', async t => {
  const { url } = await fakeUpstream(t, (socket, _, text) => {
    const status = Number(/^GET \/(\d+)/.exec(text)?.[1])
    socket.write(rawAnswer(status, { location: '/302', 'retry-after': '7' }, status === 302 ? '' : '{"message":"said the upstream"}'))
  })
  t.equal(classifyUpstreamError(await failureOf(() => clients.fetch!(`${url}/302`)), read).code, 'UPSTREAM_REDIRECTED')
  const busy = await fetch(`${url}/503`)
  t.match(classifyUpstreamResponse({ status: busy.status, headers: busy.headers, body: await busy.text() }, read), { code: 'UPSTREAM_UNAVAILABLE', retryAfterMs: 7_000, details: { api_error: '"said the upstream"' } })
  const odd = await request(`${url}/888`)
  t.match(classifyUpstreamResponse({ status: odd.statusCode, headers: odd.headers, body: await odd.body.json() }, read), { code: 'UPSTREAM_REFUSED', status: 502, details: { upstream_status: '888' } })
})

t.test('HTTPS to a plain port, and plain HTTP to a TLS port', async t => {
  const { port } = await fakeUpstream(t, socket => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'))
  const failures = [
    await failureOf(() => fetch(`https://127.0.0.1:${port}`)),
    await failureOf(() => new Promise((resolve, reject) => { https.get(`https://127.0.0.1:${port}`, resolve).on('error', reject) }))
  ]
  for (const failure of failures) t.match(classifyUpstreamError(failure, read), { code: 'UPSTREAM_TLS_FAILED', status: 502, category: 'SERVICE_ERROR', retryable: false, details: { phase: 'tls' } })
  const server = tls.createServer({})
  server.on('tlsClientError', () => {})
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => server.close())
  const failure = await failureOf(() => fetch(`http://127.0.0.1:${(server.address() as net.AddressInfo).port}`))
  t.equal(classifyUpstreamError(failure, read).code, 'UPSTREAM_CONNECTION_LOST', 'the same as a plain hang-up')
})

t.test('what our own side does wrong is ours, and its text stays here', async t => {
  const mistakes = [
    () => fetch('http://u:SECRET2@['),
    () => fetch('http://127.0.0.1', { headers: { authorization: 'Bearer SECRET3\nx' } }),
    () => fetch('http://127.0.0.1:1'),
    async () => await request('http://127.0.0.1', { method: 'NO PE' as never }),
    async () => await request('ftp://127.0.0.1')
  ]
  for (const mistake of mistakes) {
    const error = classifyUpstreamError(await failureOf(mistake), read)
    t.match(error, { code: 'INTERNAL_ERROR', status: 500, retryable: false })
    t.notMatch(JSON.stringify(error), /SECRET/)
  }
})

// --- Totality ---

function hostile (): unknown[] {
  const trap = (): never => { throw new Error('trap') }
  const { proxy: revoked, revoke } = Proxy.revocable({}, {})
  revoke()
  const cyclic: Record<string, unknown> = { code: 'ECONNRESET' }
  cyclic.cause = cyclic
  cyclic.errors = [cyclic, [cyclic]]
  cyclic.response = cyclic
  const endless: unknown = new Proxy({}, { get: () => endless })
  const throwing = new Proxy({}, { get: trap, has: trap, ownKeys: trap, getPrototypeOf: trap, getOwnPropertyDescriptor: trap })
  return [
    undefined, null, 0, NaN, Infinity, -0, 7n, '', 'x'.repeat(100_000), 'HTTP ' + '9'.repeat(1000), true, Symbol('s'), Symbol.iterator, () => {}, class {}, [], [[]], new Map(), new Date(NaN),
    revoked, throwing, endless, cyclic, Object.freeze(new Error('frozen')), Object.create(null),
    { get message () { return trap() }, get code () { return trap() }, get cause () { return trap() }, get name () { return trap() } },
    { status: 429, headers: throwing, body: throwing }, { status: 429, headers: revoked, body: revoked }, { status: 400, headers: { [Symbol.iterator]: trap }, body: endless },
    { status: {}, headers: 5, body: 5 }, { status: '1e3' }, { status: -1 }, { status: 2 ** 53 }, { statusCode: 429, headers: 'retry-after: 5' },
    { status: 403, headers: { ratelimit: { toString: trap } } }, { message: {}, code: [], name: {}, cause: 'ETIMEDOUT' }, { errors: { length: 1e9 } }, { errors: Array(100_000).fill({ code: 'X' }) },
    { status: 500, headers: {}, body: '['.repeat(30_000) }, { status: 500, headers: {}, body: '<'.repeat(30_000) }, { status: 500, headers: {}, body: Buffer.alloc(1_000_000, '&a=b') },
    { status: 400, body: JSON.parse('{"__proto__":{"code":"API_KEY_INVALID"},"constructor":{"message":"m"}}') }, { code: '__proto__', name: 'constructor' }, new Proxy(new Error('x'), {}),
    new Response('x', { status: 500 }), new Headers(), new AggregateError([], ''), new DOMException('x', 'AbortError'), { code: 'ECONNRESET', syscall: Symbol('s'), event: {} }
  ]
}

t.test('whatever is thrown or answered, the answer is a legal tool error in one of the five categories', async t => {
  const contexts: ClassifyContext[] = [{}, read, write, { ...write, idempotent: true, sent: false, phase: 'body', redact: () => { throw new Error('trap') } }]
  const illegal: unknown[] = []
  for (const [index, value] of hostile().entries()) {
    for (const context of contexts) {
      for (const classify of [classifyUpstreamError, classifyUpstreamResponse] as Array<(value: unknown, context: ClassifyContext) => ToolError>) {
        const error = classify(value, context)
        const legal = isToolError(error) && typeof error.retryable === 'boolean' && error.message.length < 200 && Object.values(error.details).every(text => typeof text === 'string' && text.length <= 300)
        if (!legal || !/^(?:UPSTREAM_|INTERNAL_ERROR|CALLER_GONE)/.test(error.code)) illegal.push([index, error])
      }
    }
  }
  t.strictSame(illegal, [])
})
