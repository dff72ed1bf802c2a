import t, { type Test } from 'tap'
import { Type } from '@sinclair/typebox'
import { defineCapability, type Capability } from 'candor'
import { breaks } from '../../../src/testing/breaks.js'
import { drill } from '../../../src/testing/drill.js'
import { rawResponse, type Behaviour } from '../../../src/testing/rogue-behaviours.js'
import { createRogueServer } from '../../../src/testing/rogue-server.js'
import { asking, type Asker } from '../../fixtures/asking.js'
import { build } from '../../fixtures/build.js'
import { dishonest, lying } from '../../fixtures/dishonest.js'

const well: Behaviour = { does: 'is well', steps: [{ send: rawResponse(200, {}, JSON.stringify({ temperature: 8, rows: ['London'], done: true })) }] }
const FEW = ['answers 401', 'answers 503', 'refuses the connection', 'resets the connection after the request', 'answers 503 and cuts its body short']
const Row = Type.Object({ temperature: Type.Number() })

/** A service whose upstreams `main` and `spare` are well. */
async function serve (t: Test, make: (urls: Record<string, string>) => Capability<any, any, any>) {
  const [main, spare] = [await createRogueServer(well), await createRogueServer(well)]
  const urls = { main: main.url, spare: spare.url }
  const { app } = await build(t, { logger: false, capabilities: [make(urls)], upstreams: { main: { baseUrl: main.url, headers: { authorization: 'Bearer correct-horse' } }, spare: { baseUrl: spare.url } } })
  t.teardown(async () => { await main.close(); await spare.close() })
  return app
}

interface Shape { effect?: 'read' | 'write', idempotent?: boolean, upstreams?: string[], evidence?: 'none', timeoutMs?: number }

function capability (handler: (call: any) => unknown, { effect = 'read', upstreams = ['main'], ...more }: Shape = {}): Capability<any, any, any> {
  return defineCapability({ name: 'look', description: 'Looks.', effect, upstreams, input: Type.Object({}), output: Type.Unknown(), errors: { BUSY: { category: 'SERVICE_ERROR', description: 'Busy.' } }, ...more, handler: async (_, call) => await handler(call) })
}

const ask = { capability: 'look', input: {}, timeoutMs: 150 }

// --- Tools that lie ---

for (const lie of dishonest) {
  for (const asker of ['ours', 'fetch'] as Asker[]) {
    t.test(`a tool that ${lie.does} does not pass, asking with ${asker}`, async t => {
      const app = await serve(t, urls => lying(lie, asking(asker, urls)))
      const behaviours = lie.statusesOnly === true ? FEW.slice(0, 2) : FEW
      const report = await drill(app, { ...ask, capability: 'lie', behaviours })
      const labels = lie.asksTwo === true ? ['main', 'spare'] : ['main']
      t.equal(report.passed, false)
      t.strictSame(report.findings.map(({ upstream, break: name, kind }) => `${upstream} ${name}: ${kind}`).sort(), labels.flatMap(label => behaviours.map(name => `${label} ${name}: claimed_success`)).sort())
      t.match(String(report), '- main answers 503: claimed_success. Expected ')
      t.strictSame(report.unreached, [])
    })
  }

  t.test(`a tool that ${lie.does} by a client that cannot be reached does not pass either`, async t => {
    const app = await serve(t, urls => lying(lie, asking('axios', urls)))
    const report = await drill(app, { ...ask, capability: 'lie', behaviours: FEW })
    t.match(report, { passed: false, unreached: lie.asksTwo === true ? ['main', 'spare'] : ['main'] })
    t.match(String(report), '- main was never asked while it was broken')
  })
}

// --- Tools that do not ---

t.test('a read that lets every failure through passes', async t => {
  const app = await serve(t, () => capability(async call => (await call.upstream('main').get('/weather', { schema: Row })).data))
  const report = await drill(app, ask)
  t.equal(report.calls, 1 + breaks.filter(({ harmless }) => harmless !== 'read').length)
  t.strictSame(report.findings, [], String(report))
})

t.test('a write, once or repeatable, passes in the same way', async t => {
  for (const idempotent of [false, true]) {
    const app = await serve(t, () => capability(async call => (await call.upstream('main').post('/orders', { json: {}, schema: Row })).data, { effect: 'write', idempotent }))
    const report = await drill(app, ask)
    t.equal(report.calls, 1 + breaks.length)
    t.strictSame(report.findings, [], String(report))
  }
})

t.test('a tool that looks something up, then writes in two places, passes whichever of them fails', async t => {
  const app = await serve(t, () => capability(async call => {
    await call.upstream('main').get('/weather')
    await call.upstream('spare').post('/orders', { json: {} })
    return (await call.upstream('main').post('/orders', { json: {} })).data
  }, { effect: 'write', upstreams: ['main', 'spare'] }))
  t.strictSame((await drill(app, { ...ask, behaviours: FEW })).findings, [])
  const reverse = await serve(t, () => capability(async call => {
    await call.upstream('spare').post('/orders', { json: {} })
    await call.upstream('main').post('/orders', { json: {} })
    return (await call.upstream('main').get('/weather')).data
  }, { effect: 'write', upstreams: ['main', 'spare'] }))
  t.strictSame((await drill(reverse, { ...ask, behaviours: [...FEW, 'answers 400'] })).findings, [])
})

t.test('a tool that says what is missing passes', async t => {
  const app = await serve(t, () => capability(async call => {
    const { data } = await call.upstream('main').get('/weather')
    const more = await call.try(async () => (await call.upstream('spare').get('/weather')).data)
    if (!more.ok) call.partial({ source: 'spare', error: more.error })
    return [data, more]
  }, { upstreams: ['main', 'spare'] }))
  t.ok((await drill(app, { ...ask, behaviours: FEW })).passed)
})

t.test('a tool whose input is an address passes too', async t => {
  const main = await createRogueServer(well)
  t.teardown(() => main.close())
  const { app } = await build(t, { logger: false, capabilities: [capability(async call => (await call.upstream('main').get(main.url)).data)], upstreams: { main: { allowTarget: ['127.0.0.0/8'] } } })
  t.ok((await drill(app, { ...ask, behaviours: [...FEW, 'answers 400 and repeats the request'] })).passed)
})

// --- Other findings ---

t.test('a failure in words of its own that say something else is misreported', async t => {
  const app = await serve(t, () => capability(async call => await call.upstream('main').get('/weather').catch(() => { throw call.error('BUSY') })))
  const { findings } = await drill(app, { ...ask, behaviours: ['answers 401', 'answers 503'] })
  t.match(findings, [{ upstream: 'main', break: 'answers 401', kind: 'misreported', expected: 'BUSY with retryable: false', got: /^503 BUSY/ }])
  t.equal(findings.length, 1)
})

t.test('a credential in an answer is found, and not shown', async t => {
  const app = await serve(t, () => capability(async call => await call.upstream('main').get('/weather', { headers: { 'x-session-token': 'battery-staple' } }).catch(() => { throw call.error('BUSY', { message: 'Sent YmF0dGVyeS1zdGFwbGU and got nothing.' }) })))
  const report = await drill(app, { ...ask, behaviours: ['answers 503'] })
  t.match(report.findings, [{ kind: 'leaked', got: 'the credential sent as header x-session-token' }])
  t.notMatch(String(report), /YmF0|battery/)
})

t.test('an upstream that the input does not lead to is not passed over', async t => {
  const app = await serve(t, () => capability(async call => (await call.upstream('main').get('/weather')).data, { upstreams: ['main', 'spare'] }))
  t.match(await drill(app, { ...ask, behaviours: ['answers 503'] }), { passed: false, findings: [], unreached: ['spare'] })
  t.match(await drill(app, { ...ask, behaviours: ['answers 503'], upstreams: ['main'] }), { passed: true, calls: 2, unreached: [] })
})

t.test('an answer that does not come is misreported', async t => {
  let hang = false
  const app = await serve(t, () => capability(async call => (await call.upstream('main').get('/weather')).data, { timeoutMs: 50 }))
  t.match(await drill({ server: app.server, inject: async request => hang ? await new Promise(() => {}) : await app.inject(request).finally(() => { hang = true }) }, { ...ask, behaviours: ['answers 503'] }), { findings: [] }, 'nothing was asked')
  await t.rejects(drill({ server: app.server, inject: async () => await new Promise(() => {}) }, ask), { message: 'Expected look to succeed while its upstreams are well, got no answer' })
})

// --- What cannot be meant ---

t.test('a tool that fails while all is well cannot be drilled', async t => {
  const app = await serve(t, () => capability(call => { throw call.error('BUSY') }))
  await t.rejects(drill(app, ask), { message: /^Expected look to succeed while its upstreams are well, got 503 \{"success":false,.*BUSY/ })
})

t.test('what a user knows better can be stated', async t => {
  const app = await serve(t, () => capability(async call => await call.upstream('main').get('/weather', { acceptStatus: [503] }).then(() => 1)))
  t.match(await drill(app, { ...ask, behaviours: ['answers 503'] }), { passed: false })
  t.match(await drill(app, { ...ask, behaviours: ['answers 503'], expect: { main: { 'answers 503': 'success' } } }), { passed: true })
})

t.test('a name that is none is a mistake', async t => {
  const app = await serve(t, () => capability(async call => (await call.upstream('main').get('/weather')).data, { upstreams: ['main', 'spare'] }))
  const wrong: Array<[object, RegExp]> = [
    [{ capability: 'loook' }, /^Expected a capability that there is \(look\), got 'loook'. Did you mean 'look'\?$/],
    [{ upstreams: ['man'] }, /^Expected an upstream of look that there is \(main, spare\), got 'man'. Did you mean 'main'\?$/],
    [{ expect: { spar: {} } }, /^Expected an upstream of look .*Did you mean 'spare'\?$/],
    [{ behaviours: ['answers 5033'] }, /^Expected a break that there is .*Did you mean 'answers 503'\?$/],
    [{ expect: { main: { 'answer 503': 'success' } } }, /^Expected a break .*Did you mean 'answers 503'\?$/],
    [{ behaviours: [] }, /^Expected something to break: look declares main, spare\.$/],
    [{ upstreams: [] }, /^Expected something to break/]
  ]
  for (const [options, message] of wrong) await t.rejects(drill(app, { ...ask, ...options }), { name: 'TypeError', message })
})

t.test('a tool without upstreams cannot be drilled', async t => {
  const app = await serve(t, () => capability(() => 1, { upstreams: [], evidence: 'none' }))
  await t.rejects(drill(app, ask), { message: 'Expected something to break: look declares no upstreams.' })
})
