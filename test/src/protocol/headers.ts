import t from 'tap'
import { isRequestId, JSON_TYPE, requestHeaders, responseHeaders, securityHeaders } from '../../../src/protocol/headers.js'

t.test('a request id is repeated only where it can harm no header, log or page', async t => {
  for (const id of ['a', '0b9f-1.2_Z', 'x'.repeat(128), '----', '...']) t.ok(isRequestId(id), id)
  for (const id of [
    '', 'a b', '<script>', 'x'.repeat(129), 'x'.repeat(10_240), 'id\n', 'id\r\nset-cookie: a=b', 'ä', 'Ã¤', 'a,b', 'a, b', 'a/b', "a'b", 'a"b', 'a\u0000b', 'a\u200bb', '１',
    undefined, null, 1, ['a'], ['a', 'b'], { toString: () => 'a' }
  ]) t.notOk(isRequestId(id), JSON.stringify(id))
})

t.test('header names are lower case, as Node gives them', async t => {
  for (const name of [...Object.values(requestHeaders), ...Object.values(responseHeaders), ...Object.keys(securityHeaders)]) t.match(name, /^[a-z][a-z-]+$/)
})

t.test('header values are legal ones', async t => {
  for (const value of [JSON_TYPE, ...Object.values(securityHeaders)]) t.match(value, /^[ -~]+$/)
})
