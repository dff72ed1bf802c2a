import { Type } from '@sinclair/typebox'
import { defineCapability } from 'candor'
import t, { type Test } from 'tap'
import { build, call, type LogLine } from '../fixtures/build.js'
import { closedPort, fakeUpstream, rawAnswer } from '../fixtures/fake-upstream.js'
import { listen, request, sendRaw } from '../fixtures/raw.js'

process.on('warning', warning => t.fail(warning.message))

const input = Type.Object({
  way: Type.Optional(Type.String({ description: 'How to fail.' })),
  pin: Type.Optional(Type.String({ description: 'A secret.', minLength: 4, 'x-candor-sensitive': true })),
  cvv: Type.Optional(Type.String({ description: 'A short secret.', 'x-candor-sensitive': true })),
  cards: Type.Optional(Type.Array(Type.Object({ number: Type.Union([Type.Integer(), Type.Null()], { description: 'Another.', 'x-candor-sensitive': true }) })))
})
const output = Type.Object({ echo: Type.Optional(Type.String()) })
const base = { description: 'Fails as told.', effect: 'read', evidence: 'none', input, output, examples: [{ input: { way: 'sql' } }] } as const

/** All that a service shows to anybody, as one text: every form of discovery, metrics, health and the log. */
async function allShown (app: Awaited<ReturnType<typeof build>>['app'], lines: readonly LogLine[]): Promise<string> {
  const pages = await Promise.all(['/metrics', '/openapi.json', '/api/capabilities', '/api/capabilities?format=mcp', '/health', '/ready', '/docs'].map(async url => (await app.inject(url)).body))
  return [...pages, JSON.stringify(lines)].join('\n')
}

async function overMcp (app: Awaited<ReturnType<typeof build>>['app'], name: string, args: object): Promise<string> {
  const response = await app.inject({
    method: 'POST',
    url: '/mcp',
    headers: { accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-11-25', host: 'localhost' },
    payload: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }
  })
  return `${JSON.stringify(response.headers)}\n${response.body}`
}

// G2: the key is in the URL, in the header, in the exception, or echoed by the upstream.
t.test('a secret of an upstream is in no answer, header, log line, metric or document', async t => {
  const SECRETS = /SECRET\d|U0VDUkVU/
  const upstream = await fakeUpstream(t, (socket, _, text) => {
    const [, path = ''] = text.split(' ')
    if (path.includes('/echo')) socket.end(rawAnswer(400, { 'content-type': 'application/json' }, JSON.stringify({ message: `Bad request: ${path} with ${text}` })))
    else if (path.includes('/moved')) socket.end(rawAnswer(302, { location: '/?key=SECRET1' }))
    else if (path.includes('/html')) socket.end(rawAnswer(500, { 'content-type': 'text/html' }, `<html>${text}</html>`))
    else if (path.includes('/cut')) { socket.write(rawAnswer(200, { 'content-length': '999' }, '{"key":"SECRET1')); socket.end() } else socket.end(rawAnswer(200, { 'content-type': 'application/json' }, JSON.stringify({ echo: text })))
  })
  const dead = await closedPort()
  const ways = ['/echo', '/moved', '/html', '/cut', '/ok'] as const
  const { app, lines } = await build(t, {
    upstreams: {
      live: { baseUrl: `http://user:SECRET2@127.0.0.1:${upstream.port}/v1?key=SECRET1`, headers: { 'x-api-key': 'SECRET4' } },
      dead: { baseUrl: `http://user:SECRET2@127.0.0.1:${dead}/v1?key=SECRET1` },
      token: { baseUrl: upstream.url, auth: () => 'sk-live-SECRET3\n' }
    },
    capabilities: [defineCapability({
      ...base,
      name: 'ask',
      evidence: 'upstream',
      upstreams: ['live', 'dead', 'token'],
      async handler ({ way = '' }, call) {
        call.log.info({ headers: { 'X-Api-Key': 'SECRET4' }, url: `http://user:SECRET2@127.0.0.1:${upstream.port}/v1?key=SECRET1` }, 'about to ask with SECRET1')
        if (way === 'dead' || way === 'token') await call.upstream(way).get('/x')
        if (way === 'header') new Headers({ authorization: 'Bearer sk-live-SECRET3\nx' }).get('x')
        if (way === 'fetch') await fetch(`http://user:SECRET2@127.0.0.1:${upstream.port}/?key=SECRET1`)
        return { echo: JSON.stringify((await call.upstream('live').get(way)).data) }
      }
    })]
  })
  for (const way of [...ways, 'dead', 'token', 'header', 'fetch']) {
    const { status, headers, body } = await call(app, 'ask', { way })
    t.equal(status === 200, ['/ok', '/moved'].includes(way), way)
    t.notMatch(JSON.stringify([headers, body]), SECRETS, way)
    t.notMatch(await overMcp(app, 'ask', { way }), SECRETS, way)
  }
  t.match(lines.filter(({ msg }) => msg.startsWith('about')), Array.from({ length: 18 }, () => ({ headers: { 'X-Api-Key': '[redacted]' }, msg: 'about to ask with [redacted]' })))
  t.notMatch(await allShown(app, lines), SECRETS)
})

// G1: the 500 tells too much.
const HOSTILE: Readonly<Record<string, () => unknown>> = {
  sql: () => new Error('duplicate key value violates "users_email_key" DETAIL: (email)=(a@b.c)'),
  status: () => Object.assign(new Error('INSIDE of x'), { statusCode: 400, stack: 'INSIDE at /srv/app.js:1:1' }),
  cause: () => new Error('INSIDE', { cause: Object.assign(new Error('connect postgres://app:HUNTER@db.internal:5432/shop'), { config: { headers: { Authorization: 'Bearer HUNTER' }, data: '{"password":"HUNTER"}' } }) }),
  json: () => ({ message: 'INSIDE', toJSON: () => ({ all: 'INSIDE', password: 'HUNTER' }) }),
  many: () => new AggregateError([new Error('password=HUNTER'), new Error('INSIDE')], 'INSIDE'),
  text: () => 'INSIDE, api_key=HUNTER'
}

t.test('what is thrown by accident is a fixed text with a request id; the log has the cause, without credentials', async t => {
  const { app, lines } = await build(t, { capabilities: [defineCapability({ ...base, name: 'fail', handler: ({ way = '' }) => { throw HOSTILE[way]!() } })] })
  app.post('/plain', async request => { throw HOSTILE[(request.body as { way: string }).way]!() })
  app.post('/keyword', { schema: { body: {} }, validatorCompiler: () => () => { throw new Error('INSIDE: SELECT a FROM b') } }, async () => ({}))
  for (const way of Object.keys(HOSTILE)) {
    for (const url of ['/api/capabilities/fail', '/plain']) {
      const before = lines.length
      const response = await app.inject({ method: 'POST', url, payload: { way } })
      const { error } = response.json()
      t.match({ status: response.statusCode, error }, { status: 500, error: { code: 'INTERNAL_ERROR', retryable: false, message: 'The tool ran into an error of its own. Your input is not the reason.' } }, `${way} ${url}`)
      t.notMatch(JSON.stringify([response.headers, response.body]), /INSIDE|HUNTER|users_email|a@b\.c|srv/)
      t.match(lines.slice(before).filter(({ code }) => code !== undefined), [{ code: 'INTERNAL_ERROR', requestId: error.details.request_id, err: { message: way === 'sql' ? /users_email/ : /INSIDE/ } }], 'the log has the cause, once')
    }
  }
  const keyword = await app.inject({ method: 'POST', url: '/keyword', payload: {} })
  t.match([keyword.statusCode, keyword.json()], [500, { error: { code: 'INTERNAL_ERROR' } }])
  t.notMatch(keyword.body, /INSIDE|SELECT/)
  t.notMatch(JSON.stringify(lines), /HUNTER/)
})

t.test('an upstream that sends a traceback, SQL or its address is quoted only as far as it speaks to its callers', async t => {
  const bodies: Record<string, string> = {
    python: 'Payment refused.\nTraceback (most recent call last):\n  File "/srv/pay.py", line 10, in pay\n    raise INSIDE',
    sql: 'syntax error at or near "INSIDE": SELECT id FROM users',
    host: 'Could not reach http://payments.internal:8080/INSIDE'
  }
  const upstream = await fakeUpstream(t, (socket, _, text) => { const way = /GET \/(\w+)/.exec(text)![1]!; socket.end(rawAnswer(400, { 'content-type': 'text/plain' }, bodies[way])) })
  const { app } = await build(t, {
    upstreams: { up: { baseUrl: upstream.url } },
    capabilities: [defineCapability({ ...base, name: 'ask', evidence: 'upstream', upstreams: ['up'], handler: async ({ way = '' }, call) => ({ echo: String((await call.upstream('up').get(`/${way}`)).data) }) })]
  })
  const quoted = async (way: string): Promise<unknown> => {
    const { body } = await call(app, 'ask', { way })
    t.notMatch(JSON.stringify(body), /INSIDE|Traceback|internal:/)
    return body.error.details.api_error
  }
  t.equal(await quoted('python'), '"Payment refused"')
  t.equal(await quoted('sql'), undefined)
  t.equal(await quoted('host'), '"Could not reach http://"')
})

t.test('who logs in where is in no failure, whoever wrote it', async t => {
  const { app } = await build(t, {
    capabilities: [defineCapability({ ...base, name: 'fail', errors: { NOT_THERE: { category: 'NOT_FOUND', description: 'x', hint: 'See https://u:HUNTER@h/x.' } }, handler: (_, call) => { throw call.error('NOT_THERE', { message: `${'x'.repeat(480)} redis://:HUNTER@cache:1`, details: { tried: 'redis://:HUNTER@cache:1' } }) } })]
  })
  const { body } = await call(app, 'fail', {})
  t.notMatch(JSON.stringify(body), /HUNT/)
  t.match(body.error.details, { tried: 'redis://[redacted]@cache:1', hint: 'See https://[redacted]@h/x.' })
})

function sensitiveTool (handler: (input: any, call: any) => unknown, check?: (input: any) => any) {
  return defineCapability({ ...base, name: 'pay', errors: { DECLINED: { category: 'INPUT_ERROR', description: 'x', hint: 'Ask.' } }, check, handler: handler as never })
}

const PAYMENT = { pin: 'pin-98765', cvv: '123', cards: [{ number: 4111111111111111 }, { number: null }] }

/** Without request ids and times: by chance they hold any digits. */
function textOf (shown: unknown): string {
  return JSON.stringify(shown).replace(/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g, 'id').replace(/"(?:time|pid)":\d+/g, '"at":0')
}

async function isUnseen (t: Test, shown: unknown, what: string): Promise<void> {
  t.notMatch(textOf(shown), /98765|4111|"123"|'123'|=123/, what)
}

t.test('sensitive input is in no log line and no failure, however the handler spreads it; in a success it stays', async t => {
  const upstream = await fakeUpstream(t, (socket, _, text) => socket.end(rawAnswer(400, { 'content-type': 'application/json' }, JSON.stringify({ message: `No such pin: ${/pin=([^ ]+)/.exec(text)![1]}` }))))
  const { app, lines } = await build(t, {
    upstreams: { up: { baseUrl: upstream.url } },
    capabilities: [
      sensitiveTool(async ({ way, pin, cvv, cards }, call) => {
        call.log.info({ input: { pin, cvv, cards }, text: `cvv=${cvv}, {"cvv":"${cvv}"}` }, `paying with ${pin} and ${cards[0].number}`)
        app.log.info(`elsewhere: ${pin}`)
        if (way === 'ok') return { echo: `${pin} ${cards[0].number}` }
        if (way === 'error') throw call.error('DECLINED', { message: `Pin ${pin} of ${cards[0].number} is wrong.`, details: { tried: [pin, encodeURIComponent(pin)] } })
        throw new Error(`cannot pay with ${pin}`, { cause: new Error(Buffer.from(pin).toString('base64')) })
      }),
      defineCapability({ ...base, name: 'ask', evidence: 'upstream', upstreams: ['up'], handler: async ({ pin = '' }, call) => ({ echo: String((await call.upstream('up').get('/', { query: { pin } })).data) }) })
    ]
  })
  for (const way of ['error', 'throw']) {
    await isUnseen(t, (await call(app, 'pay', { ...PAYMENT, way })).body, way)
    await isUnseen(t, await overMcp(app, 'pay', { ...PAYMENT, way }), way)
  }
  const quoted = await call(app, 'ask', PAYMENT)
  t.match(quoted.body.error.details.api_error, '"No such pin: [redacted]"')
  t.match((await call(app, 'pay', { ...PAYMENT, way: 'ok' })).body, { success: true, data: { echo: 'pin-98765 4111111111111111' } })
  await isUnseen(t, lines, 'the log')
  t.notMatch(JSON.stringify(lines), Buffer.from(PAYMENT.pin).toString('base64'))
  t.match(lines, [{ input: { pin: '[redacted]', cvv: '[redacted]', cards: [{ number: '[redacted]' }, { number: null }] }, text: 'cvv=[redacted], {"cvv":"[redacted]"}', msg: 'paying with [redacted] and [redacted]' }, { msg: 'elsewhere: [redacted]' }])
  await new Promise(resolve => setImmediate(resolve))
  app.log.info(PAYMENT.pin)
  t.equal(lines.at(-1)!.msg, PAYMENT.pin, 'when no call has it, it is a text as any other')
})

t.test('sensitive input is in no name that a handler makes, and not in what it says beside a success', async t => {
  const { app, lines } = await build(t, {
    capabilities: [sensitiveTool(({ way, pin }, call) => {
      call.log.info({ m: { [pin]: 1 }, bytes: Buffer.from(`pin is ${pin}`) }, 'made')
      if (way === 'error') throw call.error('DECLINED', { message: 'No.', details: { [pin]: 'x' } })
      call.empty({ searched: `cards of ${pin}`, widen: `Leave out ${pin}.` })
      return { echo: pin }
    })]
  })
  const failed = await call(app, 'pay', { ...PAYMENT, way: 'error' })
  t.match(failed.body.error.details, { '[redacted]': 'x' })
  await isUnseen(t, failed.body, 'a name')
  const { body } = await call(app, 'pay', { ...PAYMENT, way: 'ok' })
  t.match(body, { data: { echo: 'pin-98765' }, meta: { empty: { searched: 'cards of [redacted]', widen: 'Leave out [redacted].' } } })
  await isUnseen(t, lines, 'the log')
  t.match(lines.find(({ msg }) => msg === 'made'), { m: { '[redacted]': 1 }, bytes: { type: 'Buffer', data: '[redacted]' } })
})

t.test('sensitive input that is refused is not echoed', async t => {
  const seen: string[] = []
  const { app, lines } = await build(t, {
    capabilities: [sensitiveTool(() => ({}), ({ pin }) => pin === 'pin-98765' ? [{ field: 'pin', rule: 'known', expected: `another pin than ${pin}`, received: `the string "${pin}"`, nearest: `${pin}x` }, { field: 'way', rule: 'known', expected: `not ${pin}` }] : [])]
  })
  for (const wrong of [
    PAYMENT, { pin: 98765 }, { pin: ['pin-98765'] }, { pin: { a: 'pin-98765' } }, { pin: '987' }, { cards: 'number 4111111111111111' }, { cards: [{ number: '4111111111111111' }] }, { cards: [{ number: 4111.5 }] }, { cards: [{ number: { a: '4111' } }] },
    { cards: [{ numbr: '4111111111111111' }] }, { cvv: 123 }, { pin: 'pin-98765', way: 5 }, { pni: 'pin-98765' }
  ]) {
    const { status, body } = await call(app, 'pay', wrong)
    t.equal(status, 400, JSON.stringify(wrong))
    await isUnseen(t, body, JSON.stringify(wrong))
    t.notMatch(textOf(body), /987/)
    seen.push(body.error.details.field)
  }
  t.strictSame([...new Set(seen)].includes(undefined as never), false, 'each is told which field')
  await isUnseen(t, lines, 'the log')
})

t.test('a handler that runs on after its call was answered is still kept from the log', async t => {
  let goOn!: () => void
  const released = new Promise<void>(resolve => { goOn = resolve })
  const { app, lines } = await build(t, { capabilities: [{ ...sensitiveTool(async ({ pin }, call) => { await released; call.log.info(`late: ${pin}`); return {} }), timeoutMs: 30 }] })
  t.equal((await call(app, 'pay', PAYMENT)).status, 504)
  goOn()
  await new Promise(resolve => setImmediate(resolve))
  t.match(lines.find(({ msg }) => msg.startsWith('late')), { msg: 'late: [redacted]' })
})

// G6: ids and text that forge the log.
t.test('an id or a trace that is not fit to be repeated is replaced, and nothing forges a line', async t => {
  const { app, lines } = await build(t, { capabilities: [defineCapability({ ...base, name: 'fail', handler: ({ way }, call) => { call.log.warn({ way, nested: { way } }, way!); throw new Error(way) } })] })
  const port = await listen(app)
  const body = '{"way":"a"}'
  const isOwn = (id: string | undefined): boolean => /^[\da-f-]{36}$/.test(id ?? '')
  for (const id of ['x'.repeat(10_000), 'a b', '<script>', 'é', 'a\tb', '{"level":50}']) {
    for (const more of [{ traceparent: id.slice(0, 100) }, { traceparent: '00-zz-zz-01' }]) {
      const answer = await sendRaw(port, request('POST', '/api/capabilities/fail', { 'x-request-id': id, ...more }, body))
      t.equal(answer.status, 500)
      t.ok(isOwn(answer.headers['x-request-id']), id.slice(0, 20))
      t.equal(JSON.parse(answer.body).error.details.request_id, answer.headers['x-request-id'])
      t.equal(lines.at(-1)!.requestId, answer.headers['x-request-id'])
    }
  }
  const twice = await sendRaw(port, `POST /api/capabilities/fail HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\nx-request-id: one\r\nx-request-id: two\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`)
  t.ok(isOwn(twice.headers['x-request-id']))
  const before = lines.length
  const hostile = 'a\r\n{"level":60,"msg":"forged"}\u001b[2J\u009b2J\u2028<script>\ud800'
  const { status } = await call(app, 'fail', { way: hostile })
  t.equal(status, 500)
  t.match(lines.slice(before), [{ level: 40, msg: /^a\r\n/ }, { level: 50, code: 'INTERNAL_ERROR' }], 'one line each, as the collector reads them')
  t.equal(lines.length, before + 2)
})
