import { Type } from '@sinclair/typebox'
import { createToolService, defineCapability } from 'candor'

const Currency = Type.String({ pattern: '^[A-Z]{3}$', maxLength: 3, description: 'A three-letter ISO 4217 code', examples: ['EUR'] })
const Latest = Type.Object({ date: Type.String(), rates: Type.Record(Type.String(), Type.Number()) })

const exchangeRate = defineCapability({
  name: 'exchange_rate',
  description: 'Reference rate between two currencies, from the European Central Bank. Required: from, to.',
  effect: 'read',
  evidence: 'upstream',
  upstreams: ['rates'],
  input: Type.Object({ from: Currency, to: Currency }),
  output: Type.Object({ rate: Type.Number({ description: 'How much of `to` one of `from` is' }), date: Type.String({ description: 'Day of the rate' }) }),
  errors: {
    CURRENCY_NOT_SUPPORTED: {
      category: 'NOT_FOUND', retryable: true, description: 'There is no rate for one of the currencies.', hint: "Use codes such as 'EUR' and 'USD'."
    }
  },
  async handler ({ from, to }, call) {
    const { data } = await call.upstream('rates').get('/v1/latest', {
      query: { base: from, symbols: to }, schema: Latest, errors: { 404: 'CURRENCY_NOT_SUPPORTED' }
    })
    const rate = data.rates[to]
    if (rate === undefined) throw call.error('CURRENCY_NOT_SUPPORTED', { details: { missing: to } })
    return { rate, date: data.date }
  }
})

const app = await createToolService({
  name: 'rates-tool',
  version: '1.0.0',
  capabilities: [exchangeRate],
  upstreams: { rates: { baseUrl: process.env.RATES_URL ?? 'https://api.frankfurter.dev', timeoutMs: 5_000 } }
})
await app.listen({ port: Number(process.env.PORT ?? 8080) })
