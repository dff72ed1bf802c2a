import { createToolService, defineCapability } from 'candor'
import { decimalsOf } from './minor-units.js'
import { convert } from './money.js'
import { ratesOf } from './rates.js'
import { Conversion, ConvertInput, CurrencyTable, ListInput, RatesInput, RateTable } from './schemas.js'
import { ask, codeErrors, listCurrencies } from './supported.js'

const source = 'European Central Bank reference rates, through Frankfurter'
const sameCurrency = 'none: the same currency twice'

/** Converts an amount of money at the latest reference rate. */
export const convertCurrency = defineCapability({
  name: 'convert_currency',
  description: 'Converts an amount of money at the latest reference rate of the European Central Bank. Required: amount (above 0), from, to (three-letter ISO 4217 codes).',
  effect: 'read',
  evidence: 'upstream',
  upstreams: ['rates'],
  input: ConvertInput,
  output: Conversion,
  examples: [{ input: { amount: 100, from: 'EUR', to: 'USD' } }],
  // The pair this example is for. A code is a spelling: CURRENCY_NOT_SUPPORTED opts in to a second, corrected attempt. An amount is
  // the user's intent: AMOUNT_NOT_POSITIVE refuses one, because a model that corrects it answers a question nobody asked.
  errors: {
    ...codeErrors,
    AMOUNT_NOT_POSITIVE: {
      category: 'INPUT_ERROR',
      retryable: false,
      description: 'The amount is not above 0.',
      hint: 'Ask the user which amount is meant; do not choose one.'
    },
    AMOUNT_TOO_LARGE: {
      category: 'INPUT_ERROR',
      retryable: false,
      description: 'The result has more digits than a JSON number can say.',
      hint: 'Ask the user; do not choose another amount.'
    }
  },
  timeoutMs: 10_000,
  async handler ({ amount, from, to }, call) {
    const [base, symbol] = [ask('from', from), ask('to', to)]
    const { date, rates } = await ratesOf(call, base, [symbol])
    const rate = rates.get(symbol.code)
    if (rate === undefined) throw call.error('RATE_NOT_AVAILABLE')
    const converted = convert(amount, rate, decimalsOf(symbol.code))
    if (converted === undefined) throw call.error('AMOUNT_TOO_LARGE', { details: { field: 'amount', rate } })
    return {
      amount,
      from: base.code,
      to: symbol.code,
      rate,
      result: converted.rounded,
      unrounded: converted.unrounded,
      date,
      source: date === null ? sameCurrency : source
    }
  }
})

/** The latest reference rates of one currency. */
export const exchangeRates = defineCapability({
  name: 'exchange_rates',
  description: 'Latest reference rates of the European Central Bank. Required: base (a three-letter ISO 4217 code). Optional: symbols (a list of codes; default all).',
  effect: 'read',
  evidence: 'upstream',
  upstreams: ['rates'],
  input: RatesInput,
  output: RateTable,
  examples: [{ input: { base: 'EUR', symbols: ['USD', 'GBP'] } }],
  errors: codeErrors,
  timeoutMs: 10_000,
  async handler ({ base: written, symbols }, call) {
    const base = ask('base', written)
    const { date, rates } = await ratesOf(call, base, symbols?.map((symbol, index) => ask(`symbols[${index}]`, symbol)))
    return { base: base.code, rates: Object.fromEntries(rates), date, source: date === null ? sameCurrency : source }
  }
})

/** The currencies there are rates for. */
export const currencyList = defineCapability({
  name: 'list_currencies',
  description: 'Lists the currencies that can be converted: their ISO 4217 codes and names. Takes nothing.',
  effect: 'read',
  evidence: 'upstream',
  upstreams: ['rates'],
  input: ListInput,
  output: CurrencyTable,
  examples: [{ input: {} }],
  timeoutMs: 10_000,
  async handler (_input, call) {
    const currencies = Object.entries(await listCurrencies(call)).map(([code, name]) => ({ code, name }))
    return { currencies, count: currencies.length, source }
  }
})

/** Where the rates come from, and how the service is set up. */
export interface CurrencySettings {
  /** Base URL of Frankfurter's API. @default 'https://api.frankfurter.dev' */
  ratesUrl?: string
  /** The provider is a simulation: every answer of it is marked `meta.simulated`. @default false */
  simulated?: boolean
  /** How long one exchange with the provider may take, in milliseconds. @default 4000 */
  upstreamTimeoutMs?: number
}

/** The currency tool as a service: a Fastify instance, not listening. */
export function currencyService ({ ratesUrl = 'https://api.frankfurter.dev', simulated = false, upstreamTimeoutMs = 4_000 }: CurrencySettings = {}) {
  return createToolService({
    name: 'currency-tool',
    version: '1.0.0',
    capabilities: [convertCurrency, exchangeRates, currencyList],
    upstreams: { rates: { baseUrl: ratesUrl, timeoutMs: upstreamTimeoutMs, simulated } }
  })
}
