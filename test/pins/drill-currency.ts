// Every way the provider fails, and that the tool says so: in CI, the currency tool against the drill.
import t from 'tap'
import { drill, fakeUpstreams } from 'candor/testing'
import { currencyService } from '../../example-tools/currency/tool.js'

const inputs = {
  convert_currency: { amount: 100, from: 'EUR', to: 'USD' },
  exchange_rates: { base: 'EUR' },
  list_currencies: {}
}

for (const [capability, input] of Object.entries(inputs)) {
  t.test(`${capability} tells the truth about every failure of its provider`, async t => {
    const app = await currencyService()
    app.log.level = 'silent'
    t.teardown(() => app.close())
    const fake = fakeUpstreams(app, {
      rates: {
        'GET /v1/latest': { json: { amount: 1, base: 'EUR', date: '2026-11-27', rates: { USD: 1.1327 } } },
        'GET /v1/currencies': { json: { EUR: 'Euro', USD: 'United States Dollar' } }
      }
    })
    const report = await drill(app, { capability, input, timeoutMs: 200 })
    t.ok(report.passed, String(report))
    fake.restore()
    t.equal(fake.requests.length, 1, 'nothing of the first answer was kept')
  })
}
