import t from 'tap'
import { execFileSync } from 'node:child_process'
import { runModule, stopRun } from '../fixtures/run-module.js'

const file = 'bin/start.ts'
const free = { PROVIDERS_PORT: '0', WEATHER_PORT: '0', CURRENCY_PORT: '0' }

t.setTimeout(180_000)

t.test('it starts both tools on simulated providers, and every line to try works', async t => {
  // Named in the environment, and not asked: what is simulated stays simulated.
  const run = runModule(t, file, { env: { ...free, WEATHER_FORECAST_URL: 'http://127.0.0.1:1' } })
  const said = await run.started()
  t.match(said, /^Weather {4}http:\/\/127\.0\.0\.1:\d+\nCurrency {3}http.*\nProviders {2}http.*simulated/)
  const lines = said.split('\n').filter(line => line.startsWith('  curl '))
  t.equal(lines.length, 8)
  const answers = lines.map(line => JSON.parse(execFileSync('sh', ['-c', line], { encoding: 'utf8', timeout: 10_000 })))
  t.match(answers, [
    [{ name: 'current_weather' }, { name: 'forecast' }],
    { success: true, data: { location: 'London, England, United Kingdom' }, meta: { simulated: true } },
    { success: false, error: { code: 'LOCATION_NOT_FOUND', retryable: true } },
    { success: true, data: { location: 'Paris, Texas, United States' }, meta: { simulated: true } },
    { success: true, data: { from: 'EUR', to: 'USD' }, meta: { simulated: true } },
    { success: false, error: { code: 'INVALID_INPUT', details: { did_you_mean: 'symbols' } } },
    { success: false, error: { code: 'AMOUNT_NOT_POSITIVE', retryable: false } },
    { path: '/v1/forecast', status: 429 }
  ])
  const { code, tookMs } = await stopRun(run)
  t.equal(code, 0)
  t.ok(tookMs < 1_000, `${Math.round(tookMs)} ms`)
  t.equal(run.said.stderr, '')
})

t.test('live, it starts no providers', async t => {
  const run = runModule(t, file, { args: ['--live'], env: { ...free, PROVIDERS_PORT: '1' } })
  t.match(await run.started(), /\nProviders {2}the real ones: Open-Meteo and Frankfurter\n/)
  t.equal((await stopRun(run)).code, 0)
})

t.test('an argument it does not know is one clear line', async t => {
  const run = runModule(t, file, { args: ['--lve'], env: free })
  t.equal(await run.ended, 1)
  t.equal(run.said.stderr, "Unknown argument '--lve'. Usage: npm start [-- --live]\n")
  t.equal(run.said.stdout, '')
})
