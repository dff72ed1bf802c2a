import t from 'tap'
import { decode, isPlain } from '../../../src/protocol/redact-spelling.js'

const plain = (text: string): string => decode(text).text

t.test('a text is the same however often it was escaped', async t => {
  for (const text of ['a"b', 'a\\b', 'a\nb\tc', 'Zürich 🌧', 'a/b?c=d&e', '100%', '50%25', 'a\\nb', 'a+b', '\b\f\r', '\\"']) {
    let spelled = text
    for (let level = 0; level < 4; level++) {
      spelled = JSON.stringify(spelled).slice(1, -1)
      for (const form of [spelled, encodeURIComponent(spelled), encodeURIComponent(encodeURIComponent(spelled)), encodeURIComponent(spelled).replace(/%../g, code => code.toLowerCase())]) t.equal(plain(form), plain(text), form)
    }
  }
})

t.test('letters and escapes of other languages are undone', async t => {
  t.equal(plain('\\u0041\\u00e4\\ud83c\\udf27\\x41\\/\\v'), 'Aä🌧A/\v')
  t.equal(plain('%41%2541%252541%2b+'), 'AAA  ')
  t.equal(plain('%5C%22 %5c%5Cn'), '" \n')
  t.equal(plain('%F0%9F%8C%A7%e2%82%ac%C3%A4'), '🌧€ä')
})

t.test('what is no escape stays, but for backslashes', async t => {
  t.equal(plain('100% %zz %2 %'), '100% %zz %2 %')
  t.equal(plain('a\\ub\\'), 'aub')
  t.equal(plain('\\%41\\+'), 'A ')
  t.equal(plain('%E4 %C3x %F7%BF%BF%BF'), 'ä Ãx ÷¿¿¿', 'bytes that are no UTF-8')
  t.equal(plain(''), '')
  t.ok(isPlain('a b'))
  for (const text of ['\\', '%', '+']) t.notOk(isPlain(text))
})

t.test('each part is found again in the text', async t => {
  const text = 'x\\"ab\\u0041%41c d'
  const { text: decoded, source } = decode(text)
  t.equal(decoded, 'x"abAAc d')
  const original = (from: number, to: number): string => text.slice(...source(from, to))
  t.strictSame([original(0, 1), original(1, 2), original(2, 4), original(3, 5), original(5, 7), original(6, 9), original(0, 9)], ['x', '\\"', 'ab', 'b\\u0041', '%41c', 'c d', text])
})
