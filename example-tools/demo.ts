import { play } from './demo/play.js'
import { lineOf } from './serve.js'
import { readSettings, url } from './settings.js'
import { startStack } from './stack.js'

/** The variables it reads: where the tools and the simulated providers run. With none of them it starts its own. */
export const variables = {
  WEATHER_URL: url(undefined),
  CURRENCY_URL: url(undefined),
  PROVIDERS_URL: url(undefined)
}

/** A tool gives a provider less time than the agent gives the tool, so that a hanging provider is told, not guessed. */
const ownStack = { PROVIDERS_PORT: '0', WEATHER_PORT: '0', CURRENCY_PORT: '0', UPSTREAM_TIMEOUT_MS: '1000' }

try {
  const places = given() ?? await startStack(ownStack, { logLevel: 'silent' })
  const { weatherUrl, currencyUrl, providersUrl = '' } = places
  const asSaid = await play({ weatherUrl, currencyUrl, providersUrl }, line => { process.stdout.write(`${line}\n`) })
  if ('stop' in places) await places.stop()
  process.exitCode = asSaid ? 0 : 1
} catch (error) {
  process.stderr.write(`${lineOf(error)}\n`)
  process.exitCode = 1
}

/** The places that the environment names: all, or none. */
function given () {
  const { WEATHER_URL: weatherUrl, CURRENCY_URL: currencyUrl, PROVIDERS_URL: providersUrl } = readSettings(variables, process.env)
  if (weatherUrl === undefined && currencyUrl === undefined && providersUrl === undefined) return undefined
  if (weatherUrl === undefined || currencyUrl === undefined || providersUrl === undefined) throw new Error(`Set all of ${Object.keys(variables).join(', ')}, or none of them.`)
  return { weatherUrl, currencyUrl, providersUrl }
}
