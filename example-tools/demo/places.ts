import type { Environment } from '../settings.js'
import { readSettings, url } from '../settings.js'

/** Where the tools and the simulated providers are. */
export interface Places { weatherUrl: string, currencyUrl: string, providersUrl: string }

/** The variables that the demo reads: where everything runs. With none of them it starts its own. */
export const variables = {
  WEATHER_URL: url(undefined),
  CURRENCY_URL: url(undefined),
  PROVIDERS_URL: url(undefined)
}

/** The places that the environment names: all, or `undefined` where it names none. */
export function givenPlaces (env: Environment): Places | undefined {
  const { WEATHER_URL: weatherUrl, CURRENCY_URL: currencyUrl, PROVIDERS_URL: providersUrl } = readSettings(variables, env)
  if (weatherUrl === undefined && currencyUrl === undefined && providersUrl === undefined) return undefined
  if (weatherUrl === undefined || currencyUrl === undefined || providersUrl === undefined) throw new Error(`Set all of ${Object.keys(variables).join(', ')}, or none of them.`)
  return { weatherUrl, currencyUrl, providersUrl }
}
