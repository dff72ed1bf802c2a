import t, { type Test } from 'tap'
import { getGlobalDispatcher, request } from 'undici'
import { behaviours, rawResponse, type Behaviour } from '../../../src/testing/rogue-behaviours.js'
import { createRogueServer } from '../../../src/testing/rogue-server.js'
import { standIn } from '../../../src/testing/stand-in.js'
import type { UpstreamOptions } from '../../../src/upstream/options.js'
import { fakeCall, failureOf, upstreamOf } from '../../fixtures/upstream-call.js'

const saying = (word: string): Behaviour => ({ does: `says ${word}`, steps: ({ text }) => [{ send: rawResponse(200, {}, JSON.stringify({ word, text })) }] })

/** An upstream that says `real`, and one in its place. */
async function replaced (t: Test, behaviour: Behaviour = saying('rogue'), { timeoutMs = 500, ...options }: Partial<UpstreamOptions> = {}) {
  const real = await createRogueServer(saying('real'))
  t.teardown(() => real.close())
  const up = upstreamOf(t, { baseUrl: real.url, ...options } as UpstreamOptions)
  const rogue = await standIn([up], behaviour, timeoutMs)
  let open = true
  const end = async () => { if (open) await rogue.end(); open = false }
  t.teardown(end)
  const ours = async () => ((await up.clientFor(fakeCall()).get('/a', { query: { q: 1 } })).data as { word: string, text: string })
  return { real, up, rogue, end, ours }
}

t.test('our client meets the rogue until it ends, under the address of the real one', async t => {
  const { real, rogue, end, ours } = await replaced(t)
  const { word, text } = await ours()
  t.equal(word, 'rogue')
  t.match(text, `host: 127.0.0.1:${real.port}`)
  t.match(rogue.ours, [{ method: 'GET', path: '/a?q=1', headers: { accept: 'application/json' } }])
  await end()
  t.equal((await ours()).word, 'real')
  t.equal(rogue.ours.length, 1)
})

t.test('fetch and undici meet it too, by that address alone', async t => {
  const { real, rogue, end } = await replaced(t)
  const other = await createRogueServer(saying('other'))
  t.teardown(() => other.close())
  const before = getGlobalDispatcher()
  const fetched = async (url: string) => (await (await fetch(url, { method: 'POST', body: 'x', headers: { 'x-api-key': 'k' } })).json() as { word: string }).word
  t.equal(await fetched(`${real.url}/a`), 'rogue')
  t.match(await (await request(`${real.url}/b`)).body.json(), { word: 'rogue' })
  t.equal(await fetched(other.url), 'other')
  t.match(rogue.others, [{ method: 'POST', path: '/a', headers: { 'x-api-key': 'k' } }, { method: 'GET', path: '/b' }])
  t.strictSame(rogue.ours, [])
  await end()
  t.not(getGlobalDispatcher(), before)
  t.equal(await fetched(`${real.url}/a`), 'real')
})

t.test('of two upstreams at one address the base path tells them apart', async t => {
  const real = await createRogueServer(saying('real'))
  t.teardown(() => real.close())
  const up = upstreamOf(t, { baseUrl: `${real.url}/mine` })
  const rogue = await standIn([up], saying('rogue'), 500)
  t.teardown(() => rogue.end())
  t.match(await (await fetch(`${real.url}/mine/a`)).json(), { word: 'rogue' })
  t.match(await (await fetch(`${real.url}/yours/a`)).json(), { word: 'real' })
})

t.test('an upstream of any address is met through our client alone', async t => {
  const real = await createRogueServer(saying('real'))
  t.teardown(() => real.close())
  const up = upstreamOf(t, { allowTarget: true })
  const rogue = await standIn([up], saying('rogue'), 500)
  t.teardown(() => rogue.end())
  t.match((await up.clientFor(fakeCall()).get('http://93.184.215.14/')).data, { word: 'rogue' })
  t.match(await (await fetch(real.url)).json(), { word: 'real' })
})

t.test('a stall ends in the time given, whoever asks', async t => {
  const { real, ours } = await replaced(t, behaviours.silent_request, { timeoutMs: 100 })
  const start = performance.now()
  t.match(await failureOf(ours()), { code: 'UPSTREAM_TIMEOUT' })
  await t.rejects(fetch(real.url), { cause: { code: 'UND_ERR_HEADERS_TIMEOUT' } })
  t.ok(performance.now() - start < 3_000)
})

t.test('a body without end is ended for clients without a limit', async t => {
  const { real } = await replaced(t, behaviours.endless_body, { timeoutMs: 5_000 })
  await t.rejects(fetch(real.url).then(response => response.text()), { cause: { code: 'UND_ERR_RES_EXCEEDED_MAX_SIZE' } })
})

t.test('TLS is spoken as the rogue has it, whatever the address says', async t => {
  for (const [behaviour, code] of [[behaviours.tls_expired, 'UPSTREAM_TLS_FAILED'], [behaviours.tls_wrong_name, 'UPSTREAM_TLS_FAILED'], [behaviours.tls_to_plain, 'UPSTREAM_TLS_FAILED'], [behaviours.refused, 'UPSTREAM_UNREACHABLE']] as const) {
    const { ours } = await replaced(t, behaviour)
    t.match(await failureOf(ours()), { code }, behaviour.does)
  }
  const secure = upstreamOf(t, { baseUrl: 'https://up.invalid' })
  const rogue = await standIn([secure], saying('rogue'), 500)
  t.teardown(() => rogue.end())
  t.match((await secure.clientFor(fakeCall()).get('/')).data, { word: 'rogue' })
})
