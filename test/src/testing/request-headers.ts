import t from 'tap'
import { headersIn } from '../../../src/testing/request-headers.js'

t.test('headers are read in every form a client hands them to undici', async t => {
  const expected = { accept: 'text/plain', 'x-count': '2' }
  for (const headers of [
    { Accept: 'text/plain', 'X-Count': 2 },
    ['Accept', 'text/plain', 'X-Count', '2'],
    [Buffer.from('Accept'), Buffer.from('text/plain'), 'X-Count', Buffer.from('2')],
    [['Accept', 'text/plain'], ['X-Count', '2']],
    new Map([['Accept', 'text/plain'], ['X-Count', '2']]),
    new Headers({ Accept: 'text/plain', 'X-Count': '2' })
  ]) t.strictSame(headersIn(headers), expected)
})

t.test('no headers are no headers', async t => {
  for (const headers of [undefined, null, {}, [], 'accept: text/plain']) t.strictSame(headersIn(headers), {})
})
