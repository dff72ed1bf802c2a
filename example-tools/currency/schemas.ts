import { Type } from '@sinclair/typebox'

const Code = (description: string, examples: string[]) => Type.String({
  minLength: 1,
  maxLength: 64,
  description: `${description}: a three-letter ISO 4217 code.`,
  examples
})

const from = Code('The currency of the amount', ['EUR'])
const to = Code('The currency to convert it to', ['USD'])
const base = Code('The currency of which one is exchanged', ['EUR'])
const date = Type.Union([Type.String(), Type.Null()], { description: 'Day of the rate, ISO 8601. null: the same currency twice, no rate was needed.', examples: ['2026-11-27'] })
const source = Type.String({ description: 'Who says so.', examples: ['European Central Bank reference rates, through Frankfurter'] })

/** Input of `convert_currency`. */
export const ConvertInput = Type.Object({
  amount: Type.Number({
    exclusiveMinimum: 0,
    // The refusal that answers the opt-in of CURRENCY_NOT_SUPPORTED: how much money is meant is the user's intent. No other amount
    // stands for it, and a model that may try again would invent one.
    'x-candor-correctable': false,
    'x-candor-code': 'AMOUNT_NOT_POSITIVE',
    description: 'How much money, as the user said it. Above 0.',
    examples: [100]
  }),
  from,
  to
})

/** Output of `convert_currency`. */
export const Conversion = Type.Object({
  amount: Type.Number({ description: 'The amount asked about.', examples: [100] }),
  from: Type.String({ description: 'Its currency.', examples: ['EUR'] }),
  to: Type.String({ description: 'The currency of the result.', examples: ['USD'] }),
  rate: Type.Number({ description: 'How much of `to` one `from` buys, as the source gives it: rates between two currencies other than the euro, and small ones, are rounded there.', examples: [1.1327] }),
  result: Type.Number({ description: 'amount × rate, rounded half to even at the smallest unit of `to`: 0 if it is worth less than half of that.', examples: [113.27] }),
  unrounded: Type.Number({ description: 'amount × rate before rounding.', examples: [113.27] }),
  date,
  source
})

/** Input of `exchange_rates`. */
export const RatesInput = Type.Object({
  base,
  symbols: Type.Optional(Type.Array(Code('A currency to exchange it for', ['USD']), {
    minItems: 1,
    maxItems: 50,
    description: 'Which rates; without it, all there are.',
    examples: [['USD', 'GBP']]
  }))
})

/** Output of `exchange_rates`. */
export const RateTable = Type.Object({
  base: Type.String({ description: 'The currency of which one is exchanged.', examples: ['EUR'] }),
  rates: Type.Record(Type.String(), Type.Number(), { description: 'How much of each currency one `base` buys, by code.', examples: [{ USD: 1.1327 }] }),
  date,
  source
})

/** Input of `list_currencies`. */
export const ListInput = Type.Object({})

/** Output of `list_currencies`. */
export const CurrencyTable = Type.Object({
  currencies: Type.Array(Type.Object({
    code: Type.String({ description: 'ISO 4217 code.', examples: ['EUR'] }),
    name: Type.String({ description: 'English name.', examples: ['Euro'] })
  }), { description: 'All currencies there are rates for, by code.' }),
  count: Type.Integer({ description: 'How many there are.', examples: [30] }),
  source
})
