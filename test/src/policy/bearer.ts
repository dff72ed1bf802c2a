import t from 'tap'
import { readBearer } from '../../../src/policy/bearer.js'

const read = (header: string | undefined) => readBearer(header, header === undefined ? ['Host', 'x'] : ['Host', 'x', 'Authorization', header])

t.test('the scheme is read in any letter case, the token as it is', async t => {
  for (const header of ['Bearer a.B-c_~+/==', 'bearer a.B-c_~+/==', 'BEARER  a.B-c_~+/== ']) t.strictSame(read(header), { token: 'a.B-c_~+/==' }, header)
})

t.test('what is no single bearer token is none', async t => {
  t.strictSame(read(undefined), { problem: 'missing' })
  t.strictSame(read(''), { problem: 'missing' })
  for (const header of ['Bearer', 'Bearer ', 'Basic YTpi', 'Bearer a b', 'Bearer Bearer a', 'Bearer\ta', 'Beareré a', 'Bearer é', 'Bearer:a', 'abc', ' Bearer a', 'Bearer a\nb', 'Bearer \u0000']) {
    t.strictSame(read(header), { problem: 'malformed' }, header)
  }
})

t.test('of two headers neither is taken, however they are written', async t => {
  t.strictSame(readBearer('Bearer a', ['Authorization', 'Bearer a', 'AUTHORIZATION', 'Bearer b']), { problem: 'repeated' })
  t.strictSame(readBearer('Bearer a', ['authorization', 'Bearer a', 'x', 'authorization']), { token: 'a' }, 'a value is no name')
})

t.test('a header of any length is read at once', async t => {
  t.strictSame(read(`Bearer ${'a'.repeat(1_000_000)} b`), { problem: 'malformed' })
  t.strictSame(read(`Bearer${' '.repeat(1_000_000)}é`), { problem: 'malformed' })
})
