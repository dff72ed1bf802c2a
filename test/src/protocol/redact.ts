import t from 'tap'
import { createRedactor, MIN_SECRET_LENGTH, REDACTED, redactJson } from '../../../src/protocol/redact.js'

t.test('a known secret is found as it is, escaped, percent-encoded and in base64', async t => {
  const secrets = ['sk-live-SECRET3', 'pä ss/w+rd"\\\n\t=?&%<>\'x', 'p@ss:w#rd!*()~', '$^.*+?()[]{}|', 'with\u0000nul', '🌧🌧🌧🌧', 'sk/=;,:@', 'a\ud800bcd', 'padded=base64==', 'tab\tand space']
  for (const secret of secrets) {
    const redact = createRedactor([secret])
    const json = JSON.stringify(secret).slice(1, -1)
    const ascii = json.replace(/[^ -~]/g, unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    const wellFormed = !secret.includes('\ud800')
    const url = new URL(`http://h/?k=x#${secret}`)
    url.search = secret
    const forms: string[] = [
      secret, json, JSON.stringify(json).slice(1, -1), json.replaceAll('/', '\\/'), ascii, ascii.replace(/\\u(.{4})/g, (_, digits) => `\\u${digits.toUpperCase()}`), json.replace(/[<>&]/g, char => `\\u00${char.charCodeAt(0).toString(16)}`),
      Buffer.from(secret).toString('base64'), Buffer.from(secret).toString('base64url'), Buffer.from(secret).toString('base64').replace(/=+$/, '')
    ]
    if (wellFormed) {
      forms.push(encodeURIComponent(secret), encodeURIComponent(secret).replace(/%../g, code => code.toLowerCase()), encodeURI(secret), new URLSearchParams({ k: secret }).toString().slice(2))
    }
    // The parser of URLs drops line breaks and what follows #.
    if (wellFormed && !/[\n\t#]/.test(secret)) forms.push(url.search.slice(1))
    for (const form of forms) {
      t.match(redact(`before ${form} after`), /^before \[redacted\](=|%3d)* after$/i, `${JSON.stringify(secret)} as ${form}`)
    }
  }
})

t.test('every place is redacted, the longest secret first', async t => {
  const redact = createRedactor(['SECRET', 'SECRET-LONGER', 'other-one'])
  t.equal(redact('SECRET SECRET-LONGER xSECRETx other-one'), `${REDACTED} ${REDACTED} x${REDACTED}x ${REDACTED}`)
  t.equal(redact('http://127.0.0.1:1/v1?key=SECRET&q=a'), `http://127.0.0.1:1/v1?key=${REDACTED}&q=a`)
  t.equal(redact('Headers.append: "Bearer SECRET\\n" is an invalid header value.'), `Headers.append: "Bearer ${REDACTED}\\n" is an invalid header value.`)
  t.equal(redact('secret'), 'secret', 'letter case counts')
  t.equal(redact(''), '')
  t.equal(redact(redact('SECRET')), REDACTED, 'twice is once')
})

t.test('what is too short to be a secret is left alone', async t => {
  t.equal(MIN_SECRET_LENGTH, 4)
  t.equal(createRedactor([])('text'), 'text')
  t.equal(createRedactor(['', 'a', 'the'])('a text of the house'), 'a text of the house')
  t.equal(createRedactor(['abcd'])('xabcdx'), `x${REDACTED}x`)
  t.equal(createRedactor(['a-=='])('a-b a-=='), `a-b ${REDACTED}`, 'what padding leaves would be too short')
})

t.test('a secret of kilobytes, and a text of megabytes, take no time', async t => {
  const keyOf = (lines: number) => `-----BEGIN PRIVATE KEY-----\n${'aB3/+x\n'.repeat(lines)}-----END PRIVATE KEY-----`
  for (const lines of [1, 50, 560, 570, 10_000]) {
    const key = keyOf(lines)
    const redact = createRedactor([key, 'SECRET'])
    for (const text of [key, JSON.stringify(key).slice(1, -1)]) t.ok(redact(`a ${text} b`) === `a ${REDACTED} b`, `${lines} lines`)
  }
  const worst = '/'.repeat(4_000)
  t.ok(createRedactor([worst])(encodeURIComponent(worst)) === REDACTED, 'a choice at every character')
  t.equal(createRedactor(['x'.repeat(5_000)])('text'), 'text')
  const redact = createRedactor(Array.from({ length: 5 }, (_, index) => keyOf(30) + index))
  t.ok(redact(`a ${encodeURIComponent(keyOf(30) + '4')} b`) === `a ${REDACTED} b`)
  const before = performance.now()
  redact('SECRE'.repeat(40_000))
  redact('\\'.repeat(200_000))
  redact('-----BEGIN '.repeat(20_000))
  t.ok(performance.now() - before < 5_000)
})

t.test('secrets are taken out of JSON wherever they stand, and it stays JSON', async t => {
  const redact = createRedactor(['sk-live-1', '12345678', 'a"b"c'])
  const clean = '{"a":[1,true,null,"x"]}'
  t.equal(redactJson(clean, redact), clean)
  t.strictSame(JSON.parse(redactJson(JSON.stringify({ 'sk-live-1': 1, url: 'http://h/?key=sk-live-1&x', list: [12345678, false, null, { q: 'a"b"c' }] }), redact)), {
    [REDACTED]: 1, url: `http://h/?key=${REDACTED}&x`, list: [REDACTED, false, null, { q: REDACTED }]
  })
})
