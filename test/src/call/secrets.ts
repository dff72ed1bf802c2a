import t from 'tap'
import pino from 'pino'
import { keepSecrets, keepUnlogged, redactKnown, redactLine } from '../../../src/call/secrets.js'
import { createRedactor } from '../../../src/protocol/redact.js'
import { cpuMs } from '../../fixtures/cpu-time.js'

/** What a pino logger writes with the hook, parsed; each has to be one line. */
function logged (write: (log: pino.Logger) => void): Array<Record<string, any>> {
  const lines: string[] = []
  write(pino({ base: null, timestamp: false, hooks: { streamWrite: redactLine } }, { write: line => { lines.push(line) } }))
  return lines.map(line => {
    if (line.indexOf('\n') !== line.length - 1) throw new Error(`Expected one line, got ${line}`)
    return JSON.parse(line)
  })
}

t.test('the secrets of every service of the process are kept, until it is closed', async t => {
  const forgetOne = keepSecrets(createRedactor(['secret-one']))
  const forgetTwo = keepSecrets(createRedactor(['secret-two']))
  t.equal(redactKnown('secret-one, secret-two'), '[redacted], [redacted]')
  forgetOne()
  t.equal(redactKnown('secret-one, secret-two'), 'secret-one, [redacted]')
  forgetTwo()
  t.equal(redactKnown('secret-one, secret-two'), 'secret-one, secret-two')
})

t.test('a log line stays a line of JSON, without the secrets', async t => {
  t.teardown(keepSecrets(createRedactor(['12345678', 'a"b"c'])))
  t.equal(redactLine('{"msg":"hi"}\n'), '{"msg":"hi"}\n')
  t.equal(redactLine(`${JSON.stringify({ n: 12345678, err: { stack: 'at a"b"c' } })}\n`), '{"n":"[redacted]","err":{"stack":"at [redacted]"}}\n')
})

t.test('credentials are taken out by their names, wherever a logger puts them', async t => {
  const cause = new Error('connect to postgres://app:hunter@db:5432/shop')
  const failure = Object.assign(new Error('boom?token=hunter', { cause }), {
    config: { headers: { Authorization: 'Bearer hunter', Accept: '*/*' }, data: '{"password":"hunter","city":"Bern"}', url: 'https://h/?api_key=hunter&q=1', max: 5 },
    request: { _header: 'GET / HTTP/1.1\r\nCookie: a=hunter\r\nHost: h', rawHeaders: ['X-Api-Key', 'hunter'] }
  })
  const lines = logged(log => {
    log.child({ req: { headers: { 'x-api-key': 'hunter' } }, accessToken: 'hunter', token: 'hunter' }).info({ token: null }, 'a')
    log.error({ err: failure })
    log.error({ err: new AggregateError([new Error('password=hunter'), failure], 'all') })
    log.warn({ list: [[{ PRIVATE_KEY: ['hunter'], client_secret: 5, n: 1, ok: true }]], text: 'sent {\\"refresh_token\\":\\"hunter\\"}' }, 'Bearer hunter22222')
  })
  t.notMatch(JSON.stringify(lines), /hunter/)
  t.match(lines, [
    { level: 30, req: { headers: { 'x-api-key': '[redacted]' } }, accessToken: '[redacted]', token: null, msg: 'a' },
    { err: { type: 'Error', message: 'boom?token=[redacted]', config: { headers: { Authorization: '[redacted]', Accept: '*/*' }, data: '{"password":"[redacted]","city":"Bern"}', url: 'https://h/?api_key=[redacted]&q=1', max: 5 }, stack: /postgres:\/\/\[redacted\]@db/ } },
    { err: { aggregateErrors: [{ message: 'password=[redacted]' }, {}] } },
    { list: [[{ PRIVATE_KEY: '[redacted]', client_secret: '[redacted]', n: 1, ok: true }]], msg: 'Bearer [redacted]' }
  ])
})

t.test('what no credential stands in is left as it was, JSON in a text included', async t => {
  const text = '{ "note" : 1 }'
  t.match(logged(log => log.info({ text, other: '{"key', big: 1.5, yes: true, none: null, max_tokens: 5, author: 'me', token_count: 2 })), [{ text, other: '{"key', big: 1.5, yes: true, none: null, max_tokens: 5, author: 'me', token_count: 2 }])
  t.match(logged(log => log.info({ text: '{ "max_tokens" : 1 }' })), [{ text: '{"max_tokens":1}' }], 'or only its white space goes')
  const twice = '{"text":"{\\"token\\":\\"hunter\\",\\"token\\":null}"}\n'
  t.notMatch(redactLine(twice), /hunter/, 'a key sent twice')
})

t.test('no value can write a line of its own, or what a terminal obeys', async t => {
  const hostile = 'a\n{"level":50,"msg":"forged"}\r\u001b[31m\u009b31m\u2028\u202e'
  const raw: string[] = []
  const log = pino({ base: null, timestamp: false, hooks: { streamWrite: redactLine } }, { write: line => { raw.push(line) } })
  log.child({ bound: hostile }).info({ [hostile]: hostile, password: hostile }, hostile)
  t.equal(raw.length, 1)
  // eslint-disable-next-line no-control-regex
  t.notMatch(raw[0]!.slice(0, -1), /[\x00-\x1f\x7f-\x9f\u2028\u202e]/)
  t.match(JSON.parse(raw[0]!), { level: 30, bound: hostile, [hostile]: hostile, password: '[redacted]', msg: hostile })
})

t.test('what a running call keeps unlogged is in no line, but the line keeps its frame', async t => {
  const forget = keepUnlogged({ redact: createRedactor(['4111111111111111', 'level', 'requestId-1', 'short']), names: new Set(['cvv']) })
  const lines = logged(log => {
    log.child({ requestId: 'requestId-1' }).info({ card: 4111111111111111, CVV: '123', text: 'cvv=123, 4111111111111111', short: 1 }, 'paid with 4111111111111111')
    log.info({ insured: true, cvv: true }, 'ordinary')
    log.info('level')
    log.info({ cavity: 1 }, 'nothing')
    log.info({ cvv: { a: 1 } })
    log.info({ requestId: 1 }, 'of level')
  })
  t.strictSame(lines, [
    { level: 30, requestId: 'requestId-1', card: '[redacted]', CVV: '[redacted]', text: 'cvv=[redacted], [redacted]', '[redacted]': 1, msg: 'paid with [redacted]' },
    { level: 30, insured: true, cvv: '[redacted]', msg: 'ordinary' },
    { level: 30, msg: '[redacted]' },
    { level: 30, cavity: 1, msg: 'nothing' },
    { level: 30, cvv: '[redacted]' },
    { level: 30, requestId: 1, msg: 'of [redacted]' }
  ])
  t.equal(redactLine('"4111111111111111"\n'), '"[redacted]"\n', 'a line that is no record')
  t.equal(redactKnown('4111111111111111'), '4111111111111111', 'answers are not touched')
  forget()
  t.match(logged(log => log.info({ cvv: '123' }, 'paid with 4111111111111111')), [{ cvv: '123', msg: 'paid with 4111111111111111' }])
})

t.test('a field whose values are too short to be looked for is kept out by its name', async t => {
  t.teardown(keepUnlogged({ redact: text => text, names: new Set(['cvv']) }))
  t.match(logged(log => { log.info({ Cvv: '123' }); log.info({ cv: '123' }) }), [{ Cvv: '[redacted]' }, { cv: '123' }])
})

t.test('a line that cannot be looked through is left out, and nothing is stopped', async t => {
  t.teardown(keepSecrets(createRedactor(['secret-three'])))
  for (const line of ['not JSON: secret-three\n', 'password=hunter\n', `{"password":${'['.repeat(60_000)}${']'.repeat(60_000)},"a":${'['.repeat(60_000)}${']'.repeat(60_000)}}\n`]) {
    t.match(JSON.parse(redactLine(line)), { level: 50, msg: /left out/ })
  }
  t.match(JSON.parse(redactLine('{"password":"a","text":"\ud800"}\n')), { password: '[redacted]', text: '\ud800' }, 'half a character is no failure')
  t.teardown(keepSecrets(() => { throw new Error('broken') }))
  t.match(JSON.parse(redactLine('{"msg":"hi"}\n')), { level: 50 })
})

t.test('a very long line is shortened, and is looked through in no time', async t => {
  t.teardown(keepUnlogged({ redact: createRedactor(['98765']), names: new Set() }))
  let line: ReturnType<typeof logged>[number] | undefined
  const took = cpuMs(() => { [line] = logged(log => log.child({ requestId: 'r-1' }).error({ token: 'hunter', pin: '98765', text: 'key='.repeat(250_000) }, 'broken')) })
  t.strictSame(line, { level: 50, requestId: 'r-1', token: '[redacted]', pin: '[redacted]', text: '[left out: too long]', msg: 'broken', shortened: line!.shortened })
  t.match(line!.shortened, /^The line had 10\d+ characters\.$/)
  t.ok(took < 2_000)
})

t.test('bytes and names are looked through too', async t => {
  t.teardown(keepUnlogged({ redact: createRedactor(['98765', 'message']), names: new Set() }))
  t.match(logged(log => { log.info({ body: Buffer.from('pin 98765'), m: { 98765: 1 } }); log.info({ m: { message: 'b' } }) }), [{ body: { type: 'Buffer', data: '[redacted]' }, m: { '[redacted]': 1 } }, { m: { message: 'b' } }])
})
