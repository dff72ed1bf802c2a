import t from 'tap'
import { formsOf, headsOf } from '../../../src/protocol/redact-forms.js'

const texts = (secret: string): string[] => formsOf(secret).map(({ text }) => text)

t.test('a secret has the forms that a text may hold it in', async t => {
  const forms = texts('Kx91-abc')
  for (const form of ['Kx91-abc', 'S3g5MS1hYmM', '4b7839312d616263', '4B7839312D616263']) t.ok(forms.includes(form), form)
  for (const before of ['', 'a', 'ab', 'abc']) for (const after of ['', 'z', 'zz']) t.ok(forms.some(form => Buffer.from(before + 'Kx91-abc' + after).toString('base64').includes(form)), `${before}…${after}`)
})

t.test('a derived form that is short is none', async t => {
  for (const form of texts('abcd')) t.ok(form === 'abcd' || form.length >= 6, form)
  t.ok(texts('a\\"b').includes('a\\\\\\"b'), 'what its escapes leave is short: it is escaped as a whole')
  t.notOk(texts('a\\"b').includes('a"b'))
  t.ok(texts('abc\\def').includes('abcdef'))
})

t.test('a long value is known by its beginning', async t => {
  t.strictSame(headsOf('a"b' + 'c'.repeat(100), 8), [{ text: 'a"bccccc', reach: 103 }, { text: 'a"bccccc', reach: 103 }])
  t.strictSame(headsOf('abcd', 8).map(({ text }) => text), ['abcd', 'abcd'])
  t.strictSame(headsOf('\\\\\\\\', 8).map(({ text }) => text), ['\\\\\\\\'], 'one of backslashes as it is alone')
})
