import { Validator } from '@seriousme/openapi-schema-validator'
import { Type } from '@sinclair/typebox'
import t from 'tap'
import { defineCapability, type ErrorDeclarations } from '../../../src/capability/define.js'
import { openapiDocument, type OpenapiOptions } from '../../../src/capability/openapi.js'
import type { JsonSchema } from '../../../src/schema/infer.js'
import { varied } from '../../fixtures/varied-schemas.js'

interface Said { hidden?: boolean, effect?: 'read' | 'write', input?: JsonSchema, output?: JsonSchema, upstreams?: string[], errors?: ErrorDeclarations, examples?: Array<{ input: unknown, output?: unknown }> }
const tool = (name: string, { effect = 'read', input = Type.Object({}), output = Type.Object({}), ...rest }: Said = {}) =>
  defineCapability<JsonSchema, JsonSchema, ErrorDeclarations, string>({ name, description: `Tool ${name}.`, effect, input, output, ...rest, handler: async () => ({}) })
const document = (capabilities: OpenapiOptions['capabilities'], more: Partial<OpenapiOptions> = {}): any => {
  // As it is sent: plain JSON.
  return JSON.parse(JSON.stringify(openapiDocument({ name: 'test-tool', version: '1.0.0', capabilities, base: '', ...more })))
}
const operation = (said: Said) => document([tool('a', said)]).paths['/api/capabilities/a'].post

t.test('the document names the service, and one operation a capability, sorted by name', async t => {
  const { paths, components, ...rest } = document([tool('b'), tool('c', { hidden: true }), tool('a')])
  t.strictSame(rest, { openapi: '3.1.0', info: { title: 'test-tool', version: '1.0.0' } })
  t.strictSame(Object.entries(paths).map(([path, item]) => [path, Object.keys(item as object)]), [['/api/capabilities/a', ['post']], ['/api/capabilities/b', ['post']]])
  t.match(paths['/api/capabilities/a'].post, { operationId: 'a', tags: ['capabilities'], description: 'Tool a.', 'x-candor-effect': 'read', 'x-candor-idempotent': false, 'x-candor-errors': [] })
  t.strictSame(Object.keys(components.schemas), ['FailureEnvelope', 'SuccessMeta'])
})

t.test('the order in which capabilities come makes no difference', async t => {
  const place = Type.Object({ lat: Type.Number() }, { $id: 'Place' })
  const [a, b] = [tool('a', { input: Type.Object({ place }) }), tool('b', { input: Type.Object({ place }), output: place })]
  t.equal(JSON.stringify(document([a, b])), JSON.stringify(document([b, a])))
})

t.test('prefix, servers and description are said where there are any', async t => {
  const { info, servers, paths } = document([tool('a')], { base: '/tools', description: 'Tools.', servers: [{ url: 'https://example.com' }] })
  t.strictSame([info, servers, Object.keys(paths)], [{ title: 'test-tool', version: '1.0.0', description: 'Tools.' }, [{ url: 'https://example.com' }], ['/tools/api/capabilities/a']])
})

t.test('the address of a server and a path make one address', async t => {
  const urls = ['https://example.com/weather/', '/weather//', '/', 'https://example.com']
  t.strictSame(document([], { servers: urls.map(url => ({ url, description: 'One.' })) }).servers, ['https://example.com/weather', '/weather', '/', 'https://example.com'].map(url => ({ url, description: 'One.' })))
})

t.test('routes that are no capabilities stand beside them, after them and as they are', async t => {
  const route = (method: string, url: string, summary: string, schema: JsonSchema = {}) => ({ methods: [method], url, schema: { summary, ...schema }, shared: () => ({ Place: { $id: 'Place', type: 'object', properties: { lat: { type: 'number' } } } }) })
  const { paths, components } = document([tool('b')], {
    routes: [
      route('GET', '/places', 'The places', { response: { 200: { type: 'array', items: { $ref: 'Place#' } } } }),
      route('POST', '/places', 'A new place'),
      route('POST', '/places', 'The same for another host'),
      route('POST', '/api/capabilities/b', 'Not what is called'),
      route('GET', '/hidden', 'Hidden', { hide: true })
    ]
  })
  t.strictSame(Object.entries<any>(paths).map(([path, item]) => [path, Object.entries<any>(item).map(([method, { summary }]) => `${method} ${summary}`).sort()]), [
    ['/api/capabilities/b', ['post undefined']],
    ['/places', ['get The places', 'post A new place']]
  ])
  t.match(paths['/places'].get.responses, {
    200: { headers: { 'x-request-id': {} }, content: { 'application/json': { schema: { type: 'array', items: { $ref: '#/components/schemas/Place' } } } } },
    default: { description: 'A failure.', content: { 'application/json': { schema: { $ref: '#/components/schemas/FailureEnvelope' } } } }
  })
  t.strictSame(components.schemas.Place, { type: 'object', properties: { lat: { type: 'number' } } })
})

t.test('the request is the input, with its examples', async t => {
  const { requestBody } = operation({ input: Type.Object({ place: Type.String({ 'x-candor-sensitive': true }) }), examples: [{ input: { place: 'A' } }, { input: { place: 'B' } }] })
  t.strictSame(requestBody, {
    required: true,
    content: {
      'application/json': {
        schema: { type: 'object', required: ['place'], properties: { place: { type: 'string' } }, additionalProperties: false },
        examples: { example_1: { value: { place: 'A' } }, example_2: { value: { place: 'B' } } }
      }
    }
  })
  t.equal(operation({ input: Type.Object({ place: Type.Optional(Type.String()) }) }).requestBody.required, false)
})

t.test('a choice among values is one plain list', async t => {
  const { requestBody } = operation({ input: varied.literal_union })
  t.strictSame(requestBody.content['application/json'].schema.properties, {
    unit: { type: 'string', enum: ['metric', 'imperial'] },
    v: { type: 'number', const: 1 },
    n: { type: ['string', 'number', 'null'], enum: ['a', 2, null] }
  })
})

t.test('success is the envelope around the output', async t => {
  const { responses } = operation({ output: Type.Object({ temperature: Type.Number() }), examples: [{ input: {} }, { input: {}, output: { temperature: 1 } }] })
  t.strictSame(responses['200'], {
    description: 'The answer, in its envelope.',
    headers: { 'x-request-id': { $ref: '#/components/headers/RequestId' } },
    content: {
      'application/json': {
        schema: {
          type: 'object',
          required: ['success', 'data'],
          properties: {
            success: { type: 'boolean', const: true },
            data: { type: 'object', required: ['temperature'], properties: { temperature: { type: 'number' } } },
            meta: { $ref: '#/components/schemas/SuccessMeta' }
          }
        },
        examples: { example_1: { value: { success: true, data: { temperature: 1 } } } }
      }
    }
  })
})

t.test('each status has its codes, with what to do about them', async t => {
  const { responses, 'x-candor-errors': declared } = operation({ errors: { PLACE_NOT_FOUND: { category: 'NOT_FOUND', retryable: true, description: 'No place matches.', hint: 'Add the country.' } } })
  t.strictSame(Object.keys(responses), ['200', '400', '401', '403', '404', '408', '413', '415', '429', '500', '503', '504', 'default'])
  t.strictSame(responses['404'], {
    description: '- `PLACE_NOT_FOUND`: No place matches. Add the country.\n- `CAPABILITY_NOT_FOUND`: This tool does not offer the capability any more. Ask for the list of capabilities again.',
    headers: { 'x-request-id': { $ref: '#/components/headers/RequestId' }, 'x-should-retry': { $ref: '#/components/headers/ShouldRetry' } },
    content: {
      'application/json': {
        schema: {
          allOf: [
            { $ref: '#/components/schemas/FailureEnvelope' },
            { type: 'object', properties: { error: { type: 'object', properties: { code: { type: 'string', enum: ['PLACE_NOT_FOUND', 'CAPABILITY_NOT_FOUND'] } } } } }
          ]
        }
      }
    }
  })
  t.strictSame(declared, [{ code: 'PLACE_NOT_FOUND', status: 404, category: 'NOT_FOUND', retryable: true, description: 'No place matches.', hint: 'Add the country.' }])
  t.match(responses.default, { content: { 'application/json': { schema: { $ref: '#/components/schemas/FailureEnvelope' } } } })
  t.equal(responses['403'].description, '- `ORIGIN_NOT_ALLOWED`: The request comes from a web page that may not call this tool.\n- `FORBIDDEN`: The caller may not use this capability.')
})

t.test('a wait is announced where the same request may be sent again', async t => {
  const { responses } = operation({ upstreams: ['maps'] })
  t.strictSame(Object.keys(responses).filter(status => 'Retry-After' in responses[status].headers), ['408', '429', '502', '503', '504'])
  t.strictSame(responses['429'].headers['Retry-After'], { $ref: '#/components/headers/RetryAfter' })
  t.strictSame(Object.keys(document([]).components.headers), ['RequestId', 'ShouldRetry', 'RetryAfter'])
})

t.test('a write says that it may have happened', async t => {
  const { responses, 'x-candor-effect': effect } = operation({ effect: 'write', errors: { CLOSED: { category: 'INPUT_ERROR', description: 'Closed.' } } })
  t.equal(effect, 'write')
  t.match(responses['500'].description, /^A write that was carried out, or may have been, .*\n\n- `INTERNAL_ERROR`: /)
  t.match(responses['500'].description, /- `CLOSED`: Closed\./)
  t.notMatch(responses['400'].description, /A write that was carried out/)
})

t.test('a document of many kinds of schemas is valid OpenAPI', async t => {
  const made = document(Object.entries(varied).map(([name, schema], index) => tool(name, { input: schema, output: schema, effect: index % 2 === 0 ? 'read' : 'write', upstreams: ['maps'] })), { base: '/tools' })
  const validator = new Validator()
  const { valid, errors } = await validator.validate(made)
  t.ok(valid, { errors })
  t.equal(validator.version, '3.1')
  t.doesNotThrow(() => new Validator().resolveRefs({ specification: made }))
  t.strictSame(Object.keys(made.components.schemas), [
    'FailureEnvelope', 'List', 'ListOutput', 'Place', 'PlaceOutput', 'SuccessMeta', 'plain_json_schema_input_At', 'plain_json_schema_output_At', 'recursion_input_1', 'recursion_output_1',
    'recursive_root_input', 'recursive_root_output'
  ])
})

t.test('every reference of a document leads somewhere, and no keyword of ours is in a schema', async t => {
  const text = JSON.stringify(document(Object.entries(varied).map(([name, schema]) => tool(name, { input: schema, output: schema }))))
  const made = JSON.parse(text)
  const refs = [...new Set([...text.matchAll(/"\$ref":"([^"]+)"/g)].map(([, ref]) => ref!))]
  t.ok(refs.length > 10)
  for (const ref of refs) t.ok(ref.split('/').slice(1).reduce((node, key) => node?.[key], made), ref)
  t.notMatch(text, /x-candor-(?!effect|idempotent|errors)|"\$id"|"\$schema"|"\$defs"/)
})

t.test('a service that asks who calls says so, and which operations ask for more or for nothing', async t => {
  const guarded = { ...tool('b'), scopes: ['read'] }
  const routes = [
    { methods: ['GET'], url: '/open', schema: {}, shared: () => ({}), isPublic: true },
    { methods: ['GET'], url: '/more', schema: {}, shared: () => ({}), scopes: ['admin'] },
    { methods: ['GET'], url: '/same', schema: {}, shared: () => ({}) }
  ]
  const { security, components, paths } = document([tool('a'), guarded], { routes, auth: { areCallsPublic: false } })
  t.strictSame(security, [{ bearer: [] }])
  t.match(components.securitySchemes, { bearer: { type: 'http', scheme: 'bearer' } })
  const said = Object.fromEntries(Object.entries<any>(paths).map(([path, item]) => [path, Object.values<any>(item)[0].security]))
  t.strictSame(said, { '/api/capabilities/a': undefined, '/api/capabilities/b': [{ bearer: ['read'] }], '/more': [{ bearer: ['admin'] }], '/open': [], '/same': undefined })
  t.match(await new Validator().validate(document([tool('a'), guarded], { routes, auth: { areCallsPublic: false } })), { valid: true })
  t.strictSame([guarded, tool('a')].map(one => Object.values<any>(document([one], { auth: { areCallsPublic: true } }).paths)[0].post.security), [[{ bearer: ['read'] }], []])
  t.equal(document([guarded]).paths['/api/capabilities/b'].post.security, undefined)
})
