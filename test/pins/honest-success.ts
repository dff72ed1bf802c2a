import { Type } from '@sinclair/typebox'
import t, { type Test } from 'tap'
import { defineCapability } from 'candor'
import { asking, askers } from '../fixtures/asking.js'
import { build, call } from '../fixtures/build.js'
import { dishonest, lying } from '../fixtures/dishonest.js'
import { closedPort, fakeUpstream, rawAnswer } from '../fixtures/fake-upstream.js'
import { capabilityOf, honest } from '../fixtures/honest.js'

const json = (status: number, body: unknown, headers: Record<string, string> = {}): string => rawAnswer(status, { 'content-type': 'application/json', ...headers }, JSON.stringify(body))

/** A provider as the honest patterns know it. */
async function provider (t: Test): Promise<string> {
  let asked = 0
  const { url } = await fakeUpstream(t, (socket, _, text) => {
    const path = text.split(' ', 2)[1]!
    if (path === '/down') socket.write(json(503, {}))
    else if (path === '/missing') socket.write(json(404, {}))
    else if (path === '/moved') socket.write(json(302, {}, { location: '/rows' }))
    else if (path === '/kept') socket.write('HTTP/1.1 304 Not Modified\r\n\r\n')
    else if (path === '/flaky' && ++asked === 1) socket.write(json(503, {}))
    else if (path === '/slow') setTimeout(() => socket.write(json(200, { rows: ['late'] })), 2_000).unref()
    else socket.write(json(200, { rows: path === '/empty' ? [] : ['row'] }))
  })
  return url
}

for (const asker of askers) {
  t.test(`what an honest tool does may be claimed, asking by ${asker}`, async t => {
    for (const pattern of honest.filter(({ foreignOnly }) => asker !== 'ours' || foreignOnly !== true)) {
      await t.test(`one that ${pattern.does}`, async t => {
        const urls = { main: await provider(t), spare: await provider(t), telemetry: await provider(t) }
        const { app } = await build(t, { capabilities: [capabilityOf(pattern, asking(asker, urls))], upstreams: { main: { baseUrl: urls.main }, spare: { baseUrl: urls.spare } } })
        const { status, body } = await call(app, 'look', {})
        t.equal(status, 200, JSON.stringify(body))
        t.match(body, { success: true, ...(pattern.meta !== undefined && { meta: pattern.meta }) })
        if (pattern.meta === undefined) t.strictSame(Object.keys(body.meta ?? {}).filter(key => key !== 'sources'), [], 'nothing more is said of it')
      })
    }
  })
}

/** How a provider breaks, and what the caller has to be told of a read. */
const breaks: Record<string, { url: (t: Test) => Promise<string>, code: string }> = {
  'answers 503': { url: async t => (await fakeUpstream(t, socket => socket.write(json(503, {})))).url, code: 'UPSTREAM_UNAVAILABLE' },
  'answers 401': { url: async t => (await fakeUpstream(t, socket => socket.write(json(401, {})))).url, code: 'UPSTREAM_AUTH_FAILED' },
  'answers 429': { url: async t => (await fakeUpstream(t, socket => socket.write(json(429, {})))).url, code: 'UPSTREAM_RATE_LIMITED' },
  'hangs up': { url: async t => (await fakeUpstream(t, socket => socket.destroy())).url, code: 'UPSTREAM_CONNECTION_LOST' },
  'cuts its answer short': { url: async t => (await fakeUpstream(t, socket => socket.end('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 99\r\n\r\n{"te'))).url, code: 'UPSTREAM_INVALID_RESPONSE' },
  'refuses the connection': { url: async () => `http://127.0.0.1:${await closedPort()}`, code: 'UPSTREAM_UNREACHABLE' }
}

for (const asker of askers) {
  // A handler that takes every status from our client has said that it accepts them.
  for (const lie of dishonest.filter(({ statusesOnly }) => asker !== 'ours' || statusesOnly !== true)) {
    t.test(`a tool that ${lie.does} is refused, asking by ${asker}`, async t => {
      for (const [does, { url, code }] of Object.entries(breaks)) {
        await t.test(`where its provider ${does}`, async t => {
          const urls = { main: await url(t), spare: await provider(t) }
          const { app, lines } = await build(t, { capabilities: [lying(lie, asking(asker, urls))], upstreams: { main: { baseUrl: urls.main }, spare: { baseUrl: urls.spare } } })
          const { body } = await call(app, 'lie', {})
          if (lie.statusesOnly === true && !does.startsWith('answers')) return t.match(body, { success: false, error: { code } }, 'no answer to take')
          t.match(body, { success: false, error: { code, details: { rejected: 'masked_failure', upstream: 'main' } } })
          if (lie.effect === 'write') t.match(body.error.details.outcome, code === 'UPSTREAM_CONNECTION_LOST' || code === 'UPSTREAM_UNAVAILABLE' || code === 'UPSTREAM_INVALID_RESPONSE' ? 'unknown' : 'not_applied')
          t.match(lines.filter(({ rule }) => rule === 'masked-failure'), [{ level: 50, requestId: body.error.details.request_id, evidence: { upstream: 'main' } }])
        })
      }
    })
  }
}

t.test('a mock behind a flag that asks nobody is refused for want of a source, and for what it says of itself', async t => {
  const mock = (evidence?: 'upstream') => defineCapability({
    name: 'weather',
    description: 'Weather.',
    effect: 'read',
    evidence,
    upstreams: ['main'],
    input: Type.Object({}),
    output: Type.Object({ temperature: Type.Number(), source: Type.String() }),
    handler: () => ({ temperature: 21, source: 'mock' })
  })
  const upstreams = { main: { baseUrl: 'http://main.invalid' } }
  t.match((await call((await build(t, { capabilities: [mock('upstream')], upstreams })).app, 'weather', {})).body, { error: { code: 'UNSUPPORTED_SUCCESS', retryable: false } })
  t.match((await call((await build(t, { capabilities: [mock()], upstreams })).app, 'weather', {})).body, { error: { code: 'MOCK_DATA_REJECTED', retryable: false, details: { rule: 'mock-marker: source is "mock"' } } })
})

t.test('nothing, an empty text, zero, false and null from a healthy upstream are answers', async t => {
  const url = await provider(t)
  for (const [output, data] of [[Type.Array(Type.String()), []], [Type.String(), ''], [Type.Number(), 0], [Type.Boolean(), false], [Type.Null(), null]] as const) {
    const capability = defineCapability({
      name: 'look', description: 'Looks.', effect: 'read', evidence: 'upstream', upstreams: ['main'], input: Type.Object({}), output: output as any, handler: async (_, call) => { await call.upstream('main').get('/rows'); return data as never }
    })
    const { app } = await build(t, { capabilities: [capability], upstreams: { main: { baseUrl: url } } })
    t.strictSame((await call(app, 'look', {})).body, { success: true, data, meta: { sources: ['main'] } })
  }
})

t.test('honest data whose words look like a mock\'s passes', async t => {
  const url = await provider(t)
  const data = { mock_exam: true, sample_size: 40, placeholder: 'Your name', title: 'Mockingbird Weekly', source: 'Mockingbird Weekly' }
  const capability = defineCapability({
    name: 'look', description: 'Looks.', effect: 'read', input: Type.Object({}), output: Type.Unknown(), handler: () => data
  })
  const { app } = await build(t, { capabilities: [capability], upstreams: { main: { baseUrl: url } } })
  t.strictSame((await call(app, 'look', {})).body, { success: true, data })
})
