import t from 'tap'
import { request as httpRequest } from 'node:http'
import type { Test } from 'tap'
import { createProviders } from '../../../example-tools/providers/server.js'

async function listening (t: Test) {
  const app = createProviders()
  t.after(() => app.close())
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  const fault = async (body: unknown) => fetch(`${url}/faults`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
  return { app, url, fault, oslo: `${url}/v1/search?name=Oslo` }
}

// The code of the failure as a client sees it; fetch hides it in `cause`.
async function failureOf (promise: Promise<unknown>): Promise<string | undefined> {
  return promise.then(() => undefined, error => error.cause?.code ?? error.cause?.message ?? error.message)
}

t.test('a path fails as often as asked, with that status, headers and body, and is healthy again', async t => {
  const { url, fault, oslo } = await listening(t)
  const made = await fault({ path: '/v1/search', times: 2, status: 429, headers: { 'Retry-After': '3' }, body: { error: true, reason: 'Slow down.' } })
  t.equal(made.status, 201)
  t.match(await made.json(), { path: '/v1/search', times: 2, mode: 'status', status: 429 })
  for (let i = 0; i < 2; i++) {
    const response = await fetch(oslo)
    t.equal(response.status, 429)
    t.equal(response.headers.get('retry-after'), '3')
    t.equal(response.headers.get('x-candor-simulated'), 'true')
    t.same(await response.json(), { error: true, reason: 'Slow down.' })
    t.equal((await fetch(`${url}/v1/latest`)).status, 200, 'other paths do not fail')
  }
  t.equal((await fetch(oslo)).status, 200)
})

t.test('a fault of which nothing is said is a 503', async t => {
  const { url, fault, oslo } = await listening(t)
  await fault({ path: '/v1/search' })
  t.same(await (await fetch(`${url}/faults`)).json(), [{ path: '/v1/search', times: 1, mode: 'status' }])
  const response = await fetch(oslo)
  t.equal(response.status, 503)
  t.match(await response.json(), { error: true, reason: 'Simulated fault.' })
  t.same(await (await fetch(`${url}/faults`)).json(), [])
})

t.test('pending faults can be cleared', async t => {
  const { url, fault, oslo } = await listening(t)
  await fault({ path: '/v1/search', mode: 'hang' })
  t.same(await (await fetch(`${url}/faults`, { method: 'DELETE' })).json(), { cleared: 1 })
  t.equal((await fetch(oslo)).status, 200)
})

t.test('requests are counted by path, failed ones too', async t => {
  const { url, fault, oslo } = await listening(t)
  await fault({ path: '/v1/search', mode: 'reset-before' })
  await failureOf(fetch(oslo))
  await fetch(oslo)
  await fetch(`${url}/v1/latest?base=USD`)
  t.same(await (await fetch(`${url}/hits`)).json(), { '/v1/search': 2, '/v1/latest': 1 })
  await fetch(`${url}/hits`, { method: 'DELETE' })
  t.same(await (await fetch(`${url}/hits`)).json(), {})
})

t.test('a delay is followed by the real answer', async t => {
  const { fault, oslo } = await listening(t)
  t.match(await (await fault({ path: '/v1/search', delayMs: 120 })).json(), { mode: 'delay' })
  const started = performance.now()
  const response = await fetch(oslo)
  t.ok(performance.now() - started >= 110)
  t.match(await response.json(), { results: [{ name: 'Oslo' }] })
})

t.test('a request that hangs gets no answer, and does not keep the server from closing', async t => {
  const { app, fault, oslo } = await listening(t)
  await fault({ path: '/v1/search', mode: 'hang' })
  const hanging = failureOf(fetch(oslo))
  t.equal(await Promise.race([hanging, new Promise(resolve => setTimeout(resolve, 200, 'nothing yet'))]), 'nothing yet')
  const started = performance.now()
  await app.close()
  t.ok(performance.now() - started < 1000)
  t.ok(await hanging)
})

t.test('the connection is reset before the body was read', async t => {
  const { url, fault } = await listening(t)
  await fault({ path: '/v1/orders', mode: 'reset-before', delayMs: 10 })
  const code = await new Promise<string>((resolve, reject) => {
    const request = httpRequest(`${url}/v1/orders`, { method: 'POST', headers: { 'content-length': 10 } }, () => reject(new Error('answered')))
    request.on('error', error => resolve((error as NodeJS.ErrnoException).code!))
    // The body is never sent: a reset that waited for it would not come.
    request.flushHeaders()
  })
  t.equal(code, 'ECONNRESET')
})

t.test('the connection is reset after the whole request was read', async t => {
  const { url, fault } = await listening(t)
  await fault({ path: '/v1/orders', mode: 'reset-after' })
  const order: string[] = []
  const code = await new Promise<string>((resolve, reject) => {
    const request = httpRequest(`${url}/v1/orders`, { method: 'POST', headers: { 'content-length': 4 } }, () => reject(new Error('answered')))
    request.on('error', error => resolve((error as NodeJS.ErrnoException).code!))
    request.write('ab')
    setTimeout(() => {
      order.push('sent')
      request.end('cd')
    }, 150)
  })
  t.equal(code, 'ECONNRESET')
  t.same(order, ['sent'], 'it waited for the rest of the body')
  await fault({ path: '/v1/search', mode: 'reset-after' })
  t.equal(await failureOf(fetch(`${url}/v1/search?name=Oslo`)), 'ECONNRESET', 'a request without a body is read at once')
})

t.test('a cut body ends before its length', async t => {
  const { fault, oslo } = await listening(t)
  await fault({ path: '/v1/search', mode: 'cut', body: { results: [{ name: 'Oslo' }] }, headers: { 'Content-Length': '1', 'X-Kind': 'cut' } })
  const response = await fetch(oslo)
  t.equal(response.status, 200)
  t.equal(response.headers.get('x-kind'), 'cut')
  t.equal(response.headers.get('x-candor-simulated'), 'true')
  t.equal(response.headers.get('content-length'), '29')
  t.ok(await failureOf(response.text()))
})

t.test('HTML comes instead of JSON', async t => {
  const { fault, oslo } = await listening(t)
  await fault({ path: '/v1/search', mode: 'html' })
  const response = await fetch(oslo)
  t.equal(response.status, 200)
  t.match(response.headers.get('content-type'), 'text/html')
  t.match(await response.text(), '<h1>')
  await fault({ path: '/v1/search', mode: 'html', status: 502, body: '<p>Down</p>' })
  const second = await fetch(oslo)
  t.equal(second.status, 502)
  t.equal(await second.text(), '<p>Down</p>')
})

t.test('broken JSON does not parse', async t => {
  const { fault, oslo } = await listening(t)
  for (const body of [undefined, null, { results: [] }, '{"results": [', '{"latitude":nan}']) {
    await fault({ path: '/v1/search', mode: 'broken-json', body })
    const response = await fetch(oslo)
    t.equal(response.status, 200)
    t.match(response.headers.get('content-type'), 'application/json')
    const text = await response.text()
    t.throws(() => JSON.parse(text), text)
    if (typeof body === 'string') t.equal(text, body)
  }
})

t.test('a fault that could not happen is refused, and says why', async t => {
  const { url, fault } = await listening(t)
  for (const [body, reason] of [
    [{}, "body must have required property 'path'"],
    [{ path: 'v1/search' }, /body\/path must match pattern/],
    [{ path: '/v1/search?name=Oslo' }, /body\/path must match pattern/],
    [{ path: '/v1/search', times: '2' }, 'body/times must be integer'],
    [{ path: '/v1/search', times: 0 }, 'body/times must be >= 1'],
    [{ path: '/v1/search', stauts: 500 }, "body must NOT have additional properties: 'stauts'"],
    [{ path: '/v1/search', mode: 'explode' }, 'body/mode must be equal to one of the allowed values: status, delay, hang, reset-before, reset-after, cut, html, broken-json'],
    [{ path: '/v1/search', status: 101 }, 'body/status must be >= 200'],
    [{ path: '/v1/search', headers: { 'retry-after': 3 } }, 'body/headers/retry-after must be string'],
    [{ path: '/v1/search', headers: { 'bad name': 'x' } }, /^headers: 'bad name' cannot be sent/],
    [{ path: '/v1/search', headers: { name: 'a\nb' } }, /^headers: 'name' cannot be sent/],
    [{ path: '/v1/search', mode: 'delay' }, "Mode 'delay' needs delayMs."],
    [{ path: '/v1/search', mode: 'hang', status: 500 }, "Mode 'hang' sends no answer of its own, so it takes no status."],
    [{ path: '/v1/search', mode: 'html', body: {} }, "Mode 'html' takes its body as a string."],
    [{ path: '/v1/search', mode: 'cut', body: '' }, "Mode 'cut' needs a body that can be cut."],
    [{ path: '/faults' }, '/faults itself never fails.']
  ] as [unknown, string | RegExp][]) {
    const response = await fault(body)
    t.equal(response.status, 400, JSON.stringify(body))
    t.match(await response.json(), { error: true, reason })
  }
  t.same(await (await fetch(`${url}/faults`)).json(), [], 'none of them is pending')
})
