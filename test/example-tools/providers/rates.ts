import t from 'tap'
import { currencies, perEuro, ratesDate } from '../../../example-tools/providers/rates.js'
import { createProviders } from '../../../example-tools/providers/server.js'

const app = createProviders()
t.teardown(() => app.close())
const latest = async (query: Record<string, string>) => app.inject({ url: '/v1/latest', query })

t.test('every currency of Frankfurter has a name and a rate', async t => {
  const codes = 'AUD BRL CAD CHF CNY CZK DKK EUR GBP HKD HUF IDR ILS INR ISK JPY KRW MXN MYR NOK NZD PHP PLN RON SEK SGD THB TRY USD ZAR'.split(' ')
  const response = await app.inject('/v1/currencies')
  t.same(Object.keys(response.json()), codes)
  t.same(response.json(), currencies)
  t.same(Object.keys(perEuro), codes.filter(code => code !== 'EUR'))
})

t.test('the latest rates are in euros unless said, without the euro itself', async t => {
  const response = await latest({})
  t.equal(response.statusCode, 200)
  t.equal(response.headers['cache-control'], 'public, max-age=86400')
  t.same(response.json(), { amount: 1, base: 'EUR', date: ratesDate, rates: perEuro })
})

t.test('another base is computed and rounded, and has no rate in itself', async t => {
  const body = (await latest({ base: 'usd' })).json()
  t.equal(body.base, 'USD')
  t.notOk('USD' in body.rates)
  t.equal(body.rates.EUR, 0.88285)
  t.equal(body.rates.JPY, 157.7)
  t.equal(body.rates.IDR, 16811)
  t.equal((await latest({ base: 'IDR', symbols: 'EUR' })).json().rates.EUR, 0.000053)
})

t.test('symbols limit the rates, and those that are unknown are dropped in silence', async t => {
  t.same((await latest({ base: 'EUR', symbols: 'usd,GBP,TWD' })).json().rates, { GBP: 0.86475, USD: 1.1327 })
  t.same((await latest({ from: 'GBP', to: 'EUR', amount: '100' })).json(), { amount: 100, base: 'GBP', date: ratesDate, rates: { EUR: 115.64 } })
})

t.test('an unknown base, or symbols of which none is known, are 404', async t => {
  for (const query of [{ base: 'TWD' }, { base: 'USD', symbols: 'TWD' }, { symbols: 'EUR' }, { base: 'constructor' }] as Record<string, string>[]) {
    const response = await latest(query)
    t.equal(response.statusCode, 404)
    t.same(response.json(), { message: 'not found' })
  }
})

t.test('a currency in itself, or an amount that is none, is 422', async t => {
  const pair = await latest({ base: 'EUR', symbols: 'EUR' })
  t.equal(pair.statusCode, 422)
  t.same(pair.json(), { message: 'bad currency pair' })
  for (const amount of ['0', '-5', 'lots']) t.same((await latest({ amount })).json(), { message: 'invalid amount' })
})
