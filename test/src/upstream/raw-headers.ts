import t from 'tap'
import { pairsOf } from '../../../src/upstream/raw-headers.js'

t.test('headers of bytes and of text become pairs', async t => {
  t.same(pairsOf([Buffer.from('A'), Buffer.from('1'), 'b', '2']), [['A', '1'], ['b', '2']])
})

t.test('what is no list of headers has no pairs, and what cannot be read is empty', async t => {
  t.same(pairsOf(undefined), [])
  t.same(pairsOf(['lonely']), [['lonely', '']])
  t.same(pairsOf(['a', Object.create(null)]), [['a', '']])
})
