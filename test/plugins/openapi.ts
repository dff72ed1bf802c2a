import Fastify, { type FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { openapi } from '../../plugins/openapi.js'
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
