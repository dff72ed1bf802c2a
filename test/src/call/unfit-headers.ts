import t from 'tap'
import { unfitHeaders } from '../../../src/call/unfit-headers.js'

t.test('a failure carries neither the headers of the body it replaces nor what HTTP cannot hold', async t => {
  t.strictSame(unfitHeaders({ 'content-length': '5', 'content-encoding': 'gzip', etag: '"a"', allow: 'GET', 'x-a': 'a\nb', 'x-b': ['ok', 'bad\r\n'], 'x c': 'name', 'set-cookie': ['a=1', 'b=2'], 'x-n': 5 }), ['content-length', 'content-encoding', 'etag', 'x-a', 'x-b', 'x c'])
})
