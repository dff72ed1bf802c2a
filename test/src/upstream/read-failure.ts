import t from 'tap'
import { readFailure } from '../../../src/upstream/read-failure.js'

const withCode = (code: string, fields: object = {}): Error => Object.assign(new Error('x'), { code, ...fields })

t.test('a value that carries nothing is not guessed about', async t => {
  for (const value of [null, undefined, 42, '', 'boom', {}, [], new Error('boom'), Symbol('s'), () => {}, { code: 'EACCES' }, { status: 'error' }, { status: 1 }, { status: 127 }, { code: 23 }, { code: 11000 }, { statusCode: 42.5 }]) {
    t.equal(readFailure(value), undefined)
  }
})

t.test('a status is found wherever clients keep it', async t => {
  const shapes = [
    { statusCode: 404 }, { status: 404 }, { status: '404' }, { response: { status: 404 } }, { response: { statusCode: 404 } },
    { $metadata: { httpStatusCode: 404 } }, { $response: { statusCode: 404 } }, { $response: { status: 404 } }, { code: 404 }, { code: '404' },
    new Error('weather lookup', { cause: { status: 404 } }), new AggregateError([new Error('a'), { statusCode: 404 }])
  ]
  for (const shape of shapes) t.match(readFailure(shape), { outcome: 'not_found', status: 404, countsAs: 404, proof: 'status' })
})

t.test('headers and body come with the status', async t => {
  const shapes = [
    { status: 429, headers: { 'retry-after': '7' }, error: { message: 'slow' } },
    { status: 429, headers: { 'retry-after': '7' }, body: '{"message":"slow"}' },
    { status: 429, headers: { 'retry-after': '7' }, body: Buffer.from('{"message":"slow"}') },
    { response: { status: 429, headers: { 'retry-after': '7' }, data: { message: 'slow' } }, headers: { 'retry-after': '99' } },
    { response: { statusCode: 429, headers: { 'retry-after': '7' }, body: { message: 'slow' } } },
    { response: { status: 429, headers: { 'retry-after': '7' }, text: '{"message":"slow"}' } },
    { status: 429, responseHeaders: { 'retry-after': '7' }, data: { message: 'slow' } }
  ]
  for (const shape of shapes) t.match(readFailure(shape), { outcome: 'rate_limited', headers: { 'retry-after': ['7'] }, body: { json: { message: 'slow' } } })
  t.match(readFailure({ $response: { statusCode: 503, headers: { 'retry-after': '7' } } }), { headers: { 'retry-after': ['7'] } })
})

t.test('a throttling name or flag goes before any status', async t => {
  t.match(readFailure({ name: 'ThrottlingException', $metadata: { httpStatusCode: 400 } }), { outcome: 'rate_limited', proof: 'name', status: 400, countsAs: 429 })
  t.match(readFailure({ name: 'X', $retryable: { throttling: true }, $metadata: { httpStatusCode: 503 } }), { outcome: 'rate_limited', countsAs: 429 })
  t.match(readFailure({ code: 'Throttling' }), { outcome: 'rate_limited', status: undefined, countsAs: 429 })
  t.match(readFailure(new Error('x', { cause: { Code: 'SlowDown', $metadata: { httpStatusCode: 503 } } })), { outcome: 'rate_limited', status: 503 })
  t.match(readFailure({ $retryable: { throttling: false }, status: 503 }), { outcome: 'unavailable' })
})

t.test('a code is found along causes and children', async t => {
  t.match(readFailure(new TypeError('fetch failed', { cause: withCode('ECONNREFUSED') })), { outcome: 'unreachable', proof: 'code', unsent: true })
  t.match(readFailure(new Error('lookup', { cause: 'ECONNREFUSED' })), { outcome: 'unreachable', proof: 'code' }, 'a bare string')
  t.match(readFailure(new AggregateError([withCode('ENETUNREACH'), withCode('ETIMEDOUT')])), { outcome: 'unreachable' })
  t.match(readFailure(withCode('SOMETHING', { cause: withCode('EPIPE') })), { outcome: 'connection_lost' })
})

t.test('nothing sent is proven only if everything in the chain proves it', async t => {
  const connect = (code: string): Error => withCode(code, { syscall: 'connect' })
  const unsent = (error: unknown): unknown => readFailure(error)?.unsent
  t.equal(unsent(new AggregateError([connect('ENETUNREACH'), connect('ETIMEDOUT')])), true)
  t.equal(unsent(Object.assign(new AggregateError([withCode('ENETUNREACH'), connect('ECONNREFUSED')]), { code: 'ENETUNREACH' })), true)
  t.equal(unsent(new AggregateError([connect('ENETUNREACH'), withCode('ETIMEDOUT')])), undefined)
  t.equal(unsent(new AggregateError([connect('ENETUNREACH'), new Error('boom')])), undefined, 'another request, of which nothing is known')
  t.equal(unsent(new Error('x', { cause: new AggregateError([connect('ENETUNREACH'), new Error('boom')]) })), undefined)
  t.equal(unsent(Object.assign(new AggregateError([connect('ENETUNREACH')], 'x', { cause: new Error('why') }))), true, 'a cause that says nothing does not count against it')
  t.equal(unsent(withCode('ECONNREFUSED', { cause: withCode('ECONNRESET') })), undefined)
  t.equal(unsent(Object.assign(new AggregateError(Array.from({ length: 40 }, () => connect('ECONNREFUSED'))), { code: 'ECONNREFUSED' })), undefined, 'not all of it was read')
})

t.test('an error that copies the code of its cause says no more than its cause', async t => {
  const axios = (code: string, cause: object): Error => Object.assign(new Error(code, { cause }), { name: 'AxiosError', code })
  t.match(readFailure(axios('ECONNRESET', { code: 'ECONNRESET', syscall: 'connect' })), { outcome: 'unreachable', unsent: true, phase: 'connect' })
  t.match(readFailure(axios('ETIMEDOUT', { code: 'ETIMEDOUT', syscall: 'connect' })), { outcome: 'timeout', unsent: true })
  t.match(readFailure(axios('ECONNRESET', { code: 'ECONNRESET', syscall: 'read' })), { outcome: 'connection_lost', unsent: undefined })
  t.match(readFailure(axios('ECONNRESET', { code: 'ECONNREFUSED', syscall: 'connect' })), { outcome: 'connection_lost', unsent: undefined })
})

t.test('a timeout of got says which step took too long', async t => {
  const got = (event: string): object => ({ name: 'TimeoutError', code: 'ETIMEDOUT', event })
  t.match(readFailure(got('secureConnect')), { outcome: 'timeout', unsent: true, phase: 'tls' })
  t.match(readFailure(got('lookup')), { outcome: 'timeout', unsent: true, phase: 'dns' })
  t.match(readFailure(got('response')), { outcome: 'timeout', unsent: undefined })
})

t.test('ECONNABORTED is a timeout of axios, and a lost connection of anybody else', async t => {
  t.match(readFailure({ name: 'AxiosError', code: 'ECONNABORTED' }), { outcome: 'timeout' })
  t.match(readFailure({ code: 'ECONNABORTED' }), { outcome: 'connection_lost' })
})

t.test('names count where there is no code, an abort last of all', async t => {
  t.match(readFailure({ name: 'HTTPParserError' }), { outcome: 'protocol_error', proof: 'name' })
  t.match(readFailure({ name: 'ConnectTimeoutError' }), { outcome: 'timeout', unsent: true })
  t.match(readFailure({ name: 'AbortError' }), { outcome: 'caller_gone', proof: 'name' })
  t.match(readFailure({ name: 'AbortError', code: 'ABORT_ERR' }), { outcome: 'caller_gone', proof: 'code' })
  t.match(readFailure({ name: 'AbortError', code: 'ABORT_ERR', cause: { name: 'TimeoutError', code: 23 } }), { outcome: 'timeout', proof: 'name' })
  t.match(readFailure({ name: 'AbortError', cause: withCode('UND_ERR_BODY_TIMEOUT') }), { outcome: 'timeout', proof: 'code' })
  t.match(readFailure({ code: 'ABORT_ERR', cause: withCode('EPIPE') }), { outcome: 'connection_lost' })
  class APIUserAbortError extends Error {}
  t.match(readFailure(new APIUserAbortError('Request was aborted.')), { outcome: 'caller_gone' })
})

t.test('fetch is known by its texts', async t => {
  t.match(readFailure(new TypeError('fetch failed')), { outcome: 'failed', proof: 'name' })
  t.match(readFailure(new TypeError('fetch failed', { cause: new Error('redirect count exceeded') })), { outcome: 'redirected' })
  t.match(readFailure(new TypeError('terminated')), { outcome: 'invalid_response', phase: 'body' })
})

t.test("the language's own errors are ours, but for what JSON.parse says", async t => {
  for (const error of [new TypeError('x is not a function'), new RangeError('r'), new ReferenceError('x'), new SyntaxError('Invalid regular expression'), new Error('w', { cause: new TypeError('y') })]) {
    t.strictSame(readFailure(error), { outcome: 'own_mistake', proof: 'name' })
  }
  for (const text of ['<html>', '{"a":', '']) {
    try { JSON.parse(text) } catch (error) { t.match(readFailure(error), { outcome: 'invalid_response', proof: 'text', phase: 'body' }) }
  }
})

t.test('a connection lost after the headers is an answer cut short', async t => {
  t.match(readFailure(new TypeError('terminated', { cause: withCode('UND_ERR_SOCKET') })), { outcome: 'invalid_response', phase: 'body', proof: 'code' })
  t.match(readFailure(Object.assign(new Error('aborted'), { code: 'ECONNRESET' })), { outcome: 'invalid_response' })
  t.match(readFailure({ name: 'ReadError', code: 'ECONNRESET' }), { outcome: 'invalid_response' })
  t.match(readFailure({ code: 'ECONNRESET', response: { status: 200 } }), { outcome: 'invalid_response', status: 200, phase: 'body' })
  t.match(readFailure(Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' })), { outcome: 'connection_lost' })
})

t.test('a good status with something wrong after it', async t => {
  t.match(readFailure({ status: 200 }), { outcome: 'invalid_response', proof: 'status', status: 200 })
  t.match(readFailure({ code: 'ERR_BAD_RESPONSE', response: { status: 200, headers: { a: 'b' } } }), { outcome: 'invalid_response', proof: 'code', headers: { a: ['b'] } })
  t.match(readFailure({ code: 'ETIMEDOUT', syscall: 'connect', statusCode: 200 }), { outcome: 'timeout', unsent: undefined })
  t.match(readFailure(Object.assign(new SyntaxError('Unexpected token in JSON'), { status: 200 })), { outcome: 'invalid_response', proof: 'status' })
})

t.test('a delimited status in a message counts where there is no field at all', async t => {
  const read = (text: string): unknown => readFailure(new Error(text))?.status
  for (const [text, status] of [
    ['HTTP 429', 429], ['status 404', 404], ['status_code: 503', 503], ['error 400', 400], ['code: 502', 502], ['Request failed with status code 500', 500],
    ['HTTP/1.1 503 Service Unavailable', 503], ['got "status": 401', 401], ['statusCode=410', 410], ['(HTTP 429)', 429], ['HTTP 502.', 502], ['Error code: 500', 500], ['HTTP 302', 302]
  ] as const) t.equal(read(text), status, text)
  for (const text of ['404', 'port 503', 'HTTP 4290', 'error 400.5', 'error 400,123', 'code: 502abc', 'HTTP 600', 'HTTP 099', 'mystatus 404', 'x-status 404', 'error 404-12', 'took 500 ms', 'errors 500', 'barcode: 502']) {
    t.equal(read(text), undefined, text)
  }
  t.match(readFailure('HTTP 429'), { outcome: 'rate_limited', proof: 'text' })
  t.match(readFailure(new Error('w', { cause: new Error('HTTP 429') })), { status: 429 })
  for (const fields of [{ code: 'MINE' }, { status: 'error' }, { statusCode: 0 }]) t.equal(readFailure(Object.assign(new Error('HTTP 429'), fields)), undefined)
  t.match(readFailure(Object.assign(new Error('HTTP 429'), { code: null, status: undefined })), { status: 429 })
})
