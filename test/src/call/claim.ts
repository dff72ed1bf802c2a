import t from 'tap'
import { echo, rate, talkative } from '../../fixtures/invoked.js'
import { answer, brokenLog, http, oneUpstream } from '../../fixtures/invoking.js'

t.test('a handler that returns nothing has no success', async t => {
  t.match(await answer(echo, { text: 'nothing' }), { status: 500, body: { error: { code: 'EMPTY_HANDLER_RESULT' } } })
})

t.test('undeclared fields are left out, and the log says which', async t => {
  const { body, lines } = await answer(echo, { text: 'more' })
  t.strictSame(body.data, { text: 'more', times: 1 })
  t.match(lines, [{ level: 'warn', fields: { capability: 'echo', fields: ['secret'] } }])
  t.strictSame((await answer(echo, { text: 'more' }, { log: brokenLog })).body.data, { text: 'more', times: 1 }, 'also where the log cannot be written')
})

t.test('a success names the sources that stand behind it', async t => {
  const { upstreams } = await oneUpstream(t, 'rates', http(200, '{"rate":2,"more":1}'))
  t.strictSame((await answer(rate, {}, { upstreams })).body, { success: true, data: { rate: 2 }, meta: { sources: ['rates'] } })
  t.match((await answer(rate, { mode: 'partial' }, { upstreams })).body.meta, { sources: ['rates'], partial: [{ source: 'rates', code: 'NO_RATE' }] })
})

t.test('a success of which no source answered with success names none', async t => {
  const { upstreams } = await oneUpstream(t, 'rates', http(503, '{}'))
  const forgiving = { ...rate, evidence: undefined, honesty: { 'masked-failure': 'off' }, handler: async (_: unknown, call: any) => await call.upstream('rates').get('/rate').catch(() => ({ rate: 1 })) } as const
  t.strictSame((await answer(forgiving, {}, { upstreams })).body, { success: true, data: { rate: 1 } })
})

t.test('a stand-in shows, where it is configured as one and says so', async t => {
  const { upstreams } = await oneUpstream(t, 'rates', http(200, '{"rate":2}', 'x-candor-simulated: true\r\n'), { simulated: true })
  t.equal((await answer(rate, {}, { upstreams })).body.meta.simulated, true)
  const real = await oneUpstream(t, 'rates', http(200, '{"rate":2}', 'x-candor-simulated: true\r\n'))
  t.notOk('simulated' in (await answer(rate, {}, { upstreams: real.upstreams })).body.meta)
})

t.test('an answer that no source stands behind is not shown, unless it is derived', async t => {
  const { fake, upstreams } = await oneUpstream(t, 'rates', http(200, '{"rate":2}'))
  t.match(await answer(rate, { mode: 'made up' }, { upstreams }), { status: 500, body: { error: { code: 'UNSUPPORTED_SUCCESS', retryable: false } } })
  t.strictSame((await answer(rate, { mode: 'derived' }, { upstreams })).body, { success: true, data: { rate: 1 } })
  t.equal(fake.hits(), 0)
})

t.test('sensitive input is in no reason of a missing part; data is left alone', async t => {
  t.match((await answer(talkative, { pin: 'pin-98765', way: 'part' })).body, { data: { pin: 'pin-98765' }, meta: { partial: [{ source: 'rates', message: 'No [redacted].' }] } })
})
