import { givenPlaces } from './demo/places.js'
import { play } from './demo/play.js'
import { lineOf } from './serve.js'
import { startStack } from './stack.js'

/** A tool gives a provider less time than the agent gives the tool, so that a hanging provider is told, not guessed. */
const ownStack = { PROVIDERS_PORT: '0', WEATHER_PORT: '0', CURRENCY_PORT: '0', UPSTREAM_TIMEOUT_MS: '2000' }

try {
  const places = givenPlaces(process.env) ?? await startStack(ownStack, { logLevel: 'silent' })
  const { weatherUrl, currencyUrl, providersUrl = '' } = places
  const asSaid = await play({ weatherUrl, currencyUrl, providersUrl }, line => { process.stdout.write(`${line}\n`) })
  if ('stop' in places) await places.stop()
  process.exitCode = asSaid ? 0 : 1
} catch (error) {
  process.stderr.write(`${lineOf(error)}\n`)
  process.exitCode = 1
}
