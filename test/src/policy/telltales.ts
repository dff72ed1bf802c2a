import t from 'tap'
import { createTelltales } from '../../../src/policy/telltales.js'

const telltales = createTelltales([{ key: 'is_mock', values: [true] }, { key: 'source', values: ['Mock-Data', 0] }, { key: 'Source', values: ['lab'] }], ['lorem ipsum', 'to do'])

t.test('a field is found in any spelling', async t => {
  for (const key of ['is_mock', 'isMock', 'is-mock', 'IS MOCK', '_is_mock_']) t.equal(telltales.ofKey(key)?.tells(true), true, key)
  for (const key of ['', 'mock', 'is.mock', 'is_mocked']) t.equal(telltales.ofKey(key), undefined, key)
})

t.test('a value tells as a whole, in any letter case', async t => {
  const source = telltales.ofKey('source')!
  for (const value of ['mock-data', 'MOCK DATA', ' mock_data', 'LAB', 0]) t.ok(source.tells(value))
  for (const value of ['mockdata', 'mock', 'mock-data!', '0', 1, true, null, undefined, {}]) t.notOk(source.tells(value))
  t.strictSame(source.samples, ['mock data', 0, 'lab'], 'two entries of one field are one')
  t.ok(telltales.any.tells(true) && telltales.any.tells('lab'))
})

t.test('a text tells by what it contains, and is shown from there', async t => {
  for (const text of ['lorem ipsum', 'A Lorem  Ipsum.', 'x TO\nDO']) t.ok(telltales.text.tells(text))
  for (const text of ['lorem', 'loremipsum', 1, true, null]) t.notOk(telltales.text.tells(text))
  t.equal(telltales.excerpt('A Lorem  Ipsum.'), 'Lorem  Ipsum.')
  t.equal(telltales.excerpt('mock'), 'mock')
})

t.test('of a long text the first 4,000 characters are read', async t => {
  const lorem = 'lorem ipsum'
  t.ok(telltales.text.tells('x'.repeat(4000 - lorem.length) + lorem))
  t.notOk(telltales.text.tells('x'.repeat(4001 - lorem.length) + lorem))
})
