// Limits that several instances share, with a real Redis: one count, and what becomes of calls while it is gone.
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { Redis, type RedisOptions } from 'ioredis'
import t, { type Test } from 'tap'
import { build, call, type LogLine } from '../fixtures/build.js'
import { note } from '../fixtures/capabilities.js'
import { closedPort, fakeUpstream } from '../fixtures/fake-upstream.js'
import { listening } from '../fixtures/ports.js'

process.on('unhandledRejection', error => t.fail(String(error)))

const rate = { max: 5, windowMs: 600_000 }

/** A Redis on a port of its own, that keeps nothing. */
async function redisServer (t: Test, port: number): Promise<{ stop: () => Promise<void>, halt: () => void, go: () => void }> {
  const server: ChildProcess = spawn('redis-server', ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'], { stdio: 'ignore' })
  const ended = once(server, 'exit')
  const stop = async (): Promise<void> => { server.kill('SIGKILL'); await ended }
  t.teardown(stop)
  await listening(port)
  return { stop, halt: () => server.kill('SIGSTOP'), go: () => server.kill('SIGCONT') }
}

function client (t: Test, port: number, options: RedisOptions = {}): Redis {
  const redis = new Redis(port, '127.0.0.1', { retryStrategy: () => 50, ...options })
  // That it cannot be reached is the point.
  redis.on('error', () => {})
  t.teardown(() => redis.disconnect())
  return redis
}

const said = (lines: LogLine[]): string[] => lines.filter(({ msg }) => msg.includes('Redis')).map(({ level, msg }) => `${level} ${msg}`)

const GONE = { open: '40 Redis does not answer: until it does, calls that are limited are taken uncounted.', closed: '40 Redis does not answer: until it does, calls that are limited are refused.' }
const BACK = '30 Redis answers again: calls are counted.'

t.test('two instances share one count', async t => {
  const port = await closedPort()
  await redisServer(t, port)
  const instances = await Promise.all([1, 2].map(async () => await build(t, { capabilities: [note], limits: { rate, redis: client(t, port) } })))
  const answers = await Promise.all(Array.from({ length: 20 }, async (_, n) => await call(instances[n % 2]!.app, 'note', {})))
  t.equal(answers.filter(({ status }) => status === 200).length, 5)
  t.strictSame(answers.map(({ headers }) => /r=(\d)/.exec(String(headers.ratelimit))?.[1]).sort().reverse().slice(0, 5), ['4', '3', '2', '1', '0'])
  for (const { headers, body } of answers.filter(({ status }) => status === 429)) t.equal(body.error.details.retry_after, `${headers['retry-after']}s`)
  const keys = await client(t, port).keys('*')
  t.strictSame(keys, ['candor:test-tool:note:address 127.0.0.1'])
})

// A client queues what it is asked while it is not connected, unless it is told to give up at once.
const clients: Array<[string, RedisOptions]> = [['a client that queues', {}], ['a client that gives up at once', { enableOfflineQueue: false, maxRetriesPerRequest: 0 }]]

for (const [name, options] of clients) {
  for (const whenRedisIsGone of ['open', 'closed'] as const) {
    t.test(`${name}: Redis is killed and comes back, ${whenRedisIsGone}`, async t => {
      const port = await closedPort()
      const server = await redisServer(t, port)
      const redis = client(t, port, options)
      await once(redis, 'ready')
      const { app, lines } = await build(t, { capabilities: [note], limits: { rate, redis, whenRedisIsGone } })
      t.equal((await call(app, 'note', {})).status, 200)
      await server.stop()
      const during = await Promise.all(Array.from({ length: 30 }, async () => await call(app, 'note', {})))
      await wait(1_200)
      during.push(await call(app, 'note', {}), await call(app, 'note', {}))
      for (const { status, headers, body } of during) {
        if (whenRedisIsGone === 'open') t.match({ status, headers }, { status: 200, headers: { ratelimit: undefined } })
        else t.match({ status, body }, { status: 503, body: { error: { code: 'SERVICE_UNAVAILABLE', retryable: true, details: { outcome: 'not_applied' } } } })
      }
      t.strictSame(said(lines), [GONE[whenRedisIsGone]])
      await redisServer(t, port)
      for (let tries = 0; tries < 100 && said(lines).length < 2; tries++) {
        await call(app, 'note', {})
        await wait(100)
      }
      t.strictSame(said(lines), [GONE[whenRedisIsGone], BACK])
      t.ok((await call(app, 'note', {})).headers.ratelimit, 'calls are counted again')
    })
  }
}

t.test('a port that accepts and stays silent holds no call', async t => {
  const silent = await fakeUpstream(t, () => {})
  const { app, lines } = await build(t, { capabilities: [note], limits: { rate, redis: client(t, silent.port) } })
  const begun = performance.now()
  for (let n = 0; n < 20; n++) t.equal((await call(app, 'note', {})).status, 200)
  // Twenty that waited would take five seconds.
  t.ok(performance.now() - begun < 3_000)
  t.strictSame(said(lines), [GONE.open])
})

t.test('nor does a Redis that stands still, and when it goes on calls are counted', async t => {
  const port = await closedPort()
  const server = await redisServer(t, port)
  const { app, lines } = await build(t, { capabilities: [note], limits: { rate: { max: 1_000, windowMs: 600_000 }, redis: client(t, port) } })
  t.ok((await call(app, 'note', {})).headers.ratelimit)
  server.halt()
  for (let n = 0; n < 10; n++) t.equal((await call(app, 'note', {})).status, 200)
  server.go()
  await wait(1_100)
  t.ok((await call(app, 'note', {})).headers.ratelimit)
  t.strictSame(said(lines), [GONE.open, BACK])
})

t.test('a client that was closed is gone for good, and calls go on', async t => {
  const redis = new Redis(await closedPort(), '127.0.0.1', { lazyConnect: true })
  redis.disconnect()
  const { app, lines } = await build(t, { capabilities: [note], limits: { rate, redis } })
  for (let n = 0; n < 3; n++) t.equal((await call(app, 'note', {})).status, 200)
  t.strictSame(said(lines), [GONE.open])
})
