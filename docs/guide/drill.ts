import { drill, fakeUpstreams } from 'candor/testing'
import { ratesService } from './honest-success.js'

/** Throws with one line for each finding. */
export async function drillRates (): Promise<void> {
  const app = await ratesService({ rates: 'http://rates.test', spare: 'http://spare.test', news: 'http://news.test' })
  try {
    fakeUpstreams(app, {
      rates: { 'GET /rate': { json: { rate: 1.1 } } },
      spare_rates: { 'GET /rate': { json: { rate: 1.2 } } },
      news: { 'GET /today': { json: { stories: [] } } }
    })
    const report = await drill(app, { capability: 'rate_with_news', input: { from: 'EUR', to: 'USD' }, upstreams: ['rates', 'news'] })
    if (!report.passed) throw new Error(report.toString())
  } finally {
    await app.close()
  }
}
