import t, { type Test } from 'tap'
import { Type } from '@sinclair/typebox'
import { defineCapability, type UpstreamOptions } from 'candor'
import { callCapability } from '../../../src/testing/call-capability.js'
import { fakeUpstreams } from '../../../src/testing/fake-upstreams.js'
import { build } from '../../fixtures/build.js'

interface Asking { method?: 'get' | 'post', path?: string, query?: Record<string, string | string[]>, options?: object }

/** Asks `rates` what its input says, and answers with what came. */
async function service (t: Test, options: Partial<UpstreamOptions> = {}) {
  const ask = (name: string, effect: 'read' | 'write') => defineCapability({
    name,
    description: 'Asks.',
    effect,
    upstreams: ['rates'],
    input: Type.Object({}, { additionalProperties: true }),
    output: Type.Unknown(),
    async handler (input, call) {
      const { method = 'get', path = '/v1/latest', query, options } = input as Asking
      return (await call.upstream('rates')[method](path, { query, ...options })).data ?? null
    }
  })
  const { app, lines } = await build(t, { capabilities: [ask('ask', 'read'), ask('order', 'write')], upstreams: { rates: { baseUrl: 'http://rates.invalid', timeoutMs: 300, ...options }, other: { baseUrl: 'http://other.invalid' } } })
  return { app, lines, ask: async (input: Asking = {}) => await callCapability(app, 'ask', input), order: async (input: Asking = {}) => await callCapability(app, 'order', input) }
}

t.test('an answer counts as evidence', async t => {
  const { app, ask } = await service(t)
  const fake = fakeUpstreams(app, { rates: { 'GET /v1/latest': { json: { rate: 1.1 } } } })
  t.match(await ask(), { success: true, data: { rate: 1.1 }, meta: { sources: ['rates'] } })
  t.match(await ask(), { success: true }, 'one answer is for every time')
  fake.restore()
})

t.test('a failure is told as a real one is', async t => {
  const { app, ask, order } = await service(t)
  const fake = fakeUpstreams(app, { rates: { 'GET /v1/latest': [{ fails: 'refused' }, { status: 429, headers: { 'retry-after': '7' } }, { fails: 'silent' }], 'POST /v1/orders': [{ fails: 'reset' }, { fails: 'dns' }] } })
  t.match(await ask(), { status: 502, error: { code: 'UPSTREAM_UNREACHABLE', details: { phase: 'connect' } } })
  t.match(await ask(), { status: 429, error: { code: 'UPSTREAM_RATE_LIMITED', details: { retry_after: '7s' } } })
  t.match(await ask(), { status: 504, error: { code: 'UPSTREAM_TIMEOUT' } })
  const write = { method: 'post', path: '/v1/orders' } as const
  t.match(await order(write), { status: 500, error: { code: 'UPSTREAM_CONNECTION_LOST', details: { outcome: 'unknown' } } })
  t.match(await order(write), { status: 502, error: { code: 'UPSTREAM_UNREACHABLE', details: { outcome: 'not_applied' } } })
  fake.restore()
})

t.test('what was asked can be looked at', async t => {
  const { app, ask } = await service(t, { baseUrl: 'http://rates.invalid/api', headers: { 'X-Api-Key': 'secret' } })
  const fake = fakeUpstreams(app, { rates: () => ({ json: null }) })
  await ask({ query: { base: 'EUR', symbol: ['USD', 'GBP'] } })
  await ask({ method: 'post', options: { json: { amount: 1 } } })
  await ask({ method: 'post', options: { form: { amount: 1 } } })
  await ask({ method: 'post', options: { body: 'no JSON', headers: { 'content-type': 'application/json' } } })
  await ask({ method: 'post', options: { headers: { 'content-type': 'application/json' } } })
  t.match(fake.requests[0], { upstream: 'rates', method: 'GET', path: '/api/v1/latest', query: { base: 'EUR', symbol: ['USD', 'GBP'] }, headers: { 'x-api-key': 'secret' }, body: undefined })
  t.strictSame(fake.requests.slice(1).map(({ body }) => body), [{ amount: 1 }, 'amount=1', 'no JSON', undefined])
  fake.restore()
})

t.test('an answer can be made for the request', async t => {
  const { app, ask } = await service(t)
  const fake = fakeUpstreams(app, { rates: { 'GET /v1/latest': ({ query }) => query.base === 'EUR' ? { json: query } : undefined } })
  t.match(await ask({ query: { base: 'EUR' } }), { data: { base: 'EUR' } })
  t.match(await ask({ query: { base: 'USD' } }), { success: false })
  t.throws(() => fake.restore(), /GET \/v1\/latest/)
})

t.test('a request that nobody expected is an error of the call, is listed, and fails the test', async t => {
  const { app, ask, lines } = await service(t)
  const fake = fakeUpstreams(app, { rates: { 'GET /v1/latest': { json: 1 }, 'GET /v1/currencies': [{ json: 2 }] } })
  t.match(await ask({ path: '/v1/currencies' }), { data: 2 })
  t.match(await ask({ path: '/v1/currencies' }), { status: 500, error: { code: 'INTERNAL_ERROR' } })
  t.match(await ask({ path: '/v1/latst' }), { status: 500, error: { code: 'INTERNAL_ERROR' } })
  t.match(await ask({ path: '/toString' }), { status: 500, error: { code: 'INTERNAL_ERROR' } })
  t.strictSame(fake.unexpected.map(({ path }) => path), ['/v1/currencies', '/v1/latst', '/toString'])
  t.ok(lines.some(({ err }) => err?.message.includes('/v1/latst') || JSON.stringify(err).includes('/v1/latst')), 'the log says so too')
  t.throws(() => fake.restore(), new Error([
    "Upstream 'rates' was asked GET /v1/currencies more often than it has answers.",
    "Upstream 'rates' was asked GET /v1/latst, which has no answer (GET /v1/latest, GET /v1/currencies have). Did you mean 'GET /v1/latest'?",
    "Upstream 'rates' was asked GET /toString, which has no answer (GET /v1/latest, GET /v1/currencies have)."
  ].join('\n')))
})

t.test('what can be answered is said, one answer or none', async t => {
  const { app, ask } = await service(t)
  for (const [answers, end] of [[{ 'GET /a': {} }, 'has no answer (GET /a has).'], [{}, 'has no answer.'], [() => undefined, 'has no answer.']] as const) {
    const fake = fakeUpstreams(app, { rates: answers })
    await ask({ path: '/somewhere/else' })
    t.throws(() => fake.restore(), { message: `Upstream 'rates' was asked GET /somewhere/else, which ${end}` })
  }
})

t.test('after restore the real upstream is asked', async t => {
  const { app, ask } = await service(t)
  const outer = fakeUpstreams(app, { rates: { 'GET /v1/latest': { json: 'outer' } } })
  const inner = fakeUpstreams(app, { rates: { 'GET /v1/latest': { json: 'inner' } } })
  t.match(await ask(), { data: 'inner' })
  inner.restore()
  t.match(await ask(), { data: 'outer' })
  outer.restore()
  outer.restore()
  t.match(await ask(), { error: { code: 'UPSTREAM_UNREACHABLE' } })
  t.equal(outer.requests.length, 1)
})

t.test('a label, a key or a failure that cannot be meant is a mistake', async t => {
  const { app } = await service(t)
  t.throws(() => fakeUpstreams(app, { rate: {} }), new TypeError("Expected an upstream that there is (rates, other), got 'rate'. Did you mean 'rates'?"))
  for (const key of ['/v1/latest', 'get /v1/latest', 'GET v1/latest', 'GET /v1/latest?base=EUR']) t.throws(() => fakeUpstreams(app, { rates: { [key]: {} } }), { name: 'TypeError', message: `Expected the answers of 'rates' by method and path without a query, as in 'GET /v1/latest', got '${key}'.` })
  t.throws(() => fakeUpstreams(app, { rates: { 'GET /a': [{ fails: 'refuse' as never }] } }), { name: 'TypeError', message: /Did you mean 'refused'/ })
})
