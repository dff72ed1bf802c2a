import t from 'tap'
import { redactNamedValues } from '../../../src/protocol/named-values.js'

const redact = (text: string): string => redactNamedValues(text, name => /^(?:secret|token|api.key|[\w-]*cookie|x-.*)$/i.test(name))

t.test('what stands behind a name is taken out, and the text around it stays', async t => {
  t.equal(redact('a=1, secret=b c, "token": 5, n=2'), 'a=1, secret=[redacted] c, "token": "[redacted]", n=2')
  t.equal(redact('secret = "a \\" b" c'), 'secret = "[redacted]" c')
  t.equal(redact(''), '')
})

t.test('two words are one name where the second says little alone', async t => {
  t.equal(redact('the API key: abc'), 'the API key: [redacted]')
  t.equal(redact('key: abc'), 'key: abc')
  t.equal(redact(' key=abc1234'), ' key=abc1234')
})

t.test('a header goes to the end of its line', async t => {
  t.equal(redact('Cookie: a=b; c\nx'), 'Cookie: [redacted]\nx')
  t.equal(redact('Cookie: ab1234 c'), 'Cookie: [redacted] c')
  t.equal(redact('Cookie: Bearer a b'), 'Cookie: Bearer [redacted]')
  t.equal(redact('Cookie: was lost'), 'Cookie: was lost')
  t.equal(redact("'Cookie: a=b' c"), "'Cookie: [redacted]' c")
  t.equal(redact('["x-one","a","secret","b"]'), '["x-one","[redacted]","secret","b"]')
})

t.test('what comes of an escape is no part of a name', async t => {
  t.equal(redact('a\\nsecret=b'), 'a\\nsecret=[redacted]')
  t.equal(redact('nsecret=b'), 'nsecret=b')
})

t.test('nothing is taken where nothing stands', async t => {
  for (const text of ['secret=', 'secret: ', 'secret=null', '"secret": required', 'secret => x', 'a::secret', 'secret == 1', 'token: a', '?code=EUR', '?code=', '?key=;']) t.equal(redact(text), text)
  t.equal(redact('?key=a1'), '?key=[redacted]')
  for (const text of ['?key=name', '?key=created_at&order=asc', ' key=abc1']) t.equal(redact(text), text)
  t.equal(redact(`?key=${'a'.repeat(40)}`), '?key=[redacted]')
})

t.test('whether a value is one may depend on it', async t => {
  const withoutNumbers = (text: string): string => redactNamedValues(text, (name, value) => name === 'secret' && typeof value !== 'number' && value !== 'ours')
  for (const text of ['secret=5', 'secret=12345', '"secret": 123456789', '"secret":-1.5', '"secret":"ours"']) t.equal(withoutNumbers(text), text)
  for (const text of ['secret=123456', 'secret=1a', '"secret":"5"']) t.not(withoutNumbers(text), text)
})

t.test('a word without end is taken out to its end', async t => {
  t.equal(redact(`token: a1${'b'.repeat(1_000)}, c`), 'token: [redacted], c')
})
