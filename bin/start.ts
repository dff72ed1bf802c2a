import { runUntilStopped } from '../example-tools/serve.js'
import { startStack, type Stack } from '../example-tools/stack.js'

const usage = 'Usage: npm start [-- --live]'

await runUntilStopped(process, async () => {
  const unknown = process.argv.slice(2).filter(argument => argument !== '--live')
  if (unknown.length > 0) throw new Error(`Unknown argument '${unknown[0]}'. ${usage}`)
  const stack = await startStack(process.env, { live: process.argv.includes('--live') })
  return { said: greeting(stack), stop: stack.stop }
})

/** What runs where, and what to try: lines to copy. */
function greeting ({ weatherUrl, currencyUrl, providersUrl }: Stack): string {
  const call = (url: string, capability: string, input: unknown) =>
    `  curl -s ${url}/api/capabilities/${capability} -H 'content-type: application/json' -d '${JSON.stringify(input)}'`
  return [
    `Weather    ${weatherUrl}`,
    `Currency   ${currencyUrl}`,
    providersUrl === undefined ? 'Providers  the real ones: Open-Meteo and Frankfurter' : `Providers  ${providersUrl} (simulated: sample data, nothing it says is true)`,
    '',
    'Try:',
    `  curl -s ${weatherUrl}/api/capabilities`,
    call(weatherUrl, 'current_weather', { location: 'London, United Kingdom' }),
    call(weatherUrl, 'current_weather', { location: 'Flower Mound, TX' }),
    call(weatherUrl, 'forecast', { location: 'Paris, Texas', days: 3, units: 'imperial' }),
    call(currencyUrl, 'convert_currency', { amount: 100, from: 'EUR', to: 'USD' }),
    call(currencyUrl, 'exchange_rates', { base: 'EUR', symbol: ['USD'] }),
    call(currencyUrl, 'convert_currency', { amount: 0, from: 'EUR', to: 'USD' }),
    ...(providersUrl === undefined
      ? []
      : ['', 'Make the next forecast fail, then ask again:', `  curl -s ${providersUrl}/faults -H 'content-type: application/json' -d '${JSON.stringify({ path: '/v1/forecast', status: 429, headers: { 'retry-after': '7' } })}'`]),
    '',
    'Ctrl+C stops all of it.'
  ].join('\n')
}
