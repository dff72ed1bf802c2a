// The docs page as a person has it: in Chromium, offline, under its own security headers.
import { existsSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Fastify from 'fastify'
import { chromium, type Page } from 'playwright-core'
import t, { type Test } from 'tap'
import { createToolService, serverOptions, toolService } from 'candor'
import { createProviders } from '../../example-tools/providers/server.js'
import { weatherService } from '../../example-tools/weather/tool.js'
import { echo } from '../fixtures/capabilities.js'
import { proxy } from '../fixtures/proxy.js'

const executablePath = '/usr/bin/chromium'
if (!existsSync(executablePath)) throw new Error(`These tests need Chromium at ${executablePath}: apt-get install -y chromium`)

const args = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync']
const browser = await chromium.launch({ executablePath, args })
t.teardown(() => browser.close())
const shots = await mkdtemp(join(tmpdir(), 'candor-docs-'))
t.comment(`Screenshots are in ${shots}`)

/** A page, what it complained of, and where it asked anything of anybody. */
async function open (t: Test, url: string): Promise<{ page: Page, complaints: string[], asked: string[] }> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 1400 } })
  t.teardown(() => page.close())
  const complaints: string[] = []
  const asked: string[] = []
  page.on('console', message => { if (message.type() !== 'log') complaints.push(`${message.type()}: ${message.text()}`) })
  page.on('pageerror', error => complaints.push(error.message))
  page.on('requestfailed', request => complaints.push(`${request.url()}: ${request.failure()?.errorText}`))
  page.on('request', request => asked.push(request.url()))
  await page.goto(url)
  await page.waitForSelector('.opblock')
  return { page, complaints, asked }
}

/** Sends a body from the page, as a person would; the status and the body of the answer as the page shows them. */
async function send (page: Page, body: string): Promise<{ status: string, answer: any }> {
  await page.fill('.opblock.is-open textarea.body-param__text', body)
  const answered = page.waitForResponse(response => response.request().method() === 'POST')
  await page.click('.opblock.is-open .execute')
  const response = await answered
  const shown = page.locator('.opblock.is-open .live-responses-table .response').first()
  await shown.locator('.response-col_status', { hasText: String(response.status()) }).waitFor()
  const answer = await response.json()
  await shown.locator('.highlight-code', { hasText: answer.error?.details.request_id ?? '"success": true' }).first().waitFor()
  return { status: (await shown.locator('.response-col_status').innerText()).trim(), answer: JSON.parse(await shown.locator('.highlight-code code').first().innerText()) }
}

t.test('a person reads what the weather tool does, is refused, corrects the call and has the weather', async t => {
  const providers = createProviders()
  t.teardown(() => providers.close())
  const url = await providers.listen({ port: 0, host: '127.0.0.1' })
  const app = await weatherService({ geocodingUrl: url, forecastUrl: url, simulated: true })
  app.log.level = 'silent'
  t.teardown(() => app.close())
  const origin = await app.listen({ port: 0, host: '127.0.0.1' })

  const { page, complaints, asked } = await open(t, `${origin}/docs`)
  t.equal(await page.title(), 'weather-tool')
  t.strictSame(await page.locator('.opblock-summary-path').allInnerTexts().then(all => all.map(text => text.replaceAll('\u200b', ''))), ['/api/capabilities/current_weather', '/api/capabilities/forecast'])
  await page.screenshot({ path: join(shots, '1-page.png') })
  await page.click('#operations-capabilities-current_weather .opblock-summary-control')
  await page.waitForSelector('.opblock.is-open textarea.body-param__text')
  t.match(JSON.parse(await page.inputValue('.opblock.is-open textarea.body-param__text')), { location: 'London, United Kingdom' }, 'the example is there to be sent')
  await page.screenshot({ path: join(shots, '2-open.png') })
  t.strictSame(complaints, [])

  const misspelt = await send(page, '{"locaton": "London, United Kingdom"}')
  t.match(misspelt, { status: /^400/, answer: { success: false, error: { code: /./, retryable: true, details: { did_you_mean: 'location', next_action: 'fix_input' } } } })
  await page.screenshot({ path: join(shots, '3-misspelt.png'), fullPage: true })
  const nowhere = await send(page, '{"location": "Lodnon, United Kingdom"}')
  t.match(nowhere, { status: /^404/, answer: { success: false, error: { code: 'LOCATION_NOT_FOUND', details: { hint: "Use 'City, Region, Country'." } } } })
  const { status, answer } = await send(page, '{"location": "London, United Kingdom", "units": "imperial"}')
  t.match(status, /^200/)
  t.match(answer, { success: true, data: { location: /London/, temperature: Number, units: { temperature: '°F' } }, meta: { simulated: true } })
  await page.locator('.opblock.is-open .live-responses-table').scrollIntoViewIfNeeded()
  await page.screenshot({ path: join(shots, '4-success.png') })

  // Chromium itself writes a line about every answer of 400 and more; the page had nothing to say.
  t.strictSame(complaints.filter(line => !/^error: Failed to load resource: the server responded with a status of (400|404)/.test(line)), [])
  t.equal(complaints.length, 2, 'one for each refusal')
  t.ok(asked.length >= 8)
  t.strictSame(asked.filter(one => !one.startsWith(`${origin}/`) && !one.startsWith('data:')), [], 'nothing is asked of anybody else')
})

t.test('under a prefix, and behind a proxy that takes a part of the path away, the page finds its service', async t => {
  const app = Fastify({ ...serverOptions, logger: false })
  t.teardown(() => app.close())
  await app.register(toolService, { prefix: '/tools', name: 'echo-tool', version: '1.0.0', capabilities: [echo], upstreams: { up: { baseUrl: 'http://127.0.0.1:1' } } })
  const direct = await app.listen({ port: 0, host: '127.0.0.1' })
  for (const url of [`${direct}/tools/docs`, `${await proxy(t, '/outside', direct)}/outside/tools/docs`]) {
    const { page, complaints } = await open(t, url)
    await page.click('#operations-capabilities-echo .opblock-summary-control')
    t.match(await send(page, '{"text": "<b>hello</b>"}'), { status: /^200/, answer: { success: true, data: { text: '<b>hello</b>' } } }, url)
    t.strictSame(complaints, [])
  }
})

t.test('your own routes can be tried too', async t => {
  const app = await createToolService({ name: 'own-tool', version: '1.0.0', capabilities: [], logger: false })
  t.teardown(() => app.close())
  app.get('/greet/:who', { schema: { summary: 'Greets.', params: { type: 'object', properties: { who: { type: 'string' } } }, response: { 200: { type: 'object', properties: { hello: { type: 'string' } } } } } }, async request => ({ hello: (request.params as { who: string }).who }))
  const { page, complaints } = await open(t, `${await app.listen({ port: 0, host: '127.0.0.1' })}/docs`)
  await page.click('.opblock-summary-control')
  await page.fill('.opblock.is-open .parameters input[type=text]', 'World')
  const answered = page.waitForResponse(response => response.url().endsWith('/greet/World'))
  await page.click('.opblock.is-open .execute')
  t.strictSame(await (await answered).json(), { hello: 'World' })
  await page.screenshot({ path: join(shots, '5-own.png') })
  t.strictSame(complaints, [])
})

t.test('no text of a document becomes a script', async t => {
  const app = await createToolService({ name: 'own-tool', version: '1.0.0', capabilities: [], logger: false, description: 'Hello <b>you</b>. <img src="x" onerror="document.title = 1"><script>document.title = 2</script>' })
  t.teardown(() => app.close())
  app.get('/x', { schema: { description: '<svg onload="document.title = 3">[x](javascript:document.title=4)' } }, async () => ({}))
  const { page } = await open(t, `${await app.listen({ port: 0, host: '127.0.0.1' })}/docs`)
  await page.click('.opblock-summary-control')
  await page.locator('.opblock.is-open .opblock-description').waitFor()
  t.match(await page.locator('.info').innerText(), 'Hello you.')
  t.equal(await page.title(), 'own-tool')
})
