import { Type } from '@sinclair/typebox'
import t from 'tap'
import { createComponents } from '../../../src/capability/components.js'
import { mistakesInRoutes, operationsOf, visibleRoutes, type DocumentedRoute } from '../../../src/capability/route-operations.js'
import type { JsonSchema } from '../../../src/schema/infer.js'

const route = (method: string | string[], url: string, schema: JsonSchema = {}, shared: Record<string, JsonSchema> = {}): DocumentedRoute => ({ methods: [method].flat(), url, schema, shared: () => shared })
const names = (routes: DocumentedRoute[]) => visibleRoutes(routes).map(({ methods, url }) => `${methods.join(',')} ${url}`)
const common = { success: { headers: 'ours' }, failure: { description: 'A failure.' } }
const placed = (one: DocumentedRoute): any[] => operationsOf(one, createComponents([], {}), common)
const operation = (method: string, url: string, schema: JsonSchema, shared = {}) => placed(route(method, url, schema, shared))[0].operation

t.test('routes come by path, without hidden ones, HEAD twins, and methods that OpenAPI does not know', async t => {
  t.strictSame(names([route('HEAD', '/b'), route('GET', '/b'), route('HEAD', '/a'), route('GET', '/c', { hide: true }), route(['GET', 'HEAD', 'PROPFIND'], '/a/x'), route('PROPFIND', '/d'), route('OPTIONS', '*')]), ['HEAD /a', 'GET /a/x', 'GET /b'])
})

t.test('an operationId is one operation, and none of a capability', async t => {
  const routes = [route('GET', '/a', { operationId: 'list' }), route(['GET', 'POST'], '/b', { operationId: 'other' }), route('GET', '/c'), route('GET', '/d', { operationId: 'echo', hide: true })]
  t.strictSame(mistakesInRoutes(routes, ['echo']), [])
  t.strictSame(mistakesInRoutes([...routes, route('PUT', '/e', { operationId: 'echo' }), route('PUT', '/f', { operationId: 'list' })], ['echo']), [
    "Route PUT /e: expected an `operationId` of its own, got 'echo', which is a capability's.",
    "Route PUT /f: expected an `operationId` of its own, got 'list', which is that of GET /a."
  ])
  t.strictSame(placed(routes[1]!).map(({ method, operation }) => [method, operation.operationId]), [['get', 'other'], ['post', undefined]])
  t.strictSame(placed(route('GET', '/a/:b?', { operationId: 'list' })).map(({ path, operation }) => [path, operation.operationId]), [['/a/{b}', 'list'], ['/a', undefined]])
})

t.test('what a schema says of its route is said', async t => {
  const said = { tags: ['places'], summary: 'A place', description: 'One place.', deprecated: true, externalDocs: { url: 'https://example.com' } }
  t.match(operation('GET', '/a', { ...said, operationId: 'get_place', security: [{ key: [] }], other: 1 }), { ...said, operationId: 'get_place', security: undefined, other: undefined, parameters: undefined, requestBody: undefined })
})

t.test('parameters come from path, query and headers', async t => {
  const { parameters } = operation('GET', '/places/:id/:kind', {
    params: Type.Object({ id: Type.Integer({ description: 'The id.' }), elsewhere: Type.String() }),
    querystring: Type.Object({ units: Type.Ref('Units'), q: Type.Optional(Type.Array(Type.String(), { description: 'Words.' })) }),
    headers: { type: 'object', required: ['x-key'], properties: { 'x-key': { type: 'string' }, Accept: { type: 'string' }, authorization: { type: 'string' } } }
  }, { Units: { $id: 'Units', type: 'string' } })
  t.strictSame(parameters, [
    { name: 'id', in: 'path', required: true, description: 'The id.', schema: { type: 'integer' } },
    { name: 'kind', in: 'path', required: true, schema: { type: 'string' } },
    { name: 'units', in: 'query', required: true, schema: { $ref: '#/components/schemas/Units' } },
    { name: 'q', in: 'query', description: 'Words.', schema: { type: 'array', items: { type: 'string' } } },
    { name: 'x-key', in: 'header', required: true, schema: { type: 'string' } }
  ])
  const rest = { type: 'object', properties: { '*': { type: 'string', description: 'The path of a file.' } } }
  t.strictSame(operation('GET', '/files/*', { params: rest, querystring: { type: 'object', properties: { wildcard: {} } } }).parameters, [
    { name: 'wildcard', in: 'path', required: true, description: 'The path of a file.', schema: { type: 'string' } },
    { name: 'wildcard', in: 'query', schema: {} }
  ])
  t.match(operation('GET', '/', { query: { properties: { q: {} } } }).parameters, [{ name: 'q', in: 'query' }], "Fastify's older word")
})

t.test('a body is what the route takes, in the media types it says', async t => {
  const body = Type.Object({ name: Type.String() })
  const json = { 'application/json': { schema: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } } } }
  t.strictSame(operation('POST', '/a', { body }).requestBody, { required: true, content: json })
  t.strictSame(Object.keys(operation('POST', '/a', { body, consumes: ['text/csv', 'text/plain'] }).requestBody.content), ['text/csv', 'text/plain'])
  t.strictSame(operation('PUT', '/a', { body: { description: 'A name.', content: { 'application/json': { schema: body }, 'text/plain': { schema: true } } } }).requestBody, { required: true, description: 'A name.', content: { ...json, 'text/plain': {} } })
  t.strictSame(operation('PUT', '/a', { body: { description: 'A name.', $ref: 'Name#' } }, { Name: { $id: 'Name', ...body } }).requestBody, { required: true, description: 'A name.', content: { 'application/json': { schema: { $ref: '#/components/schemas/Name' } } } })
  for (const method of ['GET', 'HEAD']) t.notOk('requestBody' in operation(method, '/a', { body }), method)
  class Foreign { type = 'object' }
  t.notOk('requestBody' in operation('POST', '/a', { body: new Foreign() }), 'another validator knows what it is')
})

t.test('answers are as the schema of the route says, and a failure is ours', async t => {
  const { responses } = operation('GET', '/a', { produces: ['text/csv'], response: { 200: { type: 'string', description: 'A table.' }, 204: { type: 'object' }, '4xx': { type: 'null' }, 404: true } })
  t.strictSame(responses, {
    200: { headers: 'ours', description: 'A table.', content: { 'text/csv': { schema: { type: 'string', description: 'A table.' } } } },
    204: { headers: 'ours', description: 'No Content' },
    '4XX': { headers: 'ours', description: 'The answer.' },
    default: { description: 'A failure.' }
  })
  t.strictSame(operation('GET', '/a', {}).responses, { 200: { headers: 'ours', description: 'The answer. The route does not say what is in it.' }, default: { description: 'A failure.' } })
  t.match(operation('GET', '/a', { response: { default: { type: 'string' } } }).responses, { 200: undefined, default: { content: { 'application/json': { schema: { type: 'string' } } } } })
})

t.test('the HEAD of a plugin\'s own address is a twin at both of its spellings', async t => {
  const users = [route('GET', '/users', { operationId: 'list_users' }), route('HEAD', '/users/', { operationId: 'list_users' })]
  t.strictSame(names(users), ['GET /users'])
  t.strictSame(mistakesInRoutes(users, []), [])
})
