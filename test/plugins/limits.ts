import { setTimeout as wait } from 'node:timers/promises'
import rateLimit from '@fastify/rate-limit'
import underPressure from '@fastify/under-pressure'
import Fastify from 'fastify'
import t, { type Test } from 'tap'
import { serverOptions, toolService, type Capability, type ToolServiceInstance } from 'candor'
import { servicesAt } from '../../src/call/service.js'
import { build, call } from '../fixtures/build.js'
import { echo, note } from '../fixtures/capabilities.js'
import { legacyHeaders, messagesIn, modernHeaders, modernRpc, rpc } from '../fixtures/mcp.js'

process.on('warning', warning => t.fail(warning.message))
process.on('unhandledRejection', error => t.fail(String(error)))

const upstreams = { up: { baseUrl: 'http://127.0.0.1:1' } }
const rate = { max: 2, windowMs: 60_000 }
const other: Capability = { ...echo, name: 'other', rateLimit: { max: 1, windowMs: 3_600_000 } }
const free: Capability = { ...echo, name: 'free', rateLimit: false }

const from = async (app: Pick<ToolServiceInstance, 'inject'>, remoteAddress: string, name = 'echo') => await app.inject({ method: 'POST', url: `/api/capabilities/${name}`, remoteAddress, payload: {} })

t.test('a caller hears how many calls are left, and when it has none, when to come back', async t => {
  const { app, lines } = await build(t, { upstreams, capabilities: [echo, note], limits: { rate } })
  t.match(await call(app, 'echo', {}), { status: 200, headers: { 'ratelimit-policy': '"default";q=2;w=60', ratelimit: '"default";r=1;t=60' } })
  t.match(await call(app, 'echo', {}), { status: 200, headers: { ratelimit: /^"default";r=0;t=(60|59)$/ } })
  const refused = await call(app, 'echo', {})
  t.match(refused, {
    status: 429,
    headers: { 'ratelimit-policy': '"default";q=2;w=60', ratelimit: /^"default";r=0;t=(60|59)$/, 'retry-after': /^(60|59)$/, 'x-should-retry': 'true' },
    body: { success: false, error: { code: 'RATE_LIMIT_EXCEEDED', category: 'RATE_LIMIT', retryable: true, message: 'echo takes 2 calls of one caller in 60 s.', details: { next_action: 'wait_and_retry' } } }
  })
  t.equal(refused.body.error.details.retry_after, `${refused.headers['retry-after']}s`)
  t.equal(refused.body.error.details.retry_after_source, undefined)
  t.equal(lines.filter(({ code }) => code === 'RATE_LIMIT_EXCEEDED').length, 1)
})

t.test('each capability is counted by itself, each by its own limit', async t => {
  const { app } = await build(t, { upstreams, capabilities: [echo, other, free, note], limits: { rate } })
  const statuses = async (name: string) => [await call(app, name, {}), await call(app, name, {}), await call(app, name, {})].map(({ status }) => status)
  t.strictSame(await statuses('echo'), [200, 200, 429])
  t.strictSame(await statuses('other'), [200, 429, 429])
  t.strictSame(await statuses('note'), [200, 200, 429])
  t.strictSame(await statuses('free'), [200, 200, 200])
  t.notOk('ratelimit' in (await call(app, 'free', {})).headers)
  t.match(await call(app, 'note', {}), { body: { error: { details: { outcome: 'not_applied' } } } })
})

t.test('a limit of one capability needs none of the service', async t => {
  const { app } = await build(t, { upstreams, capabilities: [echo, other] })
  t.match([await call(app, 'other', {}), await call(app, 'other', {}), await call(app, 'echo', {})], [{ status: 200 }, { status: 429 }, { status: 200 }])
})

t.test('callers that nobody knows are counted by address, those of one network of IPv6 together', async t => {
  const { app } = await build(t, { upstreams, capabilities: [other] })
  for (const [address, status] of [['10.0.0.1', 200], ['10.0.0.1', 429], ['10.0.0.2', 200], ['::ffff:10.0.0.2', 429], ['2001:db8::1', 200], ['2001:db8::2', 429], ['2001:db8:0:1::1', 200], ['fe80::1%eth0', 200], ['nowhere', 200]] as const) {
    t.equal((await from(app, address, 'other')).statusCode, status, address)
  }
})

t.test('a principal is counted as one, wherever it calls from', async t => {
  const { app } = await build(t, { upstreams, capabilities: [other] })
  const [service] = servicesAt(app.server)
  t.match(await service!.countCall!(other, 'principal key:Agent'), { isAllowed: true })
  t.match(await service!.countCall!(other, 'principal key:Agent'), { isAllowed: false })
  t.match(await service!.countCall!(other, 'principal key:agent'), { isAllowed: true })
})

t.test('calls over MCP are counted with the others, each of a batch, and what is refused is a result', async t => {
  const { app } = await build(t, { upstreams, capabilities: [echo], limits: { rate: { max: 3, windowMs: 60_000 } } })
  const mcp = async (id: number) => await app.inject({ method: 'POST', url: '/mcp', headers: modernHeaders('tools/call', 'echo'), payload: modernRpc('tools/call', { name: 'echo', arguments: {} }, id) })
  await call(app, 'echo', {})
  const batch = await app.inject({ method: 'POST', url: '/mcp', headers: legacyHeaders(), payload: [1, 2, 3].map(id => rpc('tools/call', { name: 'echo', arguments: {} }, id)) })
  t.strictSame(messagesIn(batch.body).map(({ result }) => result.structuredContent.success).sort(), [false, true, true])
  const [refused] = messagesIn((await mcp(3)).body)
  t.match(refused, { result: { isError: true, structuredContent: { success: false, error: { code: 'RATE_LIMIT_EXCEEDED', retryable: true, details: { retry_after: /^\d+s$/ } } } } })
  t.equal((await call(app, 'echo', {})).status, 429)
})

/** As much of a client of ioredis as counting needs, with a store that can be taken away. */
class FakeRedis {
  [command: string]: any
  counts = new Map<string, number>()
  mode: 'answers' | 'refuses' | 'silent' = 'answers'
  asked = 0
  ttl = 60_000

  defineCommand (name: string): void {
    this[name] = (key: string, _windowMs: number, _max: number, _continue: boolean, _backoff: boolean, done: (error: Error | null, result?: [number, number]) => void) => {
      this.asked++
      if (this.mode === 'refuses') setImmediate(done, new Error('Connection is closed.'))
      if (this.mode !== 'answers') return
      this.counts.set(key, (this.counts.get(key) ?? 0) + 1)
      done(null, [this.counts.get(key)!, this.ttl])
    }
  }
}

t.test('instances that share a store share their counts, and different services do not', async t => {
  const redis = new FakeRedis()
  const all = await Promise.all(['one', 'one', 'two'].map(async name => (await build(t, { name, upstreams, capabilities: [echo], limits: { rate, redis } })).app))
  t.strictSame((await Promise.all(all.map(async app => (await call(app, 'echo', {})).headers.ratelimit))), ['"default";r=1;t=60', '"default";r=0;t=60', '"default";r=1;t=60'])
  t.strictSame([...redis.counts.keys()], ['candor:one:echo:address 127.0.0.1', 'candor:two:echo:address 127.0.0.1'])
})

t.test('a count that never ends by mistake is told as a second', async t => {
  const redis = new FakeRedis()
  redis.ttl = -1
  const { app } = await build(t, { upstreams, capabilities: [other], limits: { redis } })
  await call(app, 'other', {})
  t.match(await call(app, 'other', {}), { status: 429, headers: { 'retry-after': '1', ratelimit: '"default";r=0;t=0' } })
})

/** A service whose Redis is gone, and what it said of it. */
async function outage (t: Test, whenRedisIsGone?: 'open' | 'closed') {
  const redis = new FakeRedis()
  const { app, lines } = await build(t, { upstreams, capabilities: [note, free], limits: { rate, redis, ...(whenRedisIsGone !== undefined && { whenRedisIsGone }) } })
  redis.mode = 'refuses'
  return { app, redis, said: () => lines.filter(({ msg }) => msg.includes('Redis')).map(({ level, msg }) => `${level} ${msg}`) }
}

t.test('while Redis is gone calls are taken, and the log says so once', async t => {
  const { app, redis, said } = await outage(t)
  for (let n = 0; n < 5; n++) {
    const answer = await call(app, 'note', {})
    t.equal(answer.status, 200)
    t.notOk('ratelimit' in answer.headers)
  }
  t.equal(redis.asked, 1)
  t.strictSame(said(), ['40 Redis does not answer: until it does, calls that are limited are taken uncounted.'])
  redis.mode = 'answers'
  await wait(1_020)
  t.match(await call(app, 'note', {}), { status: 200, headers: { ratelimit: '"default";r=1;t=60' } })
  t.strictSame(said().slice(1), ['30 Redis answers again: calls are counted.'])
})

t.test('or they are refused, where that is said: not those that have no limit', async t => {
  const { app, said } = await outage(t, 'closed')
  t.match(await call(app, 'note', {}), { status: 503, body: { error: { code: 'SERVICE_UNAVAILABLE', retryable: true, details: { outcome: 'not_applied', next_action: 'retry' } } } })
  t.equal((await call(app, 'free', {})).status, 200)
  t.strictSame(said(), ['40 Redis does not answer: until it does, calls that are limited are refused.'])
})

t.test('a Redis that is silent holds no call for long', async t => {
  const { app, redis } = await outage(t)
  redis.mode = 'silent'
  t.strictSame((await Promise.all([1, 2, 3].map(async () => await call(app, 'note', {})))).map(({ status }) => status), [200, 200, 200])
  await call(app, 'note', {})
  t.equal(redis.asked, 3)
})

/** A service past a bound that every process is past, as soon as it has looked. */
async function overloaded (t: Test, app: Pick<ToolServiceInstance, 'inject'>): Promise<void> {
  for (let tries = 0; tries < 100 && (await app.inject('/ready')).statusCode === 200; tries++) await wait(50)
  t.match((await app.inject('/ready')).json(), { success: false, error: { code: 'SERVICE_UNAVAILABLE', message: 'The service is not ready: overloaded.' } })
}

t.test('past its bounds a service takes nothing new, and says when to come back', async t => {
  let ran = 0
  const counting: Capability = { ...note, handler: async () => { ran++; return { done: true } } }
  const { app, lines } = await build(t, { capabilities: [counting], limits: { overload: { maxHeapUsedBytes: 1 } } })
  app.get('/mine', async () => 'mine')
  app.post('/mine', async () => 'mine')
  await overloaded(t, app)
  t.equal((await app.inject('/health')).statusCode, 200)
  t.equal((await app.inject({ method: 'HEAD', url: '/health' })).statusCode, 200)
  const refused = await call(app, 'note', {})
  t.match(refused, { status: 503, headers: { 'retry-after': '10', 'x-should-retry': 'true', 'x-content-type-options': 'nosniff' }, body: { error: { code: 'OVERLOADED', category: 'SERVICE_ERROR', retryable: true, details: { outcome: 'not_applied', retry_after: '10s', next_action: 'wait_and_retry' } } } })
  t.equal(ran, 0)
  for (const [method, url, outcome] of [['GET', '/api/capabilities', undefined], ['GET', '/mine', undefined], ['POST', '/mine', 'not_applied'], ['GET', '/nowhere', undefined]] as const) {
    const response = await app.inject({ method, url })
    t.match(response.json(), { error: { code: 'OVERLOADED', details: { retry_after: `${response.headers['retry-after']}s` } } }, url)
    t.equal(response.json().error.details.outcome, outcome, url)
    t.ok(Number(response.headers['retry-after']) > 10, 'not all at once')
  }
  const mcp = await app.inject({ method: 'POST', url: '/mcp', headers: modernHeaders('tools/list'), payload: modernRpc('tools/list') })
  t.match(mcp, { statusCode: 503, headers: { 'retry-after': /^\d+$/ } })
  t.match(mcp.json(), { jsonrpc: '2.0', error: { code: -32000 } })
  t.equal(lines.filter(({ code }) => code === 'OVERLOADED').length, 6)
})

t.test('within its bounds it answers, below a prefix too, however that ends', async t => {
  const app = Fastify(serverOptions)
  t.teardown(() => app.close())
  await app.register(toolService, { name: 'test-tool', version: '1.0.0', capabilities: [note], limits: { overload: { maxRssBytes: 1e15, maxHeapUsedBytes: 1e15, maxEventLoopDelayMs: 1e9 } }, prefix: '/tools' })
  await app.register(toolService, { name: 'other-tool', version: '1.0.0', capabilities: [note], limits: { overload: { maxRssBytes: 1 } }, prefix: '/other/' })
  for (let tries = 0; tries < 100 && (await app.inject('/other/ready')).statusCode === 200; tries++) await wait(50)
  t.equal((await app.inject('/other/health')).statusCode, 200)
  t.equal((await app.inject({ method: 'POST', url: '/other/api/capabilities/note' })).statusCode, 503)
  t.equal((await app.inject({ method: 'POST', url: '/tools/api/capabilities/note' })).statusCode, 200)
  t.equal((await app.inject('/tools/ready')).statusCode, 200)
})

t.test('an app that has the same plugins keeps its own counts and bounds', async t => {
  const app = Fastify(serverOptions)
  t.teardown(() => app.close())
  await app.register(rateLimit, { max: 1, timeWindow: 60_000, global: false })
  await app.register(underPressure, {})
  await app.register(toolService, { name: 'test-tool', version: '1.0.0', capabilities: [note], limits: { rate, overload: { maxRssBytes: 1e15 } } })
  const mine = app.createRateLimit()
  app.get('/mine', async request => await mine(request))
  const call = async () => (await app.inject({ method: 'POST', url: '/api/capabilities/note' })).statusCode
  t.strictSame([await call(), await call(), await call()], [200, 200, 429])
  t.match((await app.inject('/mine')).json(), { max: 1, isExceeded: false })
  const { app: first } = await build(t, { upstreams, capabilities: [echo], limits: { rate, overload: { maxRssBytes: 1e15 } } })
  await first.register(rateLimit, { max: 1, timeWindow: 60_000 })
  await first.register(underPressure, {})
  t.equal((await first.inject('/health')).statusCode, 200)
})

t.test('a service without limits counts nothing', async t => {
  const { app } = await build(t, { upstreams, capabilities: [echo, free] })
  const [service] = servicesAt(app.server)
  t.match(service, { countCall: undefined, isOverloaded: undefined })
})
