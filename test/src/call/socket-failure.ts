import t from 'tap'
import { isRefused, refuse, socketFailure, wireAnswer } from '../../../src/call/socket-failure.js'

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
