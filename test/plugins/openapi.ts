import Fastify, { type FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { openapi } from '../../plugins/openapi.js'
import { hashApiKey } from '../../src/policy/api-keys.js'
import { build as buildService } from '../fixtures/build.js'
import { echo, reading } from '../fixtures/capabilities.js'

process.on('warning', warning => t.fail(warning.message))

async function build (t: Test, addRoutes: (app: FastifyInstance) => unknown = () => {}): Promise<FastifyInstance> {
  const app = Fastify()
  t.teardown(() => app.close())
  await app.register(openapi, { name: 'x', version: '1.0.0', base: '/b', capabilities: [echo, reading('secret', async () => ({}), true)] })
  await addRoutes(app)
  return app
}
const pathsOf = async (app: FastifyInstance): Promise<Record<string, any>> => (await app.inject('/openapi.json')).json().paths

t.test('the document is served as JSON, with every capability', async t => {
  const app = await build(t)
  const response = await app.inject('/openapi.json')
  t.equal(response.headers['content-type'], 'application/json; charset=utf-8')
  t.equal((await app.inject('/openapi.json')).body, response.body)
  t.match(response.json(), { openapi: /^3\.1/, info: { title: 'x', version: '1.0.0' }, paths: { '/b/api/capabilities/echo': { post: {} } } })
  t.strictSame(Object.keys(response.json().paths), ['/b/api/capabilities/echo'], 'and nothing of its own')
})

t.test('a reader that has the document is sent nothing more', async t => {
  const app = await build(t)
  const { headers } = await app.inject('/openapi.json')
  t.match(headers, { etag: /^"[\w-]{22}"$/, 'cache-control': 'no-cache' })
  t.match(await app.inject({ url: '/openapi.json', headers: { 'if-none-match': headers.etag as string } }), { statusCode: 304, body: '', headers: { etag: headers.etag } })
  t.equal((await app.inject({ url: '/openapi.json', headers: { 'if-none-match': '"old"' } })).statusCode, 200)
  t.match(await app.inject({ method: 'HEAD', url: '/openapi.json' }), { statusCode: 200, body: '' })
})

t.test('your own routes with schemas are in it, however deep and late, and no others', async t => {
  const app = await build(t, app => {
    app.get('/bare', async () => '')
    app.get('/hidden', { schema: { hide: true } }, async () => '')
    app.get('/told', { schema: { summary: 'Told.', tags: ['mine'], operationId: 'tell' } }, async () => '')
    app.register(async scope => {
      scope.addSchema({ $id: 'Place', type: 'string' })
      scope.post('/deep', { schema: { body: { type: 'array', items: { $ref: 'Place#' } } } }, async () => '')
      scope.route({ method: ['PUT', 'PATCH'], url: '/late', schema: { body: { $ref: 'Later#' } }, handler: async () => '' })
      scope.addSchema({ $id: 'Later', type: 'number' })
    }, { prefix: '/in' })
  })
  const paths = await pathsOf(app)
  t.strictSame(Object.entries(paths).map(([path, item]) => `${Object.keys(item).sort().join()} ${path}`), ['post /b/api/capabilities/echo', 'post /in/deep', 'patch,put /in/late', 'get /told'])
  t.match(paths['/told'].get, { summary: 'Told.', tags: ['mine'], operationId: 'tell' })
  t.match((await app.inject('/openapi.json')).json(), {
    paths: { '/in/deep': { post: { requestBody: { content: { 'application/json': { schema: { items: { $ref: '#/components/schemas/Place' } } } } } } } },
    components: { schemas: { Place: { type: 'string' }, Later: { type: 'number' } } }
  })
})

t.test('an operationId that is taken stops the start', async t => {
  const app = await build(t, app => {
    app.get('/a', { schema: { operationId: 'echo' } }, async () => '')
    app.get('/b', { schema: { operationId: 'mine' } }, async () => '')
    app.get('/c', { schema: { operationId: 'mine' } }, async () => '')
  })
  await t.rejects(async () => await app.ready(), new TypeError("x cannot start.\n- Route GET /a: expected an `operationId` of its own, got 'echo', which is a capability's.\n- Route GET /c: expected an `operationId` of its own, got 'mine', which is that of GET /b."))
  const other = await build(t, app => { app.get('/a', { schema: { operationId: 'secret' } }, async () => '') })
  await t.resolves(async () => await other.ready(), 'a hidden capability is in no document')
})

t.test('with keys, a caller reads of what it may call alone', async t => {
  const guarded = { ...echo, name: 'guarded', scopes: ['read'] }
  const auth = { apiKeys: [{ id: 'a', sha256: hashApiKey('plain') }, { id: 'b', sha256: hashApiKey('reader'), scopes: ['read', 'admin'] }], public: ['/metrics', '/mine/*'] }
  const { app } = await buildService(t, { upstreams: { up: { baseUrl: 'http://127.0.0.1:1' } }, capabilities: [echo, guarded], auth })
  const schema = { summary: 'x' }
  app.get('/mine/open', { schema }, async () => '')
  app.get('/said', { schema, config: { public: true } }, async () => '')
  app.get('/admin', { schema, config: { scopes: ['admin'] } }, async () => '')
  const read = async (key: string) => await app.inject({ url: '/openapi.json', headers: { authorization: `Bearer ${key}` } })
  const plain = await read('plain')
  t.match(plain.headers, { 'cache-control': 'private, no-cache', vary: 'Authorization' })
  t.match(plain.json(), { security: [{ bearer: [] }], components: { securitySchemes: { bearer: {} } } })
  t.strictSame(Object.keys(plain.json().paths), ['/api/capabilities/echo', '/mine/open', '/said'])
  const { paths } = (await read('reader')).json()
  t.strictSame(Object.keys(paths), ['/api/capabilities/echo', '/api/capabilities/guarded', '/admin', '/mine/open', '/said'])
  t.strictSame([paths['/api/capabilities/guarded'].post.security, paths['/admin'].get.security, paths['/mine/open'].get.security, paths['/said'].get.security, paths['/api/capabilities/echo'].post.security], [[{ bearer: ['read'] }], [{ bearer: ['admin'] }], [], [], undefined])
  t.equal((await app.inject('/openapi.json')).statusCode, 401)
})

t.test('where it is open to all, it shows what all may call, and calls that are open to all say so', async t => {
  const capabilities = [{ ...echo, upstreams: [] }, { ...echo, name: 'guarded', upstreams: [], scopes: ['read'] }]
  const auth = { apiKeys: [{ id: 'b', sha256: hashApiKey('reader'), scopes: ['read'] }], public: ['/openapi.json', '/api/capabilities/:name'] }
  const { app } = await buildService(t, { capabilities, auth })
  const read = async (headers = {}) => await app.inject({ url: '/openapi.json', headers })
  const open = await read()
  t.match(open.headers, { 'cache-control': 'no-cache', vary: 'Authorization' })
  t.strictSame(Object.keys(open.json().paths), ['/api/capabilities/echo'])
  t.strictSame(open.json().paths['/api/capabilities/echo'].post.security, [])
  const known = await read({ authorization: 'Bearer reader' })
  t.match(known.headers, { 'cache-control': 'private, no-cache', vary: 'Authorization' })
  t.strictSame(known.json().paths['/api/capabilities/guarded'].post.security, [{ bearer: ['read'] }], 'where credentials are needed all the same')
  t.equal((await read({ authorization: 'Bearer x' })).statusCode, 401)
})
