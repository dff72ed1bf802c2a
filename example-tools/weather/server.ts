import { listen, runDirectly } from '../serve.js'
import type { Environment } from '../settings.js'
import { flag, host, milliseconds, port, readSettings, url } from '../settings.js'
import { weatherService } from './tool.js'

/** The variables it reads. */
export const variables = {
  PORT: port(8080),
  HOST: host,
  WEATHER_GEOCODING_URL: url('https://geocoding-api.open-meteo.com'),
  WEATHER_FORECAST_URL: url('https://api.open-meteo.com'),
  UPSTREAM_TIMEOUT_MS: milliseconds(4_000),
  SIMULATED: flag
}

/** Starts the weather tool as the environment says; fails with one clear line. */
export async function start (env: Environment) {
  const settings = readSettings(variables, env)
  const app = await weatherService({
    geocodingUrl: settings.WEATHER_GEOCODING_URL,
    forecastUrl: settings.WEATHER_FORECAST_URL,
    upstreamTimeoutMs: settings.UPSTREAM_TIMEOUT_MS,
    simulated: settings.SIMULATED
  })
  return listen(app, settings.PORT, settings.HOST)
}

await runDirectly(import.meta.url, process, 'Weather tool', start)
