import Fastify, { type FastifyInstance, type FastifyReply } from 'fastify'
import fp from 'fastify-plugin'
import type { Test } from 'tap'
import t from 'tap'
import { createToolError, createToolService, honesty, toolReplies, toolService } from 'candor'
import { collector } from '../fixtures/log.js'

process.on('warning', warning => t.fail(warning.message))

async function plain (t: Test) {
  const { lines, stream } = collector()
  const app = Fastify({ logger: { stream } })
  t.teardown(() => app.close())
  await app.register(toolReplies)
  return { app, lines }
}

t.test('data goes out in the success envelope, with its meta', async t => {
  const { app } = await plain(t)
  app.get('/', (_, reply) => reply.sendToolSuccess({ temperature: 0 }, { sources: ['forecast'] }))
  app.get('/pending', (_, reply) => reply.sendToolSuccess(null, { status: 'pending', operation_id: 'o1' }))
  const response = await app.inject('/')
  t.equal(response.statusCode, 200)
  t.strictSame(response.json(), { success: true, data: { temperature: 0 }, meta: { sources: ['forecast'] } })
  t.match(response.headers, { 'content-type': 'application/json; charset=utf-8', 'x-request-id': /^req-/, 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' })
  t.equal((await app.inject('/pending')).statusCode, 202)
})

t.test('a failure goes out in the failure envelope, with the status of its category', async t => {
  const { app, lines } = await plain(t)
  app.get('/', (_, reply) => reply.sendToolError({ code: 'LOCATION_NOT_FOUND', category: 'NOT_FOUND', message: 'No place.', retryable: true, details: { candidates: ['a', 'b'] } }))
  app.get('/wrong-status', (_, reply) => reply.sendToolError({ code: 'LOCATION_NOT_FOUND', category: 'NOT_FOUND', message: 'No place.', status: 200 }))
  app.get('/made', (_, reply) => reply.sendToolError(createToolError({ code: 'GONE_FOR_GOOD', category: 'NOT_FOUND', status: 410, message: 'Gone.' })))
  app.get('/wait', (_, reply) => reply.sendToolError({ code: 'SLOW_DOWN', category: 'RATE_LIMIT', message: 'Slower.', retryAfterMs: 1500 }))
  const response = await app.inject('/')
  t.equal(response.statusCode, 404)
  t.strictSame(response.json(), { success: false, error: { code: 'LOCATION_NOT_FOUND', message: 'No place.', category: 'NOT_FOUND', retryable: true, details: { candidates: 'a; b', next_action: 'fix_input', request_id: response.headers['x-request-id'] } } })
  t.equal((await app.inject('/wrong-status')).statusCode, 404)
  t.equal((await app.inject('/made')).statusCode, 410)
  t.match((await app.inject('/wait')).headers, { 'retry-after': '2' })
  const told = lines.filter(({ code }) => code === 'LOCATION_NOT_FOUND')
  t.equal(told.length, 2, 'each failure is logged once')
  t.equal(told[0]!.reqId, response.headers['x-request-id'])
})

t.test("a foreign error's status and message never leak", async t => {
  const { app, lines } = await plain(t)
  const thrown: unknown[] = [null, undefined, 'boom', 42, { statusCode: 404, secret: 'sk-1' }, Object.assign(new Error('sk-1 rejected'), { statusCode: 401 }), Object.assign(new Error('sk-1'), { status: 401 }), { statusCode: 200 }, Object.assign(new Error('sk-1'), { statusCode: '429' })]
  app.get<{ Params: { n: number } }>('/:n', async (request, reply) => {
    try { throw thrown[request.params.n] } catch (error) { return reply.sendToolError(error) }
  })
  for (const n of thrown.keys()) {
    const response = await app.inject(`/${n}`)
    t.equal(response.statusCode, 500)
    t.match(response.json(), { error: { code: 'INTERNAL_ERROR', retryable: false } })
    t.notMatch(response.body, /sk-1|secret|boom/)
  }
  t.ok(lines.some(({ err }) => err?.message === 'sk-1 rejected'), 'the log has the real cause')
})

t.test('the replies are everywhere in the app: child scopes, plugins, hooks, error handlers', async t => {
  const { app } = await plain(t)
  app.register(async child => {
    child.get('/child', (_, reply) => reply.sendToolSuccess(1))
    child.register(async grandchild => { grandchild.get('/grandchild', (_, reply) => reply.sendToolSuccess(1)) })
  }, { prefix: '/a' })
  app.register(fp(async plugin => { plugin.get('/plugin', (_, reply) => reply.sendToolSuccess(1)) }))
  app.get('/hook', { onRequest: async (_, reply) => reply.sendToolError({ code: 'NOT_TODAY', category: 'AUTH_ERROR', message: 'No.' }) }, async () => 1)
  app.get('/throws', async () => { throw new Error('sk-1') })
  app.setErrorHandler((error, _, reply) => reply.sendToolError(error))
  for (const path of ['/a/child', '/a/grandchild', '/plugin']) t.strictSame((await app.inject(path)).json(), { success: true, data: 1 }, path)
  t.match((await app.inject('/hook')).json(), { error: { code: 'NOT_TODAY' } })
  t.match((await app.inject('/throws')).json(), { error: { code: 'INTERNAL_ERROR' } })
})

t.test('registered after a route, start-up fails and says so', async t => {
  const app = Fastify()
  t.teardown(() => app.close())
  app.get('/', async () => 1)
  await t.rejects(async () => await app.register(toolReplies), { message: 'Expected `toolReplies` to be registered before the first route: put `await app.register(toolReplies)` above it.' })
})

t.test('registered again it has no effect, with options it is an error', async t => {
  const { app } = await plain(t)
  app.get('/', (_, reply) => reply.sendToolSuccess(1))
  await app.register(toolReplies)
  await app.register(async child => { await child.register(toolReplies) })
  t.strictSame((await app.inject('/')).json(), { success: true, data: 1 })

  const other = Fastify()
  t.teardown(() => other.close())
  await t.rejects(async () => await other.register(toolReplies, { prefix: '/x' } as object), { name: 'TypeError', message: /without options, got `prefix`/ })
})

t.test('beside a tool service it has no effect', async t => {
  const app = await createToolService({ name: 'x', version: '1.0.0', logger: false, capabilities: [] })
  t.teardown(() => app.close())
  await app.register(toolReplies)
  app.get('/', (_, reply) => reply.sendToolSuccess(1))
  t.strictSame((await app.inject('/')).json(), { success: true, data: 1 })

  const own = await plain(t)
  await own.app.register(toolService, { prefix: '/x', name: 'x', version: '1.0.0', capabilities: [] })
  t.equal((await own.app.inject('/x/health')).statusCode, 200)
})

t.test('what cannot be claimed as a success is none', async t => {
  const { app } = await plain(t)
  const cycle: Record<string, unknown> = {}
  cycle.self = cycle
  const answers: Array<[send: (reply: FastifyReply) => FastifyReply, code: string]> = [
    [reply => reply.sendToolSuccess({ id: 10n }), 'OUTPUT_INVALID'],
    [reply => reply.sendToolSuccess(cycle), 'OUTPUT_INVALID'],
    [reply => reply.sendToolSuccess({ t: NaN }), 'OUTPUT_INVALID'],
    [reply => reply.sendToolSuccess(undefined), 'EMPTY_HANDLER_RESULT'],
    [reply => reply.sendToolSuccess(1, { source: 'a' } as object), 'INTERNAL_ERROR']
  ]
  app.get<{ Params: { n: number } }>('/:n', async (request, reply) => await answers[request.params.n]![0](reply))
  for (const [n, [, code]] of answers.entries()) t.match((await app.inject(`/${n}`)).json(), { success: false, error: { code, retryable: false } })
})

t.test("the envelope never goes through a route's own schema or serialiser", async t => {
  const { app } = await plain(t)
  const narrow = { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] }
  app.get('/schema', { schema: { response: { 200: narrow, 400: narrow } } }, async (_, reply) => reply.sendToolError({ code: 'TOO_BAD', category: 'INPUT_ERROR', message: 'Bad.' }))
  app.get('/serializer', async (_, reply) => reply.serializer(() => 'mine').sendToolSuccess(1))
  t.match((await app.inject('/schema')).json(), { error: { code: 'TOO_BAD', details: { next_action: 'stop' } } })
  t.strictSame((await app.inject('/serializer')).json(), { success: true, data: 1 })
})

t.test('headers of a body that is not sent, and illegal ones, do not go with a failure', async t => {
  const { app } = await plain(t)
  app.get('/', async (_, reply) => reply.headers({ 'content-encoding': 'gzip', etag: '"1"', 'x-bad': 'a\nb', 'x-good': 'a' }).sendToolError(new Error('x')))
  const { headers, statusCode } = await app.inject('/')
  t.equal(statusCode, 500)
  t.equal(headers['x-good'], 'a')
  for (const name of ['content-encoding', 'etag', 'x-bad']) t.notOk(name in headers, name)
})

t.test('the first answer stands, and a second one is logged', async t => {
  const { app, lines } = await plain(t)
  app.get('/a', async (_, reply) => { reply.sendToolSuccess(1); reply.sendToolSuccess(2) })
  app.get('/b', async (_, reply) => { reply.sendToolSuccess(1); reply.sendToolError(new Error('late')) })
  for (const path of ['/a', '/b']) t.strictSame((await app.inject(path)).json(), { success: true, data: 1 })
  t.match(lines.filter(({ msg }) => msg === 'A second answer was dropped; the first one stands.'), [{ level: 50, err: { message: /second/ } }, { level: 50, err: { message: 'late' } }])
})

t.test('the replies are typed by augmentation', async t => {
  const check = (app: FastifyInstance): void => {
    app.get('/', (_, reply) => {
      // @ts-expect-error: no such key
      reply.sendToolSuccess(1, { source: 'a' })
      return reply.sendToolSuccess(1)
    })
  }
  t.type(check, 'function')
})

t.test('where claims are checked, one that does not hold is a failure, and one that may stand says what was found', async t => {
  const app = Fastify()
  t.teardown(() => app.close())
  await app.register(toolReplies)
  await app.register(honesty, { honesty: { 'no-result': 'warn' } })
  app.get('/mock', async (_, reply) => reply.sendToolSuccess({ mock: true }))
  app.get('/nothing', async (_, reply) => reply.sendToolSuccess(undefined, { cached: true }))
  const mock = await app.inject('/mock')
  t.equal(mock.statusCode, 500)
  t.match(mock.json(), { success: false, error: { code: 'MOCK_DATA_REJECTED', retryable: false } })
  t.strictSame((await app.inject('/nothing')).json(), { success: true, data: null, meta: { cached: true, warnings: [{ rule: 'no-result', code: 'EMPTY_HANDLER_RESULT' }] } })
})
