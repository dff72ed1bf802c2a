import { Type } from '@sinclair/typebox'
import { createToolService, defineCapability, observed, type HonestyOptions } from 'candor'
import { Agent } from 'undici'

const Rate = Type.Object({ rate: Type.Number({ description: 'How much of `to` one of `from` is' }) })
const Story = Type.Object({ title: Type.String({ description: 'Headline' }) })
const Stories = Type.Object({ stories: Type.Array(Story) })
const Currency = Type.String({ pattern: '^[A-Z]{3}$', maxLength: 3, description: 'A three-letter ISO 4217 code' })

const kept = new Map<string, { rate: number, at: Date }>()

/** One answer from several sources, each way of being incomplete declared. */
export const rateWithNews = defineCapability({
  name: 'rate_with_news',
  description: 'Rate between two currencies, with today\'s headlines. Required: from, to.',
  effect: 'read',
  evidence: 'upstream',
  upstreams: ['rates', 'spare_rates', 'news'],
  input: Type.Object({ from: Currency, to: Currency }),
  output: Type.Object({ rate: Type.Number({ description: 'How much of `to` one of `from` is' }), headlines: Type.Array(Type.String(), { description: 'Newest first' }) }),
  async handler ({ from, to }, call) {
    if (from === to) {
      call.derived('One of a currency is one of it.')
      return { rate: 1, headlines: [] }
    }
    const query = { from, to }
    let rate: number
    const first = await call.try(() => call.upstream('rates').get('/rate', { query, schema: Rate }))
    const second = first.ok ? first : await call.try(() => call.upstream('spare_rates').get('/rate', { query, schema: Rate }))
    const known = kept.get(`${from} ${to}`)
    if (second.ok) {
      rate = second.data.data.rate
      if (!first.ok) call.fallback({ from: 'rates', to: 'spare_rates' })
      kept.set(`${from} ${to}`, { rate, at: new Date() })
    } else if (known !== undefined) {
      rate = known.rate
      call.cached({ source: 'rates', asOf: known.at })
      call.cached({ source: 'spare_rates', asOf: known.at })
    } else {
      throw second.error
    }
    const news = await call.try(() => call.upstream('news').get('/today', { schema: Stories }))
    if (!news.ok) call.partial({ source: 'news', error: news.error })
    return { rate, headlines: news.ok ? news.data.data.stories.map(({ title }) => title) : [] }
  }
})

/** What fetch and undici send through this dispatcher goes to the call that sent it, however full the pool is. */
export const shared = observed(new Agent({ connections: 20 }))

/** A source that speaks no HTTP is reported by the handler. */
export function bookingTool (insert: (seat: string) => Promise<void>) {
  return defineCapability({
    name: 'book_seat',
    description: 'Books a seat. Required: seat.',
    effect: 'write',
    input: Type.Object({ seat: Type.String({ maxLength: 4, description: 'Row and letter', examples: ['12A'] }) }),
    output: Type.Object({ booked: Type.Boolean({ description: 'Always true' }) }),
    async handler ({ seat }, call) {
      try {
        await insert(seat)
      } catch (error) {
        call.observe({ source: 'seats', ok: false, effect: 'write', error })
        throw error
      }
      call.observe({ source: 'seats', ok: true, effect: 'write' })
      return { booked: true }
    }
  })
}

/** An old service adopts the checks: first only told, in the log, in `meta.warnings` and in /metrics; then rule by rule. */
export const adopting: HonestyOptions = { 'masked-failure': 'warn', evidence: 'warn', 'mock-marker': 'warn' }

export async function ratesService (urls: { rates: string, spare: string, news: string }, honesty?: HonestyOptions) {
  return await createToolService({
    name: 'rates-tool',
    version: '1.0.0',
    capabilities: [rateWithNews],
    upstreams: { rates: { baseUrl: urls.rates }, spare_rates: { baseUrl: urls.spare }, news: { baseUrl: urls.news } },
    honesty,
    mockMarkers: [{ key: 'environment', values: ['sandbox'] }]
  })
}
