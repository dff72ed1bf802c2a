import Fastify from 'fastify'
import t, { type Test } from 'tap'
import { honesty, serverOptions, toolReplies, type HonestyPluginOptions } from 'candor'
import { build, type LogLine } from '../fixtures/build.js'
import { fakeUpstream, rawAnswer } from '../fixtures/fake-upstream.js'
import { collector } from '../fixtures/log.js'

/** A plain app whose routes ask `url` with fetch. */
async function plain (t: Test, options: HonestyPluginOptions = {}) {
  const { lines, stream } = collector()
  const app = Fastify({ ...serverOptions, logger: { stream } })
  t.teardown(() => app.close())
  await app.register(toolReplies)
  await app.register(honesty, options)
  return { app, lines: lines as LogLine[] }
}

const down = (t: Test) => fakeUpstream(t, socket => socket.write(rawAnswer(503, { 'retry-after': '7' })))
const up = (t: Test) => fakeUpstream(t, socket => socket.write(rawAnswer(200, { 'content-type': 'application/json' }, '{"rate":1.1}')))

t.test('a route that catches a failure and answers with something else is refused; the log says which line contradicts it', async t => {
  const fake = await down(t)
  const { app, lines } = await plain(t, { upstreams: { rates: { baseUrl: fake.url } } })
  app.get('/rate', async (_, reply) => {
    const response = await fetch(`${fake.url}/latest?key=SECRET`)
    const body = await response.json().catch(() => ({ rate: 1 }))
    return reply.sendToolSuccess(body)
  })
  const response = await app.inject('/rate')
  t.equal(response.statusCode, 502)
  t.equal(response.headers['retry-after'], '7')
  t.match(response.json(), { success: false, error: { code: 'UPSTREAM_UNAVAILABLE', details: { rejected: 'masked_failure', upstream: 'rates', request_id: String } } })
  const refused = lines.filter(({ rule }) => rule === 'masked-failure')
  t.match(refused, [{ level: 50, requestId: response.json().error.details.request_id, evidence: { upstream: 'rates', method: 'GET', url: `${fake.url}/latest`, status: 503 } }])
  t.equal(refused.length, 1)
})

t.test('an honest route is left alone, and one that says what is missing', async t => {
  const [good, bad] = [await up(t), await down(t)]
  const { app } = await plain(t, { upstreams: { rates: { baseUrl: good.url }, news: { baseUrl: bad.url } } })
  app.get('/rate', async (_, reply) => reply.sendToolSuccess(await (await fetch(good.url)).json()))
  app.get('/both', async (_, reply) => {
    const data = await (await fetch(good.url)).json()
    await (await fetch(bad.url)).text()
    return reply.sendToolSuccess(data, { partial: [{ source: 'news', code: 'UPSTREAM_UNAVAILABLE', message: 'No news.' }] })
  })
  t.match((await app.inject('/rate')).json(), { success: true, data: { rate: 1.1 } })
  t.match((await app.inject('/both')).json(), { success: true, meta: { partial: [{ source: 'news' }] } })
})

t.test('a failure of a host that nobody configured is a warning in the answer and in the log', async t => {
  const fake = await down(t)
  const { app, lines } = await plain(t)
  app.get('/x', async (_, reply) => {
    await (await fetch(fake.url)).text()
    return reply.sendToolSuccess({ ok: true })
  })
  t.match((await app.inject('/x')).json(), { success: true, meta: { warnings: [{ rule: 'masked-failure', source: 'unlabelled', code: 'UPSTREAM_UNAVAILABLE' }] } })
  t.match(lines.find(({ rule }) => rule === 'masked-failure'), { level: 40 })
})

t.test('made-up data and no data are refused, or a warning where a route says so', async t => {
  const { app } = await plain(t)
  app.get('/mock', async (_, reply) => reply.sendToolSuccess({ temperature: 21, source: 'mock' }))
  app.get('/mock/allowed', { config: { honesty: { 'mock-marker': 'warn' } } }, async (_, reply) => reply.sendToolSuccess({ temperature: 21, source: 'mock' }))
  app.get('/nothing', async (_, reply) => reply.sendToolSuccess(undefined))
  app.get('/nothing/allowed', { config: { honesty: { 'no-result': 'off' } } }, async (_, reply) => reply.sendToolSuccess(undefined))
  app.get('/never', { config: { honesty: { 'output-schema': 'off' } } }, async (_, reply) => reply.sendToolSuccess(10n))
  t.match((await app.inject('/mock')).json(), { error: { code: 'MOCK_DATA_REJECTED', details: { rule: /source/ } } })
  t.match((await app.inject('/mock/allowed')).json(), { success: true, meta: { warnings: [{ rule: 'mock-marker', code: 'MOCK_DATA_REJECTED' }] } })
  t.match((await app.inject('/nothing')).json(), { error: { code: 'EMPTY_HANDLER_RESULT' } })
  t.match((await app.inject('/nothing/allowed')).json(), { success: true, data: null })
  t.match((await app.inject('/never')).json(), { error: { code: 'OUTPUT_INVALID' } })
})

t.test('a route of a service is checked against the upstreams of the service', async t => {
  const fake = await down(t)
  const { app } = await build(t, { capabilities: [], upstreams: { rates: { baseUrl: fake.url } } })
  app.post('/pay', async (_, reply) => {
    await fetch(`${fake.url}/pay`, { method: 'POST' }).catch(() => {})
    return reply.sendToolSuccess({ paid: true })
  })
  const response = await app.inject({ method: 'POST', url: '/pay' })
  t.equal(response.statusCode, 500)
  t.match(response.json(), { error: { code: 'UPSTREAM_UNAVAILABLE', retryable: false, details: { rejected: 'masked_failure', outcome: 'unknown', next_action: 'escalate' } } })
})

t.test('two requests at once are not answered with each other\'s failure', async t => {
  const fake = await fakeUpstream(t, (socket, _, text) => { setTimeout(() => socket.write(rawAnswer(text.includes('/bad') ? 503 : 200)), 20) })
  const { app } = await plain(t, { upstreams: { source: { baseUrl: fake.url } } })
  app.get<{ Params: { how: string } }>('/:how', async (request, reply) => {
    await (await fetch(`${fake.url}/${request.params.how}`)).text()
    return reply.sendToolSuccess({})
  })
  const answers = await Promise.all(Array.from({ length: 40 }, (_, index) => app.inject(index % 2 === 0 ? '/good' : '/bad')))
  t.strictSame(answers.map(({ statusCode }) => statusCode), answers.map((_, index) => index % 2 === 0 ? 200 : 502))
})

t.test('a hook that calls back from elsewhere does not hide what its route does', async t => {
  const fake = await down(t)
  const { app } = await plain(t, { upstreams: { rates: { baseUrl: fake.url } } })
  const waiting: Array<() => void> = []
  const timer = setInterval(() => { for (const go of waiting.splice(0)) go() }, 10)
  t.teardown(() => clearInterval(timer))
  app.get('/x', { preHandler: (_request, _reply, done) => { waiting.push(done) } }, async (_, reply) => {
    await (await fetch(fake.url)).text()
    return reply.sendToolSuccess({})
  })
  t.match((await app.inject('/x')).json(), { error: { code: 'UPSTREAM_UNAVAILABLE' } })
})

t.test('a write that says it is done, and is refused, may have written what nobody saw', async t => {
  const fake = await down(t)
  const { app } = await plain(t, { upstreams: { rates: { baseUrl: fake.url } } })
  app.post('/x', async (_, reply) => {
    await (await fetch(fake.url)).text()
    return reply.sendToolSuccess({})
  })
  t.match((await app.inject({ method: 'POST', url: '/x' })).json(), { error: { retryable: false, details: { outcome: 'unknown' } } })
})

t.test('a mistake in the rules stops the start, and says where', async t => {
  await t.rejects(plain(t, { honesty: { evidnce: 'warn' } as never }), /Expected in honesty `honesty` to have only known rules/)
  const { app } = await plain(t)
  t.throws(() => app.get('/x', { config: { honesty: { evidence: 'maybe' } as never } }, async () => 1), /Expected in config of \/x `honesty\['evidence'\]`/)
})
