import t from 'tap'
import type { Test } from 'tap'
import { createProviders } from '../../../example-tools/providers/server.js'
import { currencyService } from '../../../example-tools/currency/tool.js'
import type { CurrencySettings } from '../../../example-tools/currency/tool.js'

// The currency tool in front of the simulated provider, over real sockets.
async function build (t: Test, settings: CurrencySettings = {}) {
  const providers = createProviders()
  const requests: URL[] = []
  // Before any hook: a fault answers in one.
  providers.server.prependListener('request', ({ url }) => { requests.push(new URL(url ?? '', 'http://providers')) })
  const origin = await providers.listen({ port: 0, host: '127.0.0.1' })
  const service = await currencyService({ ratesUrl: origin, ...settings })
  // What fails on purpose would fill the report.
  service.log.level = 'silent'
  t.teardown(async () => {
    await service.close()
    await providers.close()
  })
  return {
    requests,
    paths: () => requests.splice(0).map(({ pathname }) => pathname),
    fail: async (fault: object) => providers.inject({ method: 'POST', url: '/faults', payload: fault }).then(({ statusCode }) => {
      if (statusCode !== 201) throw new Error('The fault was not accepted.')
      requests.length = 0
    }),
    call: async (name: string, payload: object) => {
      const response = await service.inject({ method: 'POST', url: `/api/capabilities/${name}`, payload })
      return { status: response.statusCode, headers: response.headers, body: response.json() }
    },
    service
  }
}

t.test('a hundred euros in dollars, with rate, date and source, for one request', async t => {
  const { call, requests, paths } = await build(t)
  const { status, body } = await call('convert_currency', { amount: 100, from: 'EUR', to: 'USD' })
  t.equal(status, 200)
  t.same(body.data, {
    amount: 100,
    from: 'EUR',
    to: 'USD',
    rate: 1.1327,
    result: 113.27,
    unrounded: 113.27,
    date: '2026-11-27',
    source: 'European Central Bank reference rates, through Frankfurter'
  })
  t.same(body.meta.sources, ['rates'])
  t.same(Object.fromEntries(requests[0]!.searchParams), { base: 'EUR', symbols: 'USD' })
  t.same(paths(), ['/v1/latest'])
})

t.test('a code may be written in small letters', async t => {
  const { call } = await build(t)
  const { body } = await call('convert_currency', { amount: 1, from: ' eur', to: 'Usd' })
  t.match(body.data, { from: 'EUR', to: 'USD', result: 1.13, unrounded: 1.1327 })
})

t.test('a result is rounded half to even, to the smallest unit there is', async t => {
  const { call } = await build(t)
  for (const [input, result] of [
    [{ amount: 50, from: 'EUR', to: 'JPY' }, 8932], // 8931.5
    [{ amount: 150, from: 'EUR', to: 'JPY' }, 26794], // 26794.5
    [{ amount: 10, from: 'EUR', to: 'ISK' }, 1469],
    [{ amount: 0.1, from: 'EUR', to: 'HUF' }, 38.42], // 38.415
    [{ amount: 1, from: 'EUR', to: 'IDR' }, 19042]
  ] as const) {
    const { body } = await call('convert_currency', input)
    t.equal(body.data.result, result, JSON.stringify(input))
  }
})

t.test('an amount worth less than the smallest unit is 0, and what it is worth is said', async t => {
  const { call } = await build(t)
  const { body } = await call('convert_currency', { amount: 0.001, from: 'EUR', to: 'USD' })
  t.match(body.data, { result: 0, unrounded: 0.0011327 })
})

t.test('large amounts are exact or refused, never nearly right', async t => {
  const { call } = await build(t)
  const exact = await call('convert_currency', { amount: 1e21, from: 'EUR', to: 'USD' })
  t.equal(exact.body.data.result, 1132700000000000000000)
  for (const amount of [1e308, Number.MAX_SAFE_INTEGER]) {
    const { status, body } = await call('convert_currency', { amount, from: 'EUR', to: 'JPY' })
    t.equal(status, 400)
    t.match(body.error, { code: 'AMOUNT_TOO_LARGE', category: 'INPUT_ERROR', retryable: false })
  }
})

t.test('an amount that is not above 0 is refused for good: it is what the user said', async t => {
  const { call, paths } = await build(t)
  for (const amount of [0, -0, -5]) {
    const { status, body } = await call('convert_currency', { amount, from: 'EUR', to: 'USD' })
    t.equal(status, 400)
    t.match(body.error, {
      code: 'AMOUNT_NOT_POSITIVE',
      category: 'INPUT_ERROR',
      retryable: false,
      details: { field: 'amount', next_action: 'stop', hint: 'Ask the user which amount is meant; do not choose one.' }
    })
  }
  t.same(paths(), [])
})

t.test('an amount that is missing, or text, may be corrected', async t => {
  const { call } = await build(t)
  t.match((await call('convert_currency', { from: 'EUR', to: 'USD' })).body.error, { code: 'MISSING_REQUIRED_FIELD', retryable: true, details: { field: 'amount' } })
  t.match((await call('convert_currency', { amount: '100', from: 'EUR', to: 'USD' })).body.error, { code: 'INVALID_INPUT', retryable: true, details: { field: 'amount' } })
})

t.test('a code that is wrong twice over stays the second fault', async t => {
  const { call } = await build(t)
  const { body } = await call('convert_currency', { amount: -1, from: 'EURO', to: 'USD' })
  t.match(body.error, { code: 'AMOUNT_NOT_POSITIVE', retryable: false })
})

t.test('a misspelt currency can be corrected: the nearest codes, and how many there are', async t => {
  const { call, paths } = await build(t)
  for (const [field, input, nearest] of [
    ['from', { from: 'US Dollar', to: 'EUR' }, 'USD (United States Dollar)'],
    ['to', { from: 'USD', to: 'EURO' }, 'EUR (Euro)'],
    ['from', { from: 'pounds', to: 'USD' }, 'GBP (British Pound)']
  ] as const) {
    const { status, body } = await call('convert_currency', { amount: 1, ...input })
    t.equal(status, 404)
    t.match(body.error, { code: 'CURRENCY_NOT_SUPPORTED', category: 'NOT_FOUND', retryable: true, details: { field, supported: '30', next_action: 'fix_input' } })
    t.ok(body.error.message.includes(`'${input[field]}'`))
    t.equal(body.error.details.candidates.split('; ')[0], nearest)
    t.ok(body.error.details.candidates.split('; ').length <= 3)
    t.same(paths(), ['/v1/currencies'], 'what is no code is not sent')
  }
})

t.test('a code that exists nowhere, or not here, is not supported', async t => {
  const { call, paths } = await build(t)
  for (const from of ['QQQ', 'AED', 'BGN']) {
    const { body } = await call('convert_currency', { amount: 1, from, to: 'USD' })
    t.match(body.error, { code: 'CURRENCY_NOT_SUPPORTED', retryable: true, details: { field: 'from', supported: '30' } })
    t.same(paths(), ['/v1/latest', '/v1/currencies'])
  }
})

t.test('two misspelt currencies are both named', async t => {
  const { call } = await build(t)
  const { body } = await call('convert_currency', { amount: 1, from: 'US Dollar', to: 'EURO' })
  t.match(body.error.message, /'US Dollar', 'EURO'/)
  t.match(body.error.details.candidates, /^USD \(United States Dollar\); EUR \(Euro\)/)
})

t.test('the same currency twice is 1, and nobody is asked', async t => {
  const { call, paths } = await build(t)
  const { status, body } = await call('convert_currency', { amount: 12.345, from: 'eur', to: 'EUR' })
  t.equal(status, 200)
  t.match(body.data, { rate: 1, result: 12.34, unrounded: 12.345, date: null, source: 'none: the same currency twice' })
  t.same(paths(), [])
})

t.test('a currency that does not exist is not 1 of itself', async t => {
  const { call, paths } = await build(t)
  const { body } = await call('convert_currency', { amount: 1, from: 'QQQ', to: 'qqq' })
  t.match(body.error, { code: 'CURRENCY_NOT_SUPPORTED', details: { field: 'from' } })
  t.same(paths(), ['/v1/currencies'])
})

t.test('rates come all, or those asked for', async t => {
  const { call, requests } = await build(t)
  const all = await call('exchange_rates', { base: 'eur' })
  t.equal(Object.keys(all.body.data.rates).length, 29)
  t.match(all.body.data, { base: 'EUR', rates: { USD: 1.1327 }, date: '2026-11-27' })
  t.same(Object.fromEntries(requests[0]!.searchParams), { base: 'EUR' })
  const some = await call('exchange_rates', { base: 'EUR', symbols: ['usd', 'GBP', 'USD'] })
  t.same(some.body.data.rates, { GBP: 0.86475, USD: 1.1327 })
  const self = await call('exchange_rates', { base: 'EUR', symbols: ['EUR', 'USD'] })
  t.same(self.body.data.rates, { EUR: 1, USD: 1.1327 })
  const alone = await call('exchange_rates', { base: 'EUR', symbols: ['EUR'] })
  t.match(alone.body.data, { rates: { EUR: 1 }, date: null })
})

t.test('a rate that is missing among others is not passed over in silence', async t => {
  const { call } = await build(t)
  const { body } = await call('exchange_rates', { base: 'EUR', symbols: ['USD', 'QQQ'] })
  t.match(body.error, { code: 'CURRENCY_NOT_SUPPORTED', details: { field: 'symbols[1]' } })
})

t.test('the list of currencies has codes, names and a count', async t => {
  const { call } = await build(t)
  const { body } = await call('list_currencies', {})
  t.equal(body.data.count, 30)
  t.same(body.data.currencies.find(({ code }: { code: string }) => code === 'ISK'), { code: 'ISK', name: 'Icelandic Króna' })
})

t.test('a rate of another base, or of an amount, is no rate', async t => {
  const { call, fail } = await build(t)
  const good = { amount: 1, base: 'USD', date: '2026-11-27', rates: { EUR: 0.88285 } }
  for (const [body, code] of [
    [{ ...good, base: 'EUR' }, 'RATE_NOT_AVAILABLE'],
    [{ ...good, rates: {} }, 'RATE_NOT_AVAILABLE'],
    [{ ...good, rates: { GBP: 1 } }, 'RATE_NOT_AVAILABLE'],
    [{ ...good, amount: 100 }, 'UPSTREAM_INVALID_RESPONSE'],
    [{ ...good, rates: { EUR: 0 } }, 'UPSTREAM_INVALID_RESPONSE'],
    [{ ...good, rates: { EUR: '0.88' } }, 'UPSTREAM_INVALID_RESPONSE'],
    [{ base: 'USD', amount: 1, rates: { EUR: 0.88 } }, 'UPSTREAM_INVALID_RESPONSE']
  ] as const) {
    await fail({ path: '/v1/latest', mode: 'status', status: 200, body })
    const answer = await call('convert_currency', { amount: 1, from: 'USD', to: 'EUR' })
    t.equal(answer.status, 502)
    t.match(answer.body.error, { code, category: 'SERVICE_ERROR', retryable: true }, JSON.stringify(body))
  }
})

t.test('nothing in a code becomes a parameter or a path', async t => {
  const { call, requests } = await build(t)
  for (const to of ['USD&amount=5', '../currencies', 'USD,GBP', 'USD\r\nx: y', 'constructor', '__proto__', 'US%44']) {
    requests.length = 0
    const { body } = await call('convert_currency', { amount: 1, from: 'EUR', to })
    t.equal(body.error.code, 'CURRENCY_NOT_SUPPORTED', to)
    t.same(requests.map(({ pathname, search }) => pathname + search), ['/v1/currencies'], to)
  }
})

t.test('simulated rates show as simulated', async t => {
  const { call } = await build(t, { simulated: true })
  t.equal((await call('convert_currency', { amount: 1, from: 'EUR', to: 'USD' })).body.meta.simulated, true)
})

t.test('a 429 of the provider keeps its Retry-After', async t => {
  const { call, fail, paths } = await build(t)
  await fail({ path: '/v1/latest', status: 429, headers: { 'retry-after': '60' } })
  const { status, headers, body } = await call('convert_currency', { amount: 1, from: 'EUR', to: 'USD' })
  t.equal(status, 429)
  t.equal(headers['retry-after'], '60')
  t.match(body.error, { code: 'UPSTREAM_RATE_LIMITED', category: 'RATE_LIMIT', retryable: true, details: { retry_after: '60s', upstream: 'rates' } })
  t.same(paths(), ['/v1/latest'])
})

t.test('what a failing provider sends is never an answer', async t => {
  const { call, fail, paths } = await build(t, { upstreamTimeoutMs: 300 })
  for (const [fault, expected] of [
    [{ mode: 'status', status: 503 }, { status: 502, code: 'UPSTREAM_UNAVAILABLE' }],
    [{ mode: 'hang' }, { status: 504, code: 'UPSTREAM_TIMEOUT' }],
    [{ mode: 'html' }, { status: 502, code: 'UPSTREAM_INVALID_RESPONSE' }],
    [{ mode: 'broken-json' }, { status: 502, code: 'UPSTREAM_INVALID_RESPONSE' }],
    [{ mode: 'reset-after' }, { status: 502, code: 'UPSTREAM_CONNECTION_LOST' }]
  ] as const) {
    await fail({ path: '/v1/latest', ...fault })
    const { status, body } = await call('convert_currency', { amount: 1, from: 'EUR', to: 'USD' })
    t.equal(status, expected.status, fault.mode)
    t.match(body.error, { code: expected.code, category: 'SERVICE_ERROR', retryable: true, details: { upstream: 'rates' } }, fault.mode)
    t.same(paths(), ['/v1/latest'], 'one request')
  }
})

t.test('where the list of currencies cannot be had, that is what failed, not the code', async t => {
  const { call, fail } = await build(t)
  await fail({ path: '/v1/currencies', status: 503 })
  const { body } = await call('convert_currency', { amount: 1, from: 'US Dollar', to: 'EUR' })
  t.match(body.error, { code: 'UPSTREAM_UNAVAILABLE' })
})

t.test('discovery publishes the pair: one code to correct, one amount to leave alone', async t => {
  const { service } = await build(t)
  const { errors } = (await service.inject('/api/capabilities')).json().find(({ name }: { name: string }) => name === 'convert_currency')
  const retryable = (code: string) => errors.find((error: { code: string }) => error.code === code)?.retryable
  t.equal(retryable('CURRENCY_NOT_SUPPORTED'), true)
  t.equal(retryable('AMOUNT_NOT_POSITIVE'), false)
})
