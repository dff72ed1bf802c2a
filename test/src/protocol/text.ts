import t from 'tap'
import { isLabel, oneLine } from '../../../src/protocol/text.js'

t.test('white space, controls and format characters become one space', async t => {
  t.equal(oneLine('a\nb', 10), 'a b')
  t.equal(oneLine('  a \r\n\t  b  ', 10), 'a b')
  t.equal(oneLine('a\u0000\u0007\u001b[31mb', 20), 'a [31mb')
  t.equal(oneLine('a\u2028b\u2029c\u0085d', 20), 'a b c d')
  t.equal(oneLine('a\u200b\u202eb\ufeffc', 20), 'a b c', 'zero width, bidi override, byte order mark')
  t.equal(oneLine('a\ud800b', 20), 'a b', 'a lone surrogate')
  t.equal(oneLine('\n\t ', 10), '')
  t.equal(oneLine('', 10), '')
})

t.test('ordinary text stays as it is', async t => {
  for (const text of ["No place matches 'Flower Mound, TX'.", 'Zürich', '東京', 'a 🌧 b', '50 °C']) t.equal(oneLine(text, 100), text)
})

t.test('at most so many code points stay, the last an ellipsis where some went', async t => {
  t.equal(oneLine('abcde', 5), 'abcde')
  t.equal(oneLine('abcdef', 5), 'abcd…')
  t.equal(oneLine('ab cdef', 4), 'ab…', 'no space before the ellipsis')
  t.equal(oneLine('🌧'.repeat(5), 5), '🌧'.repeat(5), 'code points, not code units')
  t.equal(oneLine('🌧'.repeat(6), 5), '🌧'.repeat(4) + '…')
  t.equal(oneLine('abc', 0), '')
})

t.test('a text of megabytes is cut before it is cleaned', async t => {
  const text = oneLine('x\n'.repeat(5_000_000), 500)
  t.equal(Array.from(text).length, 500)
  t.ok(text.endsWith('…'))
  t.equal(oneLine('🌧'.repeat(1_000_000), 500), '🌧'.repeat(499) + '…')
})

t.test('a name is a plain word, and no address', async t => {
  for (const name of ['rates', 'a', 'spare_rates-2.eu', 'x'.repeat(64)]) t.ok(isLabel(name), name)
  for (const name of ['', 'x'.repeat(65), 'two words', 'https://host', 'postgres://user:secret@host', 'line\n', 5, undefined]) t.notOk(isLabel(name), String(name))
})
