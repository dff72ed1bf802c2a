import { Type } from '@sinclair/typebox'
import type { Asked, RatesCall } from './supported.js'
import { checkListed } from './supported.js'

/** How much of other currencies one of a base buys. */
export interface Rates {
  /** The day of publication, ISO 8601. `null` if no rate had to be asked for. */
  date: string | null
  /** Rates by code. */
  rates: ReadonlyMap<string, number>
}

// Open, as the provider adds fields without notice; what is read is required.
const Latest = Type.Object({
  // Asked for no amount, it answers for one: anything else would not be a rate.
  amount: Type.Literal(1),
  base: Type.String(),
  date: Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$' }),
  rates: Type.Record(Type.String(), Type.Number({ exclusiveMinimum: 0 }))
})

/**
 * How much of each of `symbols`, or of every currency, one `base` buys.
 *
 * One request if all is well: which currencies there are is asked only to say what is wrong.
 */
export async function ratesOf (call: RatesCall, base: Asked, symbols?: readonly Asked[]): Promise<Rates> {
  const asked = [base, ...symbols ?? []]
  // What has not the form of a code is never sent.
  if (!asked.every(({ code }) => /^[A-Z]{3}$/.test(code))) return refuse(call, asked)
  const codes = symbols?.map(({ code }) => code)
  const others = codes && [...new Set(codes)].filter(code => code !== base.code)
  if (others?.length === 0) return sameCurrency(call, base)

  const answer = await call.upstream('rates').get('/v1/latest', {
    query: { base: base.code, symbols: others?.join(',') },
    schema: Latest,
    // Frankfurter's word for a code it does not know.
    acceptStatus: [404]
  })
  if (!answer.ok) return refuse(call, asked)
  const found = Object.entries(answer.data.rates).filter(([code]) => others?.includes(code) ?? true)
  // Of several codes Frankfurter leaves out those it does not know, without a word; and another base's rate is a wrong rate.
  if (answer.data.base !== base.code || found.length < (others?.length ?? 1)) return refuse(call, asked)
  const self = codes?.includes(base.code) ? [[base.code, 1] as const] : []
  return { date: answer.data.date, rates: new Map([...self, ...found]) }
}

// Of these it is known that they are published, so that nobody need be asked for their rate to themselves. The list may grow old;
// then a request too many is sent, or one too few.
const published = new Set(('AUD BRL CAD CHF CNY CZK DKK EUR GBP HKD HUF IDR ILS INR ISK JPY KRW MXN MYR NOK NZD PHP PLN RON SEK SGD ' +
  'THB TRY USD ZAR').split(' '))

async function sameCurrency (call: RatesCall, asked: Asked): Promise<Rates> {
  if (!published.has(asked.code)) await checkListed(call, [asked])
  call.derived(`One ${asked.code} is one ${asked.code}.`)
  return { date: null, rates: new Map([[asked.code, 1]]) }
}

async function refuse (call: RatesCall, asked: readonly Asked[]): Promise<never> {
  await checkListed(call, asked)
  const codes = [...new Set(asked.map(({ code }) => code))]
  throw call.error('RATE_NOT_AVAILABLE', { message: `The provider lists ${codes.join(', ')}, but gave no rate.` })
}
