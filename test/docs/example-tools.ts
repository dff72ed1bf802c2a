import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import t, { type Test } from 'tap'
import type { FastifyInstance } from 'fastify'
import { start as startCurrency } from '../../example-tools/currency/server.js'
import { createProviders } from '../../example-tools/providers/server.js'
import { start as startWeather } from '../../example-tools/weather/server.js'
import { fence } from '../fixtures/markdown.js'

// The sample data has other weather every day.
const PASSING = ['request_id', 'date', 'precipitation', 'condition']

/** An answer without what differs from one call and one day to the next. */
const settled = (answer: string): unknown => JSON.parse(answer, (key, value: unknown) => PASSING.includes(key) && typeof value !== 'object' ? key : value)

/** Makes so many calls that a tool's page shows, and holds what is answered against what the page says. */
async function holds (t: Test, tool: string, calls: number, start: (providers: string) => Promise<FastifyInstance>): Promise<void> {
  const page = await readFile(resolve(import.meta.dirname, `../../example-tools/${tool}/README.md`), 'utf8')
  const providers = createProviders()
  await providers.listen({ port: 0, host: '127.0.0.1' })
  t.teardown(() => providers.close())
  const app = await start(providers.listeningOrigin)
  t.teardown(() => app.close())
  app.log.level = 'silent'
  for (let index = 0; index < calls; index++) {
    // The first fence of shell starts the tool.
    const [, url = '', payload = ''] = /127\.0\.0\.1:\d+(\S+) .*-d '(.*)'/.exec(fence(page, 'sh', index + 1)) ?? []
    const { body } = await app.inject({ method: 'POST', url, headers: { 'content-type': 'application/json' }, payload })
    t.strictSame(settled(body), settled(fence(page, 'json', index)), payload)
  }
}

t.test('the calls on the page of the currency tool are answered as it says', async t => {
  await holds(t, 'currency', 3, providers => startCurrency({ PORT: '0', CURRENCY_RATES_URL: providers, SIMULATED: 'true' }))
})

t.test('the calls on the page of the weather tool are answered as it says', async t => {
  await holds(t, 'weather', 2, providers => startWeather({ PORT: '0', WEATHER_GEOCODING_URL: providers, WEATHER_FORECAST_URL: providers, SIMULATED: 'true' }))
})
