import t from 'tap'
import { createRedactor, MIN_SECRET_LENGTH, REDACTED, redactJson } from '../../../src/protocol/redact.js'
import { cpuMs } from '../../fixtures/cpu-time.js'

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
  const took = cpuMs(() => ['SECRE'.repeat(40_000), '\\'.repeat(200_000), '-----BEGIN '.repeat(20_000)].map(redact))
  t.ok(took < 5_000)
})

t.test('secrets are taken out of JSON wherever they stand, and it stays JSON', async t => {
  const redact = createRedactor(['sk-live-1', '12345678', 'a"b"c'])
  const clean = '{"a":[1,true,null,"x"]}'
  t.equal(redactJson(clean, redact), clean)
  t.strictSame(JSON.parse(redactJson(JSON.stringify({ 'sk-live-1': 1, url: 'http://h/?key=sk-live-1&x', list: [12345678, false, null, { q: 'a"b"c' }] }), redact)), {
    [REDACTED]: 1, url: `http://h/?key=${REDACTED}&x`, list: [REDACTED, false, null, { q: REDACTED }]
  })
})

t.test('a secret is found within base64, in hex, and however often JSON was put into JSON', async t => {
  const secret = 'Kx91/ab"c+ü-long'
  const redact = createRedactor([secret])
  for (const before of ['', 'u:', 'us:', 'use:']) for (const after of ['', 'z', 'zz']) for (const encoding of ['base64', 'base64url'] as const) t.match(redact(Buffer.from(before + secret + after).toString(encoding)), /^.{0,6}\[redacted\].{0,4}=*$/)
  for (const hex of [Buffer.from(secret).toString('hex'), Buffer.from(secret).toString('hex').toUpperCase()]) t.equal(redact(`0x${hex}.`), `0x${REDACTED}.`)
  let json = secret
  for (let level = 0; level < 5; level++) {
    json = JSON.stringify(json).slice(1, -1)
    for (const form of [json, encodeURIComponent(json), encodeURIComponent(encodeURIComponent(json))]) t.equal(redact(`a ${form} b`), `a ${REDACTED} b`, form)
  }
  t.equal(redact('Kx91 S3g5'), 'Kx91 S3g5')
})

t.test('a value that is known briefly is taken out as far as it is long', async t => {
  const redact = createRedactor(['SECRET'], { briefly: [`"${'é'.repeat(50)}`, 'abc', 'brief'] })
  t.equal(redact(`SECRET "${'é'.repeat(50)} brief abc`), `${REDACTED} ${REDACTED} ${REDACTED} abc`)
  t.equal(redact(JSON.stringify(`"${'é'.repeat(50)}`)), `"${REDACTED}"`)
  t.equal(redact(`"${'é'.repeat(31)}${'z'.repeat(30)}`), `${REDACTED}${'z'.repeat(11)}`, 'rather more than less')
})

t.test('time is linear, whatever the secrets and the text are', async t => {
  const periodic = (length: number): string => '.'.repeat(length)
  const inputs: ReadonlyArray<readonly [secrets: string[], text: string]> = [
    [[periodic(3_900) + 'b'], periodic(1_000_000)], [['b' + periodic(3_900)], periodic(1_000_000)], [[periodic(2_000) + 'b' + periodic(2_000)], periodic(1_000_000)], [['x'.repeat(1_000_000)], 'x'.repeat(1_000_000)],
    [Array.from({ length: 1_000 }, (_, index) => `value-of-${index}`), 'value-of-'.repeat(100_000)], [['SECRET'], '\\"'.repeat(500_000)], [['SECRET'], '%25'.repeat(330_000)], [['SECRET'], '+'.repeat(1_000_000)], [['aaaa'], 'aaaab'.repeat(200_000)]
  ]
  for (const [secrets, text] of inputs) {
    t.ok(cpuMs(() => createRedactor(secrets)(text)) < 2_000, `${secrets[0]!.slice(0, 20)} in ${text.slice(0, 20)}`)
  }
})
