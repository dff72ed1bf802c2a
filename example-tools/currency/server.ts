import { listen, runDirectly } from '../serve.js'
import type { Environment } from '../settings.js'
import { flag, host, milliseconds, port, readSettings, url } from '../settings.js'
import { currencyService } from './tool.js'

/** The variables it reads. */
export const variables = {
  PORT: port(8081),
  HOST: host,
  CURRENCY_RATES_URL: url('https://api.frankfurter.dev'),
  UPSTREAM_TIMEOUT_MS: milliseconds(4_000),
  SIMULATED: flag
}

/** Starts the currency tool as the environment says; fails with one clear line. */
export async function start (env: Environment) {
  const settings = readSettings(variables, env)
  const app = await currencyService({
    ratesUrl: settings.CURRENCY_RATES_URL,
    upstreamTimeoutMs: settings.UPSTREAM_TIMEOUT_MS,
    simulated: settings.SIMULATED
  })
  return listen(app, settings.PORT, settings.HOST)
}

await runDirectly(import.meta.url, process, 'Currency tool', start)
