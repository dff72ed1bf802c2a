import t from 'tap'
import { once } from 'node:events'
import { Agent, request, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { start } from '../../../example-tools/weather/server.js'
import { createProviders } from '../../../example-tools/providers/server.js'
import { runModule, stopRun, type Run } from '../../fixtures/run-module.js'
import type { Test } from 'tap'

const file = 'example-tools/weather/server.ts'

async function providers (t: Test) {
  const app = createProviders()
  await app.listen({ port: 0, host: '127.0.0.1' })
  t.teardown(() => app.close())
  const origin = app.listeningOrigin
  const fault = (body: object) => fetch(`${origin}/faults`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
  const hits = async (path: string) => (await (await fetch(`${origin}/hits`)).json() as Record<string, number>)[path] ?? 0
  return { fault, hits, env: { PORT: '0', WEATHER_GEOCODING_URL: origin, WEATHER_FORECAST_URL: origin, SIMULATED: 'true' } }
}

async function ask (origin: string, location: string, agent?: Agent): Promise<{ response: IncomingMessage, body: any }> {
  const sent = request(`${origin}/api/capabilities/current_weather`, { method: 'POST', agent, headers: { 'content-type': 'application/json' } })
  sent.end(JSON.stringify({ location }))
  const [response] = await once(sent, 'response') as [IncomingMessage]
  let text = ''
  for await (const chunk of response) text += chunk
  return { response, body: JSON.parse(text) }
}

const originOf = async (run: Run) => /http:\S+/.exec(await run.started())?.[0] ?? ''

t.test('it asks the providers that its environment names', async t => {
  const { env, fault } = await providers(t)
  const app = await start({ ...env, UPSTREAM_TIMEOUT_MS: '2000' })
  app.log.level = 'silent'
  t.teardown(() => app.close())
  const { body } = await ask(app.listeningOrigin, 'Nuuk, Greenland')
  t.match(body, { success: true, data: { temperature: 0 }, meta: { simulated: true } })
  await fault({ path: '/v1/search', mode: 'hang' })
  t.match((await ask(app.listeningOrigin, 'Nuuk')).body, { success: false, error: { code: 'UPSTREAM_TIMEOUT' } })
})

t.test('it is not simulated unless the environment says so', async t => {
  const { env } = await providers(t)
  const app = await start({ ...env, SIMULATED: 'false' })
  t.teardown(() => app.close())
  app.log.level = 'silent'
  const { body } = await ask(app.listeningOrigin, 'Nuuk, Greenland')
  t.equal(body.success, true)
  t.equal('simulated' in body.meta, false)
})

t.setTimeout(180_000)

t.test('bad configuration ends with a line for each mistake and exit code 1', async t => {
  const run = runModule(t, file, { env: { PORT: 'none', WEATHER_FORECAST_URL: 'nowhere', UPSTREAM_TIMEOUT_MS: '-5' } })
  t.equal(await run.ended, 1)
  t.equal(run.said.stdout, '')
  t.strictSame(run.said.stderr.split('\n'), [
    "Expected PORT to be a whole number from 0 to 65535, got 'none'.",
    "Expected WEATHER_FORECAST_URL to be an absolute http: or https: URL without a #fragment, got 'nowhere'.",
    "Expected UPSTREAM_TIMEOUT_MS to be a whole number of milliseconds from 1 to 2147483647, got '-5'.",
    ''
  ])
})

t.test('a port in use ends with one line and exit code 1', async t => {
  const { env } = await providers(t)
  const port = new URL(env.WEATHER_FORECAST_URL).port
  const run = runModule(t, file, { env: { ...env, PORT: port } })
  t.equal(await run.ended, 1)
  t.equal(run.said.stderr, `Port ${port} on 127.0.0.1 is already in use: set PORT to a free one.\n`)
})

t.test('idle it stops within a second, though a connection is kept alive', async t => {
  const { env } = await providers(t)
  const run = runModule(t, file, { env })
  const origin = await originOf(run)
  const agent = new Agent({ keepAlive: true })
  t.teardown(() => agent.destroy())
  t.equal((await ask(origin, 'London', agent)).response.headers.connection, 'keep-alive')
  const { code, tookMs } = await stopRun(run)
  t.equal(code, 0)
  t.ok(tookMs < 1_000, `${Math.round(tookMs)} ms`)
})

t.test('idle it stops within a second, though somebody connected and never asked', async t => {
  const { env } = await providers(t)
  const run = runModule(t, file, { env })
  const unused = connect(Number(new URL(await originOf(run)).port), '127.0.0.1')
  unused.on('error', () => {})
  await once(unused, 'connect')
  t.teardown(() => unused.destroy())
  const { code, tookMs } = await stopRun(run)
  t.equal(code, 0)
  t.ok(tookMs < 1_000, `${Math.round(tookMs)} ms`)
})

t.test('a call that is running is answered first, and its connection closed', async t => {
  const { env, fault, hits } = await providers(t)
  const run = runModule(t, file, { env })
  const origin = await originOf(run)
  const agent = new Agent({ keepAlive: true })
  t.teardown(() => agent.destroy())
  await ask(origin, 'London', agent)
  await fault({ path: '/v1/forecast', delayMs: 1_200 })
  const running = ask(origin, 'Nuuk, Greenland', agent)
  while (await hits('/v1/forecast') < 2) await sleep(20)
  const stopped = stopRun(run)
  const { response, body } = await running
  t.match(body, { success: true, data: { temperature: 0 } })
  t.equal(response.headers.connection, 'close')
  const { code, tookMs } = await stopped
  t.equal(code, 0)
  t.ok(tookMs > 500 && tookMs < 2_500, `${Math.round(tookMs)} ms`)
})
