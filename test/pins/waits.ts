import t from 'tap'
import { Type } from '@sinclair/typebox'
import { defineCapability } from 'candor'
import { build, call } from '../fixtures/build.js'
import { fakeUpstream, rawAnswer } from '../fixtures/fake-upstream.js'

// Callers that are told to wait at once must not come back at once: the tool alone knows how many it has sent away.

process.on('warning', warning => t.fail(warning.message))

const ask = defineCapability({
  name: 'ask', description: 'Asks.', effect: 'read', upstreams: ['up'], input: Type.Object({}), output: Type.Unknown(), handler: async (_, call) => (await call.upstream('up').get('/')).data
})

/** So many callers at once of an upstream that answers like this: what each was told, and how often it was asked. */
async function crowd (t: Parameters<typeof build>[0], callers: number, status: number, headers: Record<string, string>) {
  const up = await fakeUpstream(t, socket => socket.end(rawAnswer(status, { connection: 'close', ...headers })))
  const { app } = await build(t, { upstreams: { up: { baseUrl: up.url } }, capabilities: [ask] })
  const answers = await Promise.all(Array.from({ length: callers }, async () => await call(app, 'ask', {})))
  for (const { headers, body } of answers) t.equal(body.error.details.retry_after, headers['retry-after'] === undefined ? undefined : `${headers['retry-after']}s`)
  return { hits: up.hits(), answers, waits: answers.map(({ headers }) => Number(headers['retry-after'])) }
}

/** How many come back in the second in which most do. */
const most = (waits: number[]): number => Math.max(...waits.map(wait => waits.filter(other => other === wait).length))

t.test('fifty callers of a limited upstream: each is told its own number or more, asked once, and they are spread', async t => {
  const { hits, answers, waits } = await crowd(t, 50, 429, { 'retry-after': '60' })
  t.equal(hits, 50)
  for (const { status, body } of answers) t.match({ status, body }, { status: 429, body: { error: { code: 'UPSTREAM_RATE_LIMITED', retryable: true, details: { next_action: 'wait_and_retry', retry_after_source: undefined } } } })
  t.equal(Math.min(...waits), 60)
  t.ok(Math.max(...waits) <= 90, `${Math.max(...waits)}`)
  t.ok(most(waits) <= 4, `${most(waits)} in one second`)
})

t.test('so are those who were told the default, and it is still called that', async t => {
  const { answers, waits } = await crowd(t, 10, 429, {})
  t.equal(Math.min(...waits), 30)
  t.ok(most(waits) <= 3, `${most(waits)} in one second`)
  for (const { body } of answers) t.equal(body.error.details.retry_after_source, 'default')
})

t.test('and those of an upstream that is down and says for how long', async t => {
  const { waits } = await crowd(t, 10, 503, { 'retry-after': '5' })
  t.equal(Math.min(...waits), 5)
  t.ok(most(waits) <= 3, `${most(waits)} in one second`)
})

t.test('a failure that says nothing of a wait is not given one', async t => {
  const { waits } = await crowd(t, 3, 503, {})
  t.strictSame(waits, [NaN, NaN, NaN])
})
