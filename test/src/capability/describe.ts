import { Type } from '@sinclair/typebox'
import t from 'tap'
import { defineCapability } from '../../../src/capability/define.js'
import { descriptor, endpointOf, inputSchema, listCapabilities, listEntry, outputSchema, visibleCapabilities } from '../../../src/capability/describe.js'
import type { JsonSchema } from '../../../src/schema/infer.js'

const weather = defineCapability({
  name: 'current_weather',
  description: 'Current weather at a place.',
  effect: 'read',
  upstreams: ['forecast'],
  input: Type.Object({
    location: Type.String({ minLength: 1, description: 'A place.', examples: ['London'], 'x-candor-sensitive': true }),
    days: Type.Optional(Type.Integer({ minimum: 1, maximum: 7, default: 1, 'x-candor-correctable': false, 'x-candor-code': 'TOO_MANY_DAYS' }))
  }),
  output: Type.Object({ temperature: Type.Number({ description: 'In °C.' }) }),
  examples: [{ input: { location: 'London' }, output: { temperature: 22.5 } }],
  errors: {
    LOCATION_NOT_FOUND: { category: 'NOT_FOUND', retryable: true, description: 'No place matches the location.', hint: "Use 'City, Country'." },
    TOO_MANY_DAYS: { category: 'INPUT_ERROR', description: 'Too many days.' }
  },
  timeoutMs: 10_000,
  handler: async () => ({ temperature: 1 })
})

const tool = (name: string, { hidden = false, output = Type.Object({}) }: { hidden?: boolean, output?: JsonSchema } = {}) =>
  defineCapability<JsonSchema, JsonSchema>({ name, description: 'A tool.', effect: 'write', idempotent: true, hidden, input: Type.Object({}), output, handler: async () => ({}) })

t.test('a list entry says how to choose and call a capability', async t => {
  t.strictSame(listEntry(weather, ''), {
    name: 'current_weather',
    description: 'Current weather at a place.',
    endpoint: '/api/capabilities/current_weather',
    input_types: ['json'],
    output_types: ['json'],
    input_summary: {
      required: [{ name: 'location', type: 'string', example: 'London', description: 'A place.' }],
      optional: [{ name: 'days', type: 'integer', example: '1', description: 'Default 1' }]
    },
    output_summary: { required: [{ name: 'temperature', type: 'number', description: 'In °C.' }], optional: [] },
    schema_endpoint: '/api/capabilities/current_weather/schema',
    effect: 'read',
    idempotent: false,
    errors: [
      { code: 'LOCATION_NOT_FOUND', status: 404, category: 'NOT_FOUND', retryable: true },
      { code: 'TOO_MANY_DAYS', status: 400, category: 'INPUT_ERROR', retryable: false }
    ]
  })
})

t.test('the descriptor has the schemas, the examples and every error', async t => {
  const { errors, ...rest } = descriptor(weather, '/tools')
  const { errors: _, ...entry } = listEntry(weather, '/tools')
  t.strictSame(rest, {
    ...entry,
    input_schema: {
      type: 'object',
      required: ['location'],
      properties: { location: { type: 'string', minLength: 1, description: 'A place.', examples: ['London'] }, days: { type: 'integer', minimum: 1, maximum: 7, default: 1 } },
      additionalProperties: false
    },
    output_schema: { type: 'object', required: ['temperature'], properties: { temperature: { type: 'number', description: 'In °C.' } } },
    examples: [{ input: { location: 'London' }, output: { temperature: 22.5 } }],
    timeout_ms: 10_000,
    upstreams: ['forecast']
  })
  t.strictSame(errors[0], { code: 'LOCATION_NOT_FOUND', status: 404, category: 'NOT_FOUND', retryable: true, description: 'No place matches the location.', hint: "Use 'City, Country'." })
  t.ok(['INVALID_INPUT', 'UPSTREAM_TIMEOUT', 'INTERNAL_ERROR'].every(code => errors.some(error => error.code === code)))
})

t.test('addresses begin with the prefix that the service has', async t => {
  t.equal(endpointOf(weather, ''), '/api/capabilities/current_weather')
  t.match(descriptor(weather, '/tools'), { endpoint: '/tools/api/capabilities/current_weather', schema_endpoint: '/tools/api/capabilities/current_weather/schema' })
})

t.test('the list is sorted by name and leaves hidden capabilities out', async t => {
  const capabilities = new Set([tool('b'), tool('c', { hidden: true }), tool('a'), tool('b_2')])
  t.strictSame(listCapabilities(capabilities, '').map(({ name, effect, idempotent }) => [name, effect, idempotent]), [['a', 'write', true], ['b', 'write', true], ['b_2', 'write', true]])
  t.strictSame(visibleCapabilities(capabilities).map(({ name }) => name), ['a', 'b', 'b_2'])
  t.strictSame(listCapabilities([], ''), [])
})

t.test('an input is published closed, an output as it is declared, both with each name once', async t => {
  const place = Type.Object({ lat: Type.Number({ 'x-candor-sensitive': true }) }, { $id: 'Place' })
  const both = Type.Object({ from: place, to: place })
  const route = defineCapability<JsonSchema, JsonSchema>({ name: 'route', description: 'A route.', effect: 'read', input: both, output: both, handler: async () => ({}) })
  const properties = { from: { $ref: '#/$defs/Place' }, to: { $ref: '#/$defs/Place' } }
  const lat = { type: 'object', required: ['lat'], properties: { lat: { type: 'number' } } }
  t.strictSame(inputSchema(route), { type: 'object', required: ['from', 'to'], properties, $defs: { Place: { ...lat, additionalProperties: false } }, additionalProperties: false })
  t.strictSame(outputSchema(route), { type: 'object', required: ['from', 'to'], properties, $defs: { Place: lat } })
})

t.test('an output of nothing is published as the null that is sent', async t => {
  t.strictSame(outputSchema(tool('a', { output: Type.Void({ description: 'Nothing.' }) })), { type: 'null', description: 'Nothing.' })
  t.strictSame(outputSchema(tool('a', { output: Type.Undefined() })), { type: 'null' })
  t.strictSame(outputSchema(tool('a', { output: Type.Null() })), { type: 'null' })
})
