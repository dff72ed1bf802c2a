// candor, as `npm run build` makes it. Everything that is on by default is on; `--off=name` takes one thing away, for what it costs.
import { createToolService, defineCapability } from '../../dist/index.js'
import { SecureResponse } from '../../dist/src/call/secure-response.js'
import { createSchemas, forecast, option, ready, schemas } from './lib.js'

const startedAt = performance.now()
const count = Number(option('capabilities', '1'))
const upstream = option('upstream')
const off = option('off')
const evidence = off === 'evidence' ? { evidence: 'none' } : {}
const honesty = off === 'mock markers' ? { 'mock-marker': 'off' } : {}

const input = off === 'validation' ? { type: 'object', additionalProperties: true } : schemas.input
const output = off === 'output check' ? {} : schemas.output
const base = { description: 'Weather of the coming days, for a city. Required: city, days.', effect: 'read', input, output, honesty }
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
  ...Array.from({ length: count - 1 }, (_, i) => defineCapability({ ...base, ...evidence, name: `forecast_${i + 1}`, ...createSchemas(), handler: async given => forecast(given) }))
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
  logger: off === 'log' ? false : { level: 'warn' },
  capabilities,
  ...(upstream !== undefined && { upstreams: { weather: { baseUrl: upstream } } }),
  ...(off === 'metrics' && { metrics: false }),
  ...(off === 'request id' && { server: { genReqId: () => 'r' } })
})
if (off === 'deadline') withoutTimers()
if (off === 'security headers') withoutHeaders()
await app.listen({ port: 0, host: '127.0.0.1' })
ready(app.server.address().port, { startMs: performance.now() - startedAt, before })

// Two defaults have no switch. What they cost is seen all the same, by taking it away where Node does the work.
function withoutTimers () {
  const { setTimeout } = globalThis
  globalThis.setTimeout = (listener, ms, ...rest) => ms === 30_000 ? undefined : setTimeout(listener, ms, ...rest)
}

function withoutHeaders () {
  SecureResponse.prototype.secure = () => {}
}
