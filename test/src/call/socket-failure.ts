import { PassThrough } from 'node:stream'
import { mock } from 'node:test'
import t from 'tap'
import { endWith, isRefused, refuse, socketFailure, wireAnswer } from '../../../src/call/socket-failure.js'
import { awaitHandler, beginHandler } from '../../../src/call/waiting-requests.js'

t.test('bytes that never became a request have a code each', async t => {
  const codeOf = (code: string) => socketFailure(Object.assign(new Error('x'), { code })).code
  t.equal(codeOf('HPE_HEADER_OVERFLOW'), 'HEADERS_TOO_LARGE')
  t.equal(codeOf('ERR_HTTP_REQUEST_TIMEOUT'), 'REQUEST_INCOMPLETE')
  t.equal(codeOf('HPE_INVALID_EOF_STATE'), 'REQUEST_INCOMPLETE')
  t.equal(codeOf('HPE_INVALID_METHOD'), 'MALFORMED_REQUEST')
})

t.test('an answer on the wire is HTTP with a right length, and the last one', async t => {
  t.equal(wireAnswer({ status: 431, headers: { a: 'b' }, body: '{"é":1}' }), 'HTTP/1.1 431 Request Header Fields Too Large\r\na: b\r\ncontent-length: 8\r\nconnection: close\r\n\r\n{"é":1}')
})

t.test('a socket that was told why stays marked', async t => {
  const socket = {}
  t.notOk(isRefused(socket))
  refuse(socket)
  t.ok(isRefused(socket))
})

t.test('what did not come in whole says what it did: nothing, before its handler began', async t => {
  const told = (method: string, ...marks: Array<(request: object) => void>) => {
    const request = { method }
    for (const mark of marks) mark(request)
    const { status, retryable, details } = socketFailure(Object.assign(new Error('x'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), request as never)
    return [status, retryable, details.outcome]
  }
  t.equal(socketFailure(Object.assign(new Error('x'), { code: 'HPE_INVALID_EOF_STATE' })).details.outcome, 'not_applied')
  t.strictSame(told('POST', awaitHandler), [408, true, 'not_applied'])
  t.strictSame(told('POST', awaitHandler, beginHandler), [500, false, 'unknown'])
  t.strictSame(told('POST'), [408, true, undefined], 'nobody knows')
  t.strictSame(told('GET', awaitHandler, beginHandler), [408, true, undefined])
})

t.test('after the last words a socket is read for a moment, and gone then', async t => {
  mock.timers.enable({ apis: ['setTimeout'] })
  t.teardown(() => mock.timers.reset())
  const socket = new PassThrough({ autoDestroy: false })
  endWith(socket, { status: 400, headers: {}, body: '{}' })
  t.ok(isRefused(socket))
  t.ok(socket.writableEnded)
  mock.timers.tick(999)
  t.notOk(socket.destroyed)
  mock.timers.tick(1)
  t.ok(socket.destroyed)
})
