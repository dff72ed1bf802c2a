import t from 'tap'
import { createProviders } from '../../example-tools/providers/server.js'
import { startStack } from '../../example-tools/stack.js'

const free = { PROVIDERS_PORT: '0', WEATHER_PORT: '0', CURRENCY_PORT: '0' }

t.test('all of it starts and stops together', async t => {
  const { weatherUrl, currencyUrl, providersUrl = '', stop } = await startStack(free, { logLevel: 'silent' })
  const health = (url: string) => fetch(`${url}/health`, { headers: { connection: 'close' } })
  for (const url of [weatherUrl, currencyUrl, providersUrl]) t.equal((await health(url)).status, 200)
  await stop()
  for (const url of [weatherUrl, currencyUrl, providersUrl]) await t.rejects(health(url))
})

t.test('if one cannot start none runs, and the line names the variable to change', async t => {
  const taken = createProviders()
  await taken.listen({ port: 0, host: '127.0.0.1' })
  t.teardown(() => taken.close())
  const { port } = new URL(taken.listeningOrigin)
  await t.rejects(startStack({ ...free, CURRENCY_PORT: port }, { logLevel: 'silent' }), { message: `Port ${port} on 127.0.0.1 is already in use: set CURRENCY_PORT to a free one.` })
  await t.rejects(startStack({ ...free, WEATHER_PORT: 'x', UPSTREAM_TIMEOUT_MS: '-1' }), { message: /^Expected WEATHER_PORT .*\nExpected UPSTREAM_TIMEOUT_MS .*$/ })
})

t.test('live, it asks the providers that the environment names', async t => {
  const provider = createProviders()
  await provider.listen({ port: 0, host: '127.0.0.1' })
  t.teardown(() => provider.close())
  const { currencyUrl, providersUrl, stop } = await startStack({ ...free, CURRENCY_RATES_URL: provider.listeningOrigin }, { live: true, logLevel: 'silent' })
  t.teardown(stop)
  t.equal(providersUrl, undefined)
  const response = await fetch(`${currencyUrl}/api/capabilities/list_currencies`, { method: 'POST', headers: { connection: 'close' } })
  t.match(await response.json(), { success: true, meta: { simulated: undefined } })
})

t.test('what listens everywhere is called by an address of this machine', async t => {
  const { weatherUrl, stop } = await startStack({ ...free, HOST: '0.0.0.0' }, { logLevel: 'silent' })
  t.teardown(stop)
  t.match(weatherUrl, /^http:\/\/127\.0\.0\.1:\d+$/)
})
