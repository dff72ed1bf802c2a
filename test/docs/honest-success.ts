import { createToolService } from 'candor'
import { fakeUpstreams, callCapability } from 'candor/testing'
import t, { type Test } from 'tap'
import { drillRates } from '../../docs/guide/drill.js'
import { adopting, bookingTool, ratesService, shared } from '../../docs/guide/honest-success.js'
import { fakeUpstream, rawAnswer } from '../fixtures/fake-upstream.js'

const down = { status: 503 }
const rate = (value: number) => ({ 'GET /rate': { json: { rate: value } } })
const news = { 'GET /today': { json: { stories: [{ title: 'Calm.' }] } } }

async function service (t: Test, honesty?: Parameters<typeof ratesService>[1]) {
  const app = await ratesService({ rates: 'http://rates.test', spare: 'http://spare.test', news: 'http://news.test' }, honesty)
  t.teardown(() => app.close())
  app.log.level = 'silent'
  return app
}
const ask = async (app: Awaited<ReturnType<typeof service>>, input: object) => await callCapability(app, 'rate_with_news', input)

t.test('the tool of the guide says what is missing, kept or from elsewhere', async t => {
  const app = await service(t)
  const good = fakeUpstreams(app, { rates: rate(1.1), spare_rates: rate(1.2), news })
  t.match(await ask(app, { from: 'EUR', to: 'USD' }), { success: true, data: { rate: 1.1, headlines: ['Calm.'] }, meta: { sources: ['rates', 'news'] } })
  t.match(await ask(app, { from: 'EUR', to: 'EUR' }), { success: true, data: { rate: 1 }, meta: undefined })
  good.restore()
  const spare = fakeUpstreams(app, { rates: { 'GET /rate': down }, spare_rates: rate(1.2), news: { 'GET /today': down } })
  t.match(await ask(app, { from: 'EUR', to: 'USD' }), { success: true, data: { rate: 1.2 }, meta: { fallback: { from: 'rates', to: 'spare_rates' }, partial: [{ source: 'news', code: 'UPSTREAM_UNAVAILABLE' }] } })
  spare.restore()
  fakeUpstreams(app, { rates: { 'GET /rate': down }, spare_rates: { 'GET /rate': down }, news })
  t.match(await ask(app, { from: 'EUR', to: 'USD' }), { success: true, data: { rate: 1.2 }, meta: { cached: true, as_of: String } })
  t.match(await ask(app, { from: 'EUR', to: 'GBP' }), { success: false, error: { code: 'UPSTREAM_UNAVAILABLE' } })
})

t.test('the drill of the guide passes', async t => {
  await t.resolves(drillRates())
})

t.test('a service that adopts the rules shows them in its health', async t => {
  const app = await service(t, adopting)
  t.match((await app.inject('/health')).json(), { honesty: { rate_with_news: adopting } })
})

t.test('the agent of the guide sends, and a database that fails leaves the outcome open', async t => {
  const fake = await fakeUpstream(t, socket => socket.write(rawAnswer(200, {}, 'hello')))
  t.equal(await (await fetch(fake.url, { dispatcher: shared } as never)).text(), 'hello')
  await shared.destroy()
  let broken = false
  const app = await createToolService({ name: 'x', version: '1', logger: false, capabilities: [bookingTool(async () => { if (broken) throw new Error('deadlock') })] })
  t.teardown(() => app.close())
  t.match(await callCapability(app, 'book_seat', { seat: '12A' }), { success: true })
  broken = true
  t.match(await callCapability(app, 'book_seat', { seat: '12A' }), { success: false, error: { retryable: false, details: { outcome: 'unknown' } } })
})
