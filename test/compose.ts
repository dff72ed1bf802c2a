import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import t from 'tap'
import { variables as currency } from '../example-tools/currency/server.js'
import { variables as demo } from '../example-tools/demo/places.js'
import { variables as providers } from '../example-tools/providers/server.js'
import { readSettings, type SettingsSpec } from '../example-tools/settings.js'
import { variables as weather } from '../example-tools/weather/server.js'
import { composeServices, copiesOf, dockerStages, environmentOf } from './fixtures/container.js'

const root = resolve(import.meta.dirname, '..')
const services = composeServices()
const stages = dockerStages()
const image = stages.at(-1)!
const imageEnv = environmentOf(image)
const specs: Record<string, SettingsSpec> = { providers, weather, currency, demo }

t.test('the stack is the providers, both tools and the demo', async t => {
  t.strictSame(Object.keys(services), ['providers', 'weather', 'currency', 'demo'])
  for (const [name, { command }] of Object.entries(services)) {
    t.strictSame(command, ['node', name === 'demo' ? 'dist/example-tools/demo.js' : `dist/example-tools/${name}/server.js`])
    t.ok(existsSync(resolve(root, command[1]!.replace(/^dist\//, '').replace(/js$/, 'ts'))))
  }
})

t.test('each variable is one that its server reads, and makes sense to it', async t => {
  for (const [name, { environment = {} }] of Object.entries(services)) {
    const spec = specs[name]!
    t.strictSame(Object.keys(environment).filter(variable => !(variable in spec)), [], `${name}: no variable that nobody reads`)
    t.doesNotThrow(() => readSettings(spec, { ...imageEnv, ...environment }), name)
  }
  t.strictSame(Object.keys(services.demo!.environment!), Object.keys(demo), 'the demo starts nothing of its own')
})

t.test('what is simulated says so', async t => {
  for (const name of ['weather', 'currency']) t.equal(services[name]!.environment!.SIMULATED, 'true')
})

t.test('a hanging provider is given up before an agent gives up the tool', async t => {
  for (const name of ['weather', 'currency']) t.ok(Number(services[name]!.environment!.UPSTREAM_TIMEOUT_MS) < 10_000)
})

t.test('whoever calls a service waits until it is healthy, at the port it listens on', async t => {
  for (const [name, { environment = {}, depends_on: waitsFor = {} }] of Object.entries(services)) {
    const called = Object.entries(environment).filter(([variable]) => variable.endsWith('_URL')).map(([, value]) => new URL(value))
    for (const { hostname, port } of called) {
      t.strictSame(waitsFor[hostname], { condition: 'service_healthy' }, `${name} waits for ${hostname}`)
      t.equal(services[hostname]!.environment!.PORT, port, `${name} calls ${hostname} at its port`)
    }
    t.strictSame(Object.keys(waitsFor).sort(), [...new Set(called.map(({ hostname }) => hostname))].sort(), `${name} waits for nobody else`)
  }
})

t.test('ports are published on this machine alone, as they are inside', async t => {
  for (const name of ['providers', 'weather', 'currency']) {
    const { environment, ports } = services[name]!
    t.strictSame(ports, [`127.0.0.1:${environment!.PORT}:${environment!.PORT}`])
  }
  t.equal(services.demo!.ports, undefined)
})

t.test('servers have a health check and come back; the demo runs once', async t => {
  for (const name of ['providers', 'weather', 'currency']) {
    t.strictSame(services[name]!.healthcheck.test, ['CMD', 'node', 'dist/bin/health.js'])
    t.equal(services[name]!.restart, 'unless-stopped')
  }
  t.strictSame(services.demo!.healthcheck, { disable: true })
  t.equal(services.demo!.restart, undefined)
})

t.test('nothing runs as root or writes to its image', async t => {
  for (const { user, read_only: readOnly } of Object.values(services)) t.strictSame({ user, readOnly }, { user: 'node', readOnly: true })
  t.match(image, [{ word: 'FROM' }, { word: 'ENV' }, { word: 'WORKDIR' }, { word: 'COPY' }, { word: 'RUN' }, { word: 'COPY' }, { word: 'USER', rest: 'node' }])
})

t.test('the image is slim, listens everywhere, and holds production dependencies alone', async t => {
  for (const stage of stages) t.match(stage[0], { word: 'FROM', rest: /^node:24-slim( AS build)?$/ })
  t.match(imageEnv, { NODE_ENV: 'production', HOST: '0.0.0.0' })
  t.match(image.find(({ word }) => word === 'RUN')?.rest, /^npm ci --omit=dev --ignore-scripts /)
  t.equal(image.find(({ word }) => word === 'HEALTHCHECK')?.rest.endsWith('CMD ["node", "dist/bin/health.js"]'), true)
  t.equal(image.find(({ word }) => word === 'CMD')?.rest, JSON.stringify(services.weather!.command).replaceAll(',', ', '))
  t.equal(image.find(({ word }) => word === 'EXPOSE')?.rest, imageEnv.PORT)
})

t.test('what the Dockerfile copies is there, and reaches the build', async t => {
  const kept = readFileSync(resolve(root, '.dockerignore'), 'utf8').split('\n').filter(line => line.startsWith('!')).map(line => line.slice(1))
  const copied = [...new Set(stages.flatMap(copiesOf).flatMap(({ from }) => from))]
  t.strictSame(copied.filter(name => !existsSync(resolve(root, name))), [])
  t.strictSame(kept.sort(), copied.sort())
})
