// Pages of other sites against a service on this machine: in Chromium, which does all that a page may ask of a browser.
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { Type } from '@sinclair/typebox'
import { chromium, type Page } from 'playwright-core'
import t, { type Test } from 'tap'
import { createToolService, defineCapability, type CreateToolServiceOptions } from 'candor'

const executablePath = '/usr/bin/chromium'
if (!existsSync(executablePath)) throw new Error(`These tests need Chromium at ${executablePath}: apt-get install -y chromium`)

// Names of others that lead here, as those do whose owner made them to. A browser's own rules about networks are off: not every browser has them.
const rules = '--host-resolver-rules=MAP evil.example 127.0.0.1, MAP app.example 127.0.0.1'
const browser = await chromium.launch({ executablePath, args: ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync', '--disable-features=LocalNetworkAccessChecks', rules] })
t.teardown(() => browser.close())

const script = await readFile(new URL('../fixtures/attacking-page.js', import.meta.url), 'utf8')
// Whatever is asked of it is a page.
const site = http.createServer((_, response) => response.setHeader('content-type', 'text/html').end(`<!DOCTYPE html><title>page</title><body><script>${script}</script>`))
await new Promise<void>(resolve => site.listen(0, '127.0.0.1', resolve))
t.teardown(() => { site.closeAllConnections(); site.close() })
const sitePort = (site.address() as AddressInfo).port

const shape = { description: 'Counts.', evidence: 'none', input: Type.Object({}, { additionalProperties: true }), output: Type.Object({ done: Type.Boolean() }), examples: [{ input: {} }] } as const

/** A service, what ran in it, and how many requests came. */
async function listen (t: Test, host: string, more: Partial<CreateToolServiceOptions> = {}) {
  const ran: string[] = []
  const requests: string[] = []
  const counting = (name: string, effect: 'read' | 'write') => defineCapability({ ...shape, name, effect, handler: async () => { ran.push(name); return { done: true } } })
  const app = await createToolService({ name: 'counting-tool', version: '1.0.0', logger: false, capabilities: [counting('look', 'read'), counting('note', 'write')], ...more })
  app.post('/own', async () => { ran.push('own'); return { done: true } })
  app.server.prependListener('request', ({ method, url }) => requests.push(`${method} ${url}`))
  t.teardown(() => app.close())
  await app.listen({ port: 0, host })
  return { port: (app.server.address() as AddressInfo).port, ran, requests }
}

async function open (t: Test, url: string): Promise<Page> {
  const page = await browser.newPage()
  t.teardown(() => page.close())
  await page.goto(url)
  return page
}

/** The form that takes the whole window along; the status of what stands there then. */
async function navigate (page: Page, url: string, body: string): Promise<number> {
  const answered = page.waitForResponse(response => response.url() === url && response.request().isNavigationRequest())
  await page.evaluate(`submit(${JSON.stringify(url)}, ${JSON.stringify(body)}, 'text/plain')`)
  return (await answered).status()
}

const call = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'note', arguments: { text: '=' } } })
const TARGETS = [['/api/capabilities/look', '{"text":"="}'], ['/api/capabilities/note', '{"text":"="}'], ['/mcp', call], ['/own', '{"text":"="}']] as const

for (const bind of ['127.0.0.1', '0.0.0.0']) {
  t.test(`no page of another origin makes anything run in a service on ${bind}`, async t => {
    const { port, ran, requests } = await listen(t, bind)
    for (const host of ['127.0.0.1', 'localhost', 'evil.example']) {
      for (const [path, body] of TARGETS) {
        const page = await open(t, `http://${host}:${sitePort}/`)
        requests.length = 0
        const url = `http://127.0.0.1:${port}${path}`
        const told = await page.evaluate(`attack(${JSON.stringify(url)}, ${JSON.stringify(body)})`)
        const from = `${host} ${path}`
        t.strictSame(ran, [], from)
        t.notMatch(JSON.stringify(told), /cors 2|basic|default|read|open|loaded/, `${from}: nothing is read either`)
        t.ok(requests.filter(line => line === `POST ${path}`).length >= 8 && requests.some(line => line.startsWith('OPTIONS')), `${from}: the browser did send them`)
        t.equal(await navigate(page, url, body), 403, `${from}: the whole window`)
        t.strictSame(ran, [], from)
      }
    }
  })

  t.test(`a page whose name was made to point at a service on ${bind} makes nothing run`, async t => {
    const { port, ran, requests } = await listen(t, bind)
    const page = await browser.newPage()
    t.teardown(() => page.close())
    // What its own server had given before the name moved.
    await page.route('**/page', route => route.fulfill({ contentType: 'text/html', body: '<!DOCTYPE html><body>' }))
    await page.goto(`http://evil.example:${port}/page`)
    for (const [path, body] of TARGETS) {
      const answered = await page.evaluate(async ({ path, body }) => {
        const response = await fetch(path, { method: 'POST', headers: { 'content-type': 'application/json', 'x-forwarded-host': 'localhost' }, body })
        return response.status
      }, { path, body })
      t.equal(answered, 403, path)
    }
    t.ok(requests.length >= TARGETS.length)
    t.strictSame(ran, [])
  })
}

t.test('a page of a configured origin calls, and reads success, failure and headers; its neighbour does not', async t => {
  const { port, ran } = await listen(t, '127.0.0.1', { cors: { origins: [`http://app.example:${sitePort}`], allowedHeaders: ['x-api-key'] } })
  const ask = async (page: Page, path: string, body: string, headers: Record<string, string> = {}) => await page.evaluate(async ({ url, body, headers }) => {
    try {
      const response = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body })
      return { status: response.status, headers: Object.fromEntries(response.headers), text: await response.text() }
    } catch {
      return undefined
    }
  }, { url: `http://127.0.0.1:${port}${path}`, body, headers })

  const page = await open(t, `http://app.example:${sitePort}/`)
  const success = await ask(page, '/api/capabilities/note', '{}', { 'x-api-key': 'k', 'idempotency-key': 'i', 'x-request-id': 'page-1', authorization: 'Bearer x' })
  t.match(success, { status: 200, headers: { 'x-request-id': 'page-1' }, text: '{"success":true,"data":{"done":true}}' })
  const failure = await ask(page, '/api/capabilities/nota', '{}')
  t.match(failure, { status: 404, headers: { 'x-should-retry': 'false', 'x-request-id': String }, text: /"did_you_mean":"note"/ })
  t.match(await ask(page, '/own', '{'), { status: 400, text: /INVALID_JSON/ })
  const overMcp = await ask(page, '/mcp', call, { accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-11-25' })
  t.match(overMcp, { status: 200, text: /structuredContent/ })
  t.strictSame(ran, ['note', 'note'])

  const neighbour = await open(t, `http://evil.example:${sitePort}/`)
  for (const [path, body] of TARGETS) t.equal(await ask(neighbour, path, body), undefined, path)
  t.strictSame(ran, ['note', 'note'])
})

t.test('where every page may call, every page does', async t => {
  const { port, ran } = await listen(t, '0.0.0.0', { cors: { origins: ['*'] } })
  const page = await open(t, `http://evil.example:${sitePort}/`)
  const told = await page.evaluate(async url => await (await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' })).json(), `http://127.0.0.1:${port}/api/capabilities/note`)
  t.strictSame([told, ran], [{ success: true, data: { done: true } }, ['note']])
})
