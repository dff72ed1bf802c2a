import { currencyService } from './currency/tool.js'
import { createProviders } from './providers/server.js'
import { listen, type Server } from './serve.js'
import type { Environment } from './settings.js'
import { host, milliseconds, port, readSettings, url } from './settings.js'
import { weatherService } from './weather/tool.js'

/** The variables that `npm start` reads. */
export const variables = {
  HOST: host,
  PROVIDERS_PORT: port(8090),
  WEATHER_PORT: port(8080),
  CURRENCY_PORT: port(8081),
  WEATHER_GEOCODING_URL: url(undefined),
  WEATHER_FORECAST_URL: url(undefined),
  CURRENCY_RATES_URL: url(undefined),
  UPSTREAM_TIMEOUT_MS: milliseconds(4_000)
}

/** Both tools in one process, and the simulated providers unless they ask the real ones. */
export interface Stack {
  weatherUrl: string
  currencyUrl: string
  providersUrl: string | undefined
  stop: () => Promise<void>
}

/**
 * Starts providers, weather and currency as the environment says; all of them, or none and one clear line.
 * `live` asks the real providers, or those that the environment names; else it does not matter what it names.
 */
export async function startStack (env: Environment, options: { live?: boolean, logLevel?: string } = {}): Promise<Stack> {
  const settings = readSettings(variables, env)
  const { live = false, logLevel = 'warn' } = options
  const running: Server[] = []
  // The tools before the providers: what they are answering may still have to ask.
  const stop = async () => { for (const app of running.toReversed()) await app.close() }
  const add = async (made: Server | Promise<Server>, variable: 'PROVIDERS_PORT' | 'WEATHER_PORT' | 'CURRENCY_PORT') => {
    const app = await made
    app.log.level = logLevel
    running.push(await listen(app, settings[variable], settings.HOST, variable))
    return originOf(app.listeningOrigin)
  }
  try {
    const providersUrl = live ? undefined : await add(createProviders(), 'PROVIDERS_PORT')
    const shared = { simulated: !live, upstreamTimeoutMs: settings.UPSTREAM_TIMEOUT_MS }
    const weatherUrl = await add(weatherService({
      ...shared,
      geocodingUrl: providersUrl ?? settings.WEATHER_GEOCODING_URL,
      forecastUrl: providersUrl ?? settings.WEATHER_FORECAST_URL
    }), 'WEATHER_PORT')
    const currencyUrl = await add(currencyService({ ...shared, ratesUrl: providersUrl ?? settings.CURRENCY_RATES_URL }), 'CURRENCY_PORT')
    return { weatherUrl, currencyUrl, providersUrl, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** An address to call: one that listens everywhere is reached here. */
function originOf (listening: string): string {
  return listening.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:')
}
