import { Type } from '@sinclair/typebox'
import type { Call, ErrorDeclaration } from 'candor'
import type { Currencies } from './nearest.js'
import { nearestCodes } from './nearest.js'

// `retryable: true` on NOT_FOUND is an opt-in, for exactly this condition: a code is a spelling, and its correction means the same
// money. Its counterpart is the refusal beside `convert_currency`.
/** What a code can fail with. */
export const codeErrors = {
  CURRENCY_NOT_SUPPORTED: {
    category: 'NOT_FOUND',
    retryable: true,
    description: 'There is no reference rate for a currency of that code.',
    hint: "Use a three-letter ISO 4217 code such as 'EUR'; list_currencies has them all."
  },
  RATE_NOT_AVAILABLE: {
    category: 'SERVICE_ERROR',
    status: 502,
    retryable: true,
    description: 'The provider lists the currencies, but gave no rate for them.'
  }
} as const satisfies Record<string, ErrorDeclaration>

/** A call that can fail because of a code. */
export type RatesCall = Call<keyof typeof codeErrors, 'rates'>

/** A currency as the caller wrote it, in one field of the input. */
export interface Asked {
  field: string
  written: string
  /** Upper-cased: what is sent, if it has the form of a code. */
  code: string
}

/** Upper-cases what the caller wrote. */
export function ask (field: string, written: string): Asked {
  return { field, written, code: written.trim().toUpperCase() }
}

// Open, as the provider adds currencies without notice.
const CurrencyList = Type.Record(Type.String(), Type.String(), { minProperties: 1 })

/** All currencies there are rates for, by code. */
export async function listCurrencies (call: Call<never, 'rates'>): Promise<Currencies> {
  const { data } = await call.upstream('rates').get('/v1/currencies', { schema: CurrencyList })
  return data
}

/** Asks the provider which currencies there are, and fails if one of those asked for is not among them: which, and what is near it. */
export async function checkListed (call: RatesCall, asked: readonly Asked[]): Promise<void> {
  const currencies = await listCurrencies(call)
  const unknown = asked.filter(({ code }) => !Object.hasOwn(currencies, code))
  if (unknown.length === 0) return
  const supported = Object.keys(currencies).length
  const written = new Set(unknown.map(({ written }) => `'${written}'`))
  // The best of each first, so that of several unknown codes each gets one.
  const near = unknown.map(({ written }) => nearestCodes(written, currencies))
  const candidates = [...new Set([0, 1, 2].flatMap(rank => near.flatMap(codes => codes.slice(rank, rank + 1))))].slice(0, 3)
  throw call.error('CURRENCY_NOT_SUPPORTED', {
    message: `Not among the ${supported} currencies supported: ${[...written].join(', ')}.`,
    details: {
      field: unknown[0]?.field,
      supported,
      candidates: candidates.length > 0 ? candidates.map(code => `${code} (${currencies[code]})`) : undefined
    }
  })
}
