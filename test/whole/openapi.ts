// The document as those have it who never saw the code: two validators and two generators of clients, all strangers to each other.
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { Validator } from '@seriousme/openapi-schema-validator'
import { Type } from '@sinclair/typebox'
import openapiTypescript, { astToString } from 'openapi-typescript'
import { generateApi } from 'swagger-typescript-api'
import t from 'tap'
import { createToolService, defineCapability } from 'candor'
import { currencyService } from '../../example-tools/currency/tool.js'
import { weatherService } from '../../example-tools/weather/tool.js'
import type { JsonSchema } from '../../src/schema/infer.js'
import { complaints } from '../fixtures/type-check.js'
import { varied } from '../fixtures/varied-schemas.js'

/** Every kind of schema, and routes of its own with every kind of reference. */
async function oddService () {
  const capabilities = Object.entries(varied).map(([name, schema], index) => defineCapability<JsonSchema, JsonSchema>({
    name, description: `Takes ${name}.`, effect: index % 2 === 0 ? 'read' : 'write', evidence: 'none', input: schema, output: schema, handler: async input => input
  }))
  const app = await createToolService({ name: 'odd-tool', version: '1.0.0', description: 'All *kinds*.', capabilities, logger: false, servers: [{ url: 'https://tools.example.com/odd', description: 'Behind a proxy' }] })
  app.addSchema({ $id: 'Place', type: 'object', properties: { near: { $ref: 'Place#' }, code: { $ref: 'common#/definitions/code' } } })
  app.addSchema({ $id: 'common', definitions: { code: { type: 'string', nullable: true } } })
  const handler = async () => ({}) as never
  app.get('/places/:id(^\\d+$)', { schema: { operationId: 'get_place', tags: ['places'], summary: 'One place', params: Type.Object({ id: Type.Integer() }), querystring: Type.Object({ units: Type.Optional(Type.Union([Type.Literal('metric'), Type.Literal('imperial')])) }), response: { 200: { $ref: 'Place#' }, 404: { type: 'null', description: 'None' } } } }, handler)
  app.put('/places/:id?', { schema: { body: { type: 'array', items: { $ref: 'Place#/properties/code' } } } }, handler)
  app.post('/trees', { schema: { body: Type.Recursive(This => Type.Object({ of: Type.Array(This) })), headers: Type.Object({ 'x-key': Type.String() }) } }, handler)
  app.get('/files/*', { schema: { response: { '2xx': { description: 'A file', content: { 'text/plain': { schema: { type: 'string' } } } } } } }, handler)
  return app
}

async function documentOf (service: () => Promise<{ log: { level: string }, inject: (url: string) => Promise<{ body: string }>, close: () => unknown }>): Promise<string> {
  const app = await service()
  app.log.level = 'silent'
  const { body } = await app.inject('/openapi.json')
  await app.close()
  return body
}

const documents = { weather: await documentOf(weatherService), currency: await documentOf(currencyService), odd: await documentOf(oddService) }

t.test('two validators, one by schema and one by rules, find nothing wrong', async t => {
  const rules = { 'no-unused-components': 'error', 'no-invalid-media-type-examples': 'error', 'no-invalid-schema-examples': 'error', 'no-identical-paths': 'error', 'operation-operationId-url-safe': 'error' } as const
  const config = await createConfig({ extends: ['spec'], rules })
  const findings = async (source: string): Promise<string[]> => (await lintFromString({ source, absoluteRef: '/openapi.json', config })).map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer}`)
  for (const [name, text] of Object.entries(documents)) {
    t.match(await new Validator().validate(JSON.parse(text)), { valid: true }, name)
    t.strictSame(await findings(text), [], name)
  }
  const broken = documents.weather.replaceAll('#/components/schemas/FailureEnvelope', '#/components/schemas/Nowhere').replace('"location":"London', '"locaton":"London')
  t.match((await findings(broken)).join('\n'), /no-unresolved-refs.*no-invalid-media-type-examples|no-invalid-media-type-examples.*no-unresolved-refs/s, 'and they do look')
})

const calling = `
import createClient from 'openapi-fetch'
import type { paths } from './weather.js'

export async function temperature (): Promise<number | string> {
  const client = createClient<paths>({ baseUrl: 'http://127.0.0.1' })
  const { data, error } = await client.POST('/api/capabilities/current_weather', { body: { location: 'London', units: 'imperial' } })
  const envelope = data ?? error
  if (envelope.success) {
    // @ts-expect-error a success has no error
    envelope.error.code
    const sources: string[] | undefined = envelope.meta?.sources
    return sources === undefined ? envelope.data.temperature : envelope.data.units.temperature
  }
  // @ts-expect-error a failure has no data
  envelope.data.temperature
  const stops: boolean = envelope.error.details.next_action === 'stop'
  // @ts-expect-error no such next action
  if (envelope.error.details.next_action === 'pray') return 0
  return stops && !envelope.error.retryable ? envelope.error.code : envelope.error.details.request_id
}

export const wrong = async () => {
  const client = createClient<paths>({ baseUrl: 'http://127.0.0.1' })
  // @ts-expect-error a field that is misspelt
  await client.POST('/api/capabilities/current_weather', { body: { locaton: 'London' } })
  // @ts-expect-error a value that is not among the units
  await client.POST('/api/capabilities/current_weather', { body: { location: 'London', units: 'kelvin' } })
  // @ts-expect-error no such capability
  await client.POST('/api/capabilities/current_wether', { body: { location: 'London' } })
}
`

t.test('a client typed by openapi-typescript compiles, narrows on success and knows the fields', async t => {
  const typed = async (text: string) => astToString(await openapiTypescript(text, { silent: true }))
  t.strictSame(complaints({ 'weather.ts': await typed(documents.weather), 'calling.ts': calling }), [])
  t.strictSame(complaints({ 'currency.ts': await typed(documents.currency) }), [])
  t.strictSame(complaints({ 'odd.ts': await typed(documents.odd) }), [])
})

const named = `
import { Api } from './weather.js'

export async function temperature (): Promise<number> {
  const { data: envelope } = await new Api().api.currentWeather({ location: 'London' })
  // @ts-expect-error a field that is misspelt
  await new Api().api.currentWeather({ locaton: 'London' })
  return envelope.data.temperature
}
`

t.test('a generator of another kind makes a client too, with the names of the capabilities', async t => {
  const generated = async (text: string) => {
    const { files } = await generateApi({ spec: JSON.parse(text), output: false, silent: true })
    return files[0]!.fileContent.replace('// @ts-nocheck', '')
  }
  t.strictSame(complaints({ 'weather.ts': await generated(documents.weather), 'named.ts': named }), [])
  t.strictSame(complaints({ 'currency.ts': await generated(documents.currency) }), [])
  t.strictSame(complaints({ 'odd.ts': await generated(documents.odd) }), [])
})
