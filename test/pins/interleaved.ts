import { EventEmitter, once } from 'node:events'
import http from 'node:http'
import { Readable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import { Type } from '@sinclair/typebox'
import t, { type Test } from 'tap'
import { Agent, request } from 'undici'
import { defineCapability, observed, type Call } from 'candor'
import { build, call } from '../fixtures/build.js'

// Thousands of calls on a machine that may have other work.
t.setTimeout(240_000)

const CALLS = 1_000

/** Asks the source for a path in whatever way; throws for what is no 200. */
type Way = (call: Call<never, any>, path: string) => Promise<unknown>

/** A source that answers /good/… and fails at /bad/… with a status that tells whose request it was, all in a mixed order. */
async function source (t: Test): Promise<string> {
  const server = http.createServer((request, response) => {
    const [, how, id] = request.url!.split('/')
    setTimeout(() => response.writeHead(how === 'good' ? 200 : statusOf(Number(id)), { 'content-type': 'application/json' }).end(JSON.stringify({ id: Number(id) })), Number(id) % 7)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  t.teardown(() => { server.closeAllConnections(); server.close() })
  return `http://127.0.0.1:${(server.address() as { port: number }).port}`
}

const statusOf = (id: number): number => 500 + id % 50

/** Every second call asks for what fails, catches it and answers all the same. */
async function answers (t: Test, url: string, way: Way, maxConcurrent?: number) {
  const capability = defineCapability({
    name: 'look',
    description: 'Looks.',
    effect: 'read',
    evidence: 'upstream',
    upstreams: ['source', 'ground'],
    input: Type.Object({ id: Type.Integer() }),
    output: Type.Object({ id: Type.Integer() }),
    timeoutMs: 60_000,
    async handler ({ id }, call) {
      if (id % 2 === 0) await way(call, `/good/${id}`)
      else await way(call, `/bad/${id}`).catch(() => {})
      // Every call has something to stand on, so that nothing but the failure speaks against it.
      call.observe({ source: 'ground', ok: true })
      return { id }
    }
  })
  const { app } = await build(t, { capabilities: [capability], upstreams: { source: { baseUrl: url, maxConcurrent, timeoutMs: 60_000, connectTimeoutMs: 60_000 }, ground: { baseUrl: 'http://ground.invalid' } } })
  return await Promise.all(Array.from({ length: CALLS }, async (_, id) => ({ id, ...await call(app, 'look', { id }) })))
}

/** Exactly the dishonest half is refused, each with its own failure. */
function exactlyHalf (t: Test, all: Awaited<ReturnType<typeof answers>>): void {
  const wrong = all.filter(({ id, body }) => id % 2 === 0
    ? !(body.success === true && body.data.id === id && body.meta?.warnings === undefined)
    : !(body.success === false && body.error.details.rejected === 'masked_failure' && body.error.details.upstream_status === String(statusOf(id))))
  t.strictSame(wrong.slice(0, 3).map(({ id, body }) => ({ id, body })), [])
  t.equal(wrong.length, 0)
  t.equal(all.filter(({ body }) => body.success === false).length, CALLS / 2)
}

/** The request is made where a timer, a stream or an emitter calls back, as handlers do. */
async function roundabout (id: number, ask: () => Promise<unknown>): Promise<unknown> {
  if (id % 4 === 1) await wait(id % 5)
  if (id % 4 === 2) return await new Promise((resolve, reject) => { Readable.from(['x']).on('data', () => {}).on('end', () => { ask().then(resolve, reject) }) })
  if (id % 4 === 3) {
    const emitter = new EventEmitter()
    setTimeout(() => emitter.emit('go'), id % 5)
    return await new Promise((resolve, reject) => { emitter.on('go', () => { ask().then(resolve, reject) }) })
  }
  return await ask()
}

const idOf = (path: string): number => Number(path.split('/')[2])
const only200 = (status: number): void => { if (status !== 200) throw new Error(`Got ${status}.`) }

t.test('a thousand calls at once, half of them dishonest, through our client with four requests at a time', async t => {
  const url = await source(t)
  exactlyHalf(t, await answers(t, url, async (call, path) => await roundabout(idOf(path), async () => await call.upstream('source').get(path)), 4))
})

t.test('the same with fetch and undici through observed agents of four connections', async t => {
  const url = await source(t)
  const dispatcher = observed(new Agent({ connections: 4, connect: { timeout: 60_000 } }))
  t.teardown(() => dispatcher.destroy())
  exactlyHalf(t, await answers(t, url, async (_, path) => await roundabout(idOf(path), async () => {
    // The body is read as a stream, whose events call back where the connection is served.
    const { statusCode, body } = await request(`${url}${path}`, { dispatcher })
    await new Promise(resolve => body.on('data', () => {}).on('end', resolve))
    only200(statusCode)
  })))
  exactlyHalf(t, await answers(t, url, async (_, path) => await roundabout(idOf(path), async () => {
    const response = await fetch(`${url}${path}`, { dispatcher } as never)
    await response.text()
    only200(response.status)
  })))
})

t.test('the same with node:http through an agent of four sockets', async t => {
  const url = await source(t)
  const agent = new http.Agent({ keepAlive: true, maxSockets: 4 })
  t.teardown(() => agent.destroy())
  exactlyHalf(t, await answers(t, url, async (_, path) => await roundabout(idOf(path), async () => await new Promise<void>((resolve, reject) => {
    http.get(`${url}${path}`, { agent }, response => response.resume().on('end', () => {
      try { only200(response.statusCode!); resolve() } catch (error) { reject(error) }
    })).on('error', reject)
  }))))
})

t.test('through a full pool that nobody observes, no call is refused because of a neighbour', async t => {
  const url = await source(t)
  const dispatcher = new Agent({ connections: 4, connect: { timeout: 60_000 } })
  t.teardown(() => dispatcher.destroy())
  const all = await answers(t, url, async (_, path) => {
    const { statusCode, body } = await request(`${url}${path}`, { dispatcher })
    await body.text()
    only200(statusCode)
  })
  const honest = all.filter(({ id }) => id % 2 === 0)
  t.strictSame(honest.filter(({ body }) => body.success !== true).slice(0, 3).map(({ body }) => body), [])
  const foreign = all.filter(({ id, body }) => body.success === false && body.error.details.upstream_status !== String(statusOf(id)))
  t.equal(foreign.length, 0, 'and none with another one\'s failure')
})
