import type { FastifyInstance } from 'fastify'
import { param } from './open-meteo.js'

// Shapes: "Frankfurter (v1)" in Frankfurter's documentation and its v1 OpenAPI document, and its open source (lib/versions/v1) for the
// error texts and the rounding. Simplifications: README.md.

/** The date of the sample rates: a Friday, as the real table has no weekend. It never moves. */
export const ratesDate = '2026-11-27'

/** Every currency of Frankfurter v1, by its name there. The Bulgarian lev left it when Bulgaria took the euro on 1 January 2026. */
export const currencies: Readonly<Record<string, string>> = {
  AUD: 'Australian Dollar',
  BRL: 'Brazilian Real',
  CAD: 'Canadian Dollar',
  CHF: 'Swiss Franc',
  CNY: 'Chinese Renminbi Yuan',
  CZK: 'Czech Koruna',
  DKK: 'Danish Krone',
  EUR: 'Euro',
  GBP: 'British Pound',
  HKD: 'Hong Kong Dollar',
  HUF: 'Hungarian Forint',
  IDR: 'Indonesian Rupiah',
  ILS: 'Israeli New Sheqel',
  INR: 'Indian Rupee',
  ISK: 'Icelandic Króna',
  JPY: 'Japanese Yen',
  KRW: 'South Korean Won',
  MXN: 'Mexican Peso',
  MYR: 'Malaysian Ringgit',
  NOK: 'Norwegian Krone',
  NZD: 'New Zealand Dollar',
  PHP: 'Philippine Peso',
  PLN: 'Polish Złoty',
  RON: 'Romanian Leu',
  SEK: 'Swedish Krona',
  SGD: 'Singapore Dollar',
  THB: 'Thai Baht',
  TRY: 'Turkish Lira',
  USD: 'United States Dollar',
  ZAR: 'South African Rand'
}

/** Sample rates: how much of each currency one euro buys on `ratesDate`. Plausible, never a quotation. */
export const perEuro: Readonly<Record<string, number>> = {
  AUD: 1.7642,
  BRL: 6.1873,
  CAD: 1.6105,
  CHF: 0.9321,
  CNY: 8.0544,
  CZK: 24.318,
  DKK: 7.4605,
  GBP: 0.86475,
  HKD: 8.8217,
  HUF: 384.15,
  IDR: 19042,
  ILS: 3.7816,
  INR: 101.74,
  ISK: 146.9,
  JPY: 178.63,
  KRW: 1642.55,
  MXN: 20.914,
  MYR: 4.6732,
  NOK: 11.6485,
  NZD: 1.9817,
  PHP: 66.482,
  PLN: 4.2463,
  RON: 5.0891,
  SEK: 10.9275,
  SGD: 1.4689,
  THB: 36.905,
  TRY: 49.7124,
  USD: 1.1327,
  ZAR: 19.5836
}

/** Puts `GET /v1/latest` and `GET /v1/currencies` on the app: Frankfurter's v1 API. */
export function rates (app: FastifyInstance): void {
  app.get('/v1/latest', async (request, reply) => {
    reply.header('cache-control', 'public, max-age=86400')
    const base = (param(request.query, 'from') ?? param(request.query, 'base'))?.toUpperCase()
    const symbols = (param(request.query, 'to') ?? param(request.query, 'symbols'))?.toUpperCase().split(',')
    if (symbols?.length === 1 && symbols[0] === base) return reply.code(422).send({ message: 'bad currency pair' })
    const given = param(request.query, 'amount')
    const amount = given === undefined ? 1 : Number.parseFloat(given)
    if (!(amount > 0 && Number.isFinite(amount))) return reply.code(422).send({ message: 'invalid amount' })
    const table = tableOf(amount, base ?? 'EUR', symbols)
    // A symbol that is not known is dropped in silence; only when nothing is left is it "not found".
    if (Object.keys(table).length === 0) return reply.code(404).send({ message: 'not found' })
    return { amount, base: base ?? 'EUR', date: ratesDate, rates: table }
  })

  app.get('/v1/currencies', async (_request, reply) => {
    reply.header('cache-control', 'public, max-age=86400')
    return currencies
  })
}

function tableOf (amount: number, base: string, symbols?: string[]): Record<string, number> {
  const euros = { ...perEuro, EUR: 1 } as Record<string, number>
  if (!Object.hasOwn(euros, base)) return {}
  return Object.fromEntries(Object.keys(euros).sort()
    .filter(code => code !== base && (symbols === undefined || symbols.includes(code)))
    // The table itself is published as it is; whatever is computed from it is rounded.
    .map(code => [code, base === 'EUR' && amount === 1 ? euros[code]! : quote(amount * euros[code]! / euros[base]!)]))
}

// Frankfurter's own steps (lib/versions/v1/roundable.rb): the larger the number, the fewer decimals.
function quote (value: number): number {
  const decimals = value > 5000 ? 0 : value > 80 ? 2 : value > 20 ? 3 : value > 1 ? 4 : value > 0.0001 ? 5 : 6
  return Number(value.toFixed(decimals))
}
