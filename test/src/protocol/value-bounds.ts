import t from 'tap'
import { matchAt, restOfLine, Values } from '../../../src/protocol/value-bounds.js'

const value = (text: string, at = 0): string | undefined => {
  const bounds = new Values(text).at(at)
  return bounds && text.slice(bounds.from, bounds.to)
}

t.test('a value in quotes goes to its closing quote, however often the text was quoted', async t => {
  t.equal(value('"a b" c'), 'a b')
  t.equal(value("'a b' c"), 'a b')
  t.equal(value('`a b` c'), 'a b')
  t.equal(value('"a\\"b" c'), 'a\\"b')
  t.equal(value('"a\\\\" "c"'), 'a\\\\', 'a backslash at its end')
  for (const inner of ['a b', 'a"b', 'a\\', 'a\\"b', '"']) {
    let text = JSON.stringify(inner)
    for (let level = 0; level < 3; level++) {
      const [before, after] = ['x: ', ', "y"']
      const bounds = new Values(before + text + after).at(before.length)!
      t.equal(bounds.to, before.length + text.length - bounds.quote!.length, `${inner} at level ${level}`)
      text = JSON.stringify(text).slice(1, -1)
    }
  }
  t.equal(value('"cut off'), 'cut off')
  t.equal(value('""'), '')
})

t.test('a value in brackets goes to where they are closed', async t => {
  t.equal(value('{"a":[1,{"b":2}]} c'), '{"a":[1,{"b":2}]}')
  t.equal(value('[redacted] c'), '[redacted]')
  t.equal(value('(a) c'), '(a)')
  t.equal(value('[a b'), '[a', 'or they were none')
  t.equal(value('[' + 'x'.repeat(3_000) + ']')?.length, 3_001, 'so too where that is far')
  t.equal(value('[' + 'x '.repeat(2_000) + ']'), '[x')
  t.equal(value(') [a] b', 2), '[a]', 'one that was never opened closes none')
})

t.test('a bare value goes to what ends it where it stands', async t => {
  for (const [text, expected] of [['abc def', 'abc'], ['abc&d=1', 'abc'], ['abc;d', 'abc'], ['abc"', 'abc'], ['abc), d', 'abc'], ['abc, d', 'abc'], ['ab\\cd', 'ab\\cd'], ['ab\\nc', 'ab'], ['my pass; x=1', 'my pass'], ['a b;', 'a b'], ['a b; c', 'a'], ['a#b', 'a#b']] as const) {
    t.equal(value(text), expected, text)
  }
  for (const text of ['', ' a', ';', '<a>', ')']) t.equal(value(text), undefined, text)
  t.equal(value('a=bc', 2), 'bc')
})

t.test('the rest of a line ends with the line, or with the quotation it stands in', async t => {
  const rest = (text: string, before = ''): string => { const { from, to } = restOfLine(text, 0, before); return text.slice(from, to) }
  t.equal(rest('Bearer "a" b'), 'Bearer "a" b')
  t.equal(rest('Bearer a\r\nHost: b'), 'Bearer a')
  t.equal(rest('Bearer a\\r\\nHost: b'), 'Bearer a', 'escaped')
  t.equal(rest('Bearer a" https://h', '"'), 'Bearer a')
  t.equal(rest('Bearer a\\" https://h', '"'), 'Bearer a')
})

t.test('a pattern is tried at one place alone', async t => {
  t.equal(matchAt(/b+/y, 'abb', 1), 'bb')
  t.equal(matchAt(/b+/y, 'abb', 0), undefined)
})

t.test('what ends one value may end the next', async t => {
  const text = 'a=b=c). d=e f; x=1'
  const values = new Values(text)
  const of = (at: number): string | undefined => { const bounds = values.at(at); return bounds && text.slice(bounds.from, bounds.to) }
  t.strictSame([of(2), of(4), of(5), of(10), of(0), of(16)], ['b=c). d=e f', 'c). d=e f', '). d=e f', 'e f', 'a=b=c). d=e f', '=1'])
  const bare = new Values('a=b=c)) d')
  t.strictSame([2, 4, 5, 6, 8].map(at => bare.at(at)?.to), [5, 5, undefined, undefined, 9])
  t.equal(bare.bareEnd(0), 5)
})
