import t from 'tap'
import { start } from '../../../example-tools/currency/server.js'
import { createProviders } from '../../../example-tools/providers/server.js'

t.test('it asks the provider that its environment names', async t => {
  const providers = createProviders()
  await providers.listen({ port: 0, host: '127.0.0.1' })
  t.teardown(() => providers.close())
  const app = await start({ PORT: '0', CURRENCY_RATES_URL: providers.listeningOrigin, SIMULATED: 'true' })
  t.teardown(() => app.close())
  app.log.level = 'silent'
  const response = await app.inject({ method: 'POST', url: '/api/capabilities/convert_currency', payload: { amount: 1, from: 'eur', to: 'usd' } })
  t.match(response.json(), { success: true, data: { from: 'EUR', to: 'USD' }, meta: { simulated: true } })
})

t.test('every mistake of the environment is told at once', async t => {
  await t.rejects(start({ CURRENCY_RATES_URL: 'nowhere', SIMULATED: 'maybe' }), {
    message: "Expected CURRENCY_RATES_URL to be an absolute http: or https: URL without a #fragment, got 'nowhere'.\nExpected SIMULATED to be true or false, got 'maybe'."
  })
})
