// candor, as `npm run build` makes it. Everything that is on by default is on; `--off=name` takes one thing away.
import { createToolService, defineCapability } from '../../dist/index.js'
import { createWriteStream } from 'node:fs'
import { forecast, option, ready, schemas } from './lib.js'

const startedAt = performance.now()
const count = Number(option('capabilities', '1'))
const upstream = option('upstream')
const off = option('off', '').split(',')
const evidence = off.includes('evidence') ? { evidence: 'none' } : {}
const honesty = Object.fromEntries(['output-schema', 'mock-marker'].filter(rule => off.includes(rule)).map(rule => [rule, 'off']))

const output = { ...schemas.output }
const base = { description: 'Weather of the coming days, for a city. Required: city, days.', effect: 'read', input: schemas.input, output, honesty }
const errors = { CITY_NOT_FOUND: { category: 'NOT_FOUND', retryable: true, description: 'No city has this name.', hint: "Use 'City, Country'." } }

const capabilities = [
  defineCapability({
    ...base,
    ...evidence,
    name: 'forecast',
    errors,
    async handler (given, call) {
      if (given.city === 'Nowhere') throw call.error('CITY_NOT_FOUND', { message: "No city is called 'Nowhere'." })
      return forecast(given)
    }
  }),
  ...Array.from({ length: count - 1 }, (_, i) => defineCapability({ ...base, ...evidence, name: `forecast_${i + 1}`, input: structuredClone(schemas.input), output: structuredClone(schemas.output), handler: async given => forecast(given) }))
]
if (upstream !== undefined) {
  const asking = { ...base, evidence: 'upstream', upstreams: ['weather'] }
  capabilities.push(
    defineCapability({ ...asking, name: 'asking', handler: async (_, call) => (await call.upstream('weather').get('/forecast', { schema: schemas.output })).data }),
    defineCapability({ ...asking, name: 'failing', handler: async (_, call) => (await call.upstream('weather').get('/unavailable', { schema: schemas.output })).data })
  )
}

const before = process.memoryUsage().heapUsed
const app = await createToolService({
  name: 'bench',
  version: '1.0.0',
  logger: { level: option('level', 'warn'), stream: createWriteStream('/dev/null') },
  capabilities,
  ...(upstream !== undefined && { upstreams: { weather: { baseUrl: upstream } } }),
  ...(off.includes('metrics') && { metrics: false })
})
await app.listen({ port: 0, host: '127.0.0.1' })
ready(app.server.address().port, { startMs: performance.now() - startedAt, before })
