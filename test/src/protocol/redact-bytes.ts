import t from 'tap'
import { bytesOf, mayHoldBytes } from '../../../src/protocol/redact-bytes.js'

const parsed = (bytes: Uint8Array): any => JSON.parse(JSON.stringify({ bytes })).bytes

t.test('bytes are read in both forms that they take as JSON', async t => {
  t.equal(bytesOf(parsed(Buffer.from('Zürich')).data), 'Zürich')
  t.equal(bytesOf(parsed(new Uint8Array(Buffer.from('Zürich')))), 'Zürich')
})

t.test('other numbers are no bytes', async t => {
  for (const value of [[], [1, 2, 3], [1, 2, 3, 256], [1, 2, 3, -1], [1, 2, 3, 0.5], [1, 2, 3, '4'], { a: 1, b: 2, c: 3, d: 4 }, { 0: 1, 1: 2 }]) t.equal(bytesOf(value), undefined, JSON.stringify(value))
})

t.test('they are seen in a line', async t => {
  t.ok(mayHoldBytes(JSON.stringify(Buffer.from('abcd'))))
  t.ok(mayHoldBytes(JSON.stringify(new Uint8Array(4))))
  for (const line of ['{"a":[1,2,3]}', '{"a":[1000,2,3,4]}', '{"0":"a"}']) t.notOk(mayHoldBytes(line), line)
})
