import t, { type Test } from 'tap'
import { Pool } from 'undici'
import { Auth } from '../../../src/upstream/auth.js'
import { deliver, TokenError, type Route } from '../../../src/upstream/delivery.js'
import { Ending } from '../../../src/upstream/ending.js'
import { Semaphore } from '../../../src/upstream/semaphore.js'
import type { Progress, WireResponse } from '../../../src/upstream/transport.js'
import { fakeUpstream, rawAnswer, type Act } from '../../fixtures/fake-upstream.js'
import { callerGone, fakeCall } from '../../fixtures/upstream-call.js'

interface Way { method?: string, isRead?: boolean, headers?: Record<string, string>, accepted?: number[], timeoutMs?: number }

/** A route to a fake upstream, and what was sent over it. */
async function routeTo (t: Test, answer: (request: string, hit: number) => string | undefined, more: Partial<Route> = {}) {
  const requests: string[] = []
  const act: Act = (socket, hit, text) => {
    requests.push(text)
    const raw = answer(text, hit)
    if (raw === undefined) socket.destroy()
    else socket.write(raw)
  }
  const fake = await fakeUpstream(t, act)
  const dispatcher = new Pool(fake.url)
  t.teardown(() => dispatcher.destroy())
  const route: Route = { dispatcher, limits: { maxBytes: 1_000 }, ...more }
  const progress: Progress = { sent: false, phase: 'connect' }
  const call = fakeCall()
  const run = async ({ method = 'GET', isRead = true, headers = {}, accepted = [], timeoutMs = 1_000 }: Way = {}): Promise<WireResponse> => {
    const ending = new Ending(timeoutMs, call)
    const request = { origin: fake.url, method, path: '/start', headers, body: method === 'GET' ? undefined : 'payload' }
    try {
      return await deliver(route, request, { progress, ending, isRead, accepts: status => accepted.includes(status) })
    } finally {
      ending.clear()
    }
  }
  return { run, requests, progress, call, fake }
}

const to = (location: string, status = 302): string => rawAnswer(status, { location })
const lines = (requests: string[]): string[] => requests.map(text => text.split(' HTTP')[0]!)

t.test('one request, one answer', async t => {
  const { run, requests, progress } = await routeTo(t, () => rawAnswer(503))
  t.match(await run(), { status: 503 })
  t.same(lines(requests), ['GET /start'])
  t.same(progress, { sent: true, status: 503, phase: 'body' })
})

t.test('a read follows three redirects and no fourth', async t => {
  const { run, requests } = await routeTo(t, (_, hit) => to(`/${hit}`))
  t.match(await run(), { status: 302, headers: { location: '/4' } })
  t.same(lines(requests), ['GET /start', 'GET /1', 'GET /2', 'GET /3'])
})

t.test('a redirected read ends with the answer it was sent to', async t => {
  const { run, progress } = await routeTo(t, request => request.includes('/start') ? to('/there') : rawAnswer(200, {}, '1'))
  t.match(await run(), { status: 200 })
  t.equal(progress.status, 200)
})

t.test('a write is never redirected, nor is a read whose redirect is what was asked for', async t => {
  const { run, requests } = await routeTo(t, () => to('/there', 307))
  t.match(await run({ method: 'POST', isRead: false }), { status: 307 })
  t.match(await run({ accepted: [307] }), { status: 307 })
  t.equal(requests.length, 2)
})

t.test('a redirect that breaks off is not followed', async t => {
  const { run, requests } = await routeTo(t, (_, hit) => hit === 1 ? 'HTTP/1.1 302 Fake\r\nlocation: /there\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n' : rawAnswer(200))
  t.match(await run(), { status: 302, cut: Error })
  t.equal(requests.length, 1)
})

t.test('a failure after a redirect is told by the last attempt', async t => {
  const { run, progress } = await routeTo(t, request => request.includes('/start') ? to('/there') : undefined)
  await t.rejects(run())
  t.same(progress, { sent: true, status: undefined, phase: 'headers' })
})

t.test('a token goes along, and a request\'s own authorization before it', async t => {
  const { run, requests } = await routeTo(t, () => rawAnswer(401), { auth: new Auth(() => 'token') })
  t.match(await run(), { status: 401 })
  t.match(requests[0], /\r\nauthorization: Bearer token\r\n/)
  await run({ headers: { authorization: 'Basic own' } })
  t.match(requests[1], /\r\nauthorization: Basic own\r\n/)
  t.equal(requests.length, 2)
})

t.test('after a 401 the request is sent once more with a fresh token, a write with its body', async t => {
  let asked = 0
  const { run, requests } = await routeTo(t, request => rawAnswer(request.includes('token-2') ? 201 : 401), { auth: new Auth(() => `token-${++asked}`) })
  t.match(await run({ method: 'POST', isRead: false }), { status: 201 })
  t.equal(requests.length, 2)
  t.match(requests[1], /payload$/)
  t.match(await run(), { status: 201 })
  t.equal(asked, 2)
})

t.test('a second 401 is the answer', async t => {
  let asked = 0
  const { run, requests } = await routeTo(t, () => rawAnswer(401), { auth: new Auth(() => `token-${++asked}`) })
  t.match(await run(), { status: 401 })
  t.equal(requests.length, 2)
  t.equal(asked, 2)
})

t.test('without another token the 401 stands', async t => {
  let asked = 0
  const same = await routeTo(t, () => rawAnswer(401), { auth: new Auth(() => 'token') })
  t.match(await same.run(), { status: 401 })
  t.equal(same.requests.length, 1)
  const none = await routeTo(t, () => rawAnswer(401), { auth: new Auth(() => { if (++asked > 1) throw new Error('Down.'); return 'token' }) })
  t.match(await none.run(), { status: 401 })
  t.equal(none.requests.length, 1)
  const accepted = await routeTo(t, () => rawAnswer(401), { auth: new Auth(() => `token-${++asked}`) })
  t.match(await accepted.run({ accepted: [401] }), { status: 401 })
  t.equal(accepted.requests.length, 1)
})

t.test('a write whose second attempt is lost may have been carried out', async t => {
  let asked = 0
  const { run, progress } = await routeTo(t, (_, hit) => hit === 1 ? rawAnswer(401) : undefined, { auth: new Auth(() => `token-${++asked}`) })
  await t.rejects(run({ method: 'POST', isRead: false }))
  t.same(progress, { sent: true, status: undefined, phase: 'headers' })
})

t.test('a source of tokens that fails, or takes too long, leaves the upstream unasked', async t => {
  const { run, requests, progress } = await routeTo(t, () => rawAnswer(200), { auth: new Auth(() => { throw new Error('Down.') }) })
  await t.rejects(run(), { cause: { message: 'Down.' } })
  await run().catch((error: unknown) => t.type(error, TokenError))
  t.same(progress, { sent: false, phase: 'connect' })
  const slow = await routeTo(t, () => rawAnswer(200), { auth: new Auth(() => new Promise(() => {})) })
  await t.rejects(slow.run({ timeoutMs: 20 }), { cause: { name: 'TimeoutError' } })
  t.equal(requests.length + slow.requests.length, 0)
})

t.test('whoever waits for a place too long sends nothing, and a place is always given back', async t => {
  const { run, requests, progress, call } = await routeTo(t, (_, hit) => hit === 1 ? '' : rawAnswer(200), { semaphore: new Semaphore(1) })
  const [holding, waiting] = await Promise.allSettled([run({ timeoutMs: 60 }), run({ timeoutMs: 20 })])
  t.match(waiting, { reason: { name: 'TimeoutError', ms: 20 } })
  t.match(holding, { reason: { name: 'TimeoutError', ms: 60 } })
  t.equal(requests.length, 1)
  t.match(await run(), { status: 200 })
  t.equal(progress.status, 200)
  call.end(callerGone)
  await t.rejects(run(), callerGone)
  t.equal(requests.length, 2)
})
