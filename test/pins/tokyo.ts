// Nine hours from GMT: what reads a date in local time fails here. The classifier's own tests, and each way an upstream has of
// naming a wait, from its socket to both of its spellings.
import { Type } from '@sinclair/typebox'
import t from 'tap'
import { Agent, setGlobalDispatcher } from 'undici'
import { defineCapability } from 'candor'
import { answering, type Behaviour } from '../../src/testing/rogue-behaviours.js'
import { createRogueServer } from '../../src/testing/rogue-server.js'
import { build, call } from '../fixtures/build.js'

process.env.TZ = 'Asia/Tokyo'
// Which undici sends what fetch asks for is decided by who was loaded first: here it is always this one.
const dispatcher = new Agent()
setGlobalDispatcher(dispatcher)
t.teardown(() => dispatcher.destroy())
await import('../src/upstream/classify.js')
await import('../src/upstream/answer.js')

const imf = (ms: number) => new Date(ms).toUTCString()

function asctime (ms: number): string {
  const [, weekday, day, month, year, time] = /^(\w+), (\d+) (\w+) (\d+) (\S+) GMT$/.exec(imf(ms))!
  return `${weekday} ${month} ${String(Number(day)).padStart(2)} ${time} ${year}`
}

function rfc850 (ms: number): string {
  const [, weekday, day, month, year, time] = /^(\w+), (\d+) (\w+) (\d+) (\S+) GMT$/.exec(imf(ms))!
  return `${weekday}day, ${day}-${month}-${year!.slice(2)} ${time} GMT`
}

const now = Date.UTC(2026, 5, 1, 12)
const at = { date: imf(now) }
const LIMITED = ['UPSTREAM_RATE_LIMITED', 429, 'RATE_LIMIT', true, 'wait_and_retry'] as const
const BUSY = ['UPSTREAM_UNAVAILABLE', 502, 'SERVICE_ERROR', true, 'wait_and_retry'] as const
const FORBIDDEN = ['UPSTREAM_FORBIDDEN', 403, 'AUTH_ERROR', false, 'stop'] as const
const DEFAULT = { wait: '30', source: 'default' }

type Said = readonly [status: number, headers: Record<string, string>, told: readonly unknown[], wait?: { wait: string, source?: string, capped?: string }, body?: string]

const absent: Said[] = ['+5', '-5', '60s', '120junk', '1e3', '0x10', 'Infinity', '', 'soon', '2026-01-01T00:00:00Z'].map(value => [429, { 'retry-after': value }, LIMITED, DEFAULT])
const read: Said[] = ([['0', '1'], ['1', '1'], ['60', '60'], [' 60 ', '60'], ['1.5', '2']] as const).map(([value, wait]) => [429, { 'retry-after': value }, LIMITED, { wait }])

const SAID: Said[] = [
  ...absent,
  ...read,
  [429, { 'retry-after': '99999999999' }, LIMITED, { wait: '86400', capped: 'true' }],
  // Dates
  ...[imf, rfc850, asctime].map((form): Said => [429, { ...at, 'retry-after': form(now + 60_000) }, LIMITED, { wait: '60' }]),
  [429, { ...at, 'retry-after': imf(now - 10_000) }, LIMITED, { wait: '1' }],
  [429, { ...at, 'retry-after': 'Thu, 01 Jan 1970 00:00:00 GMT' }, LIMITED, DEFAULT],
  [429, { ...at, 'retry-after': 'Fri, 31 Dec 9999 23:59:59 GMT' }, LIMITED, { wait: '86400', capped: 'true' }],
  [429, { date: imf(Date.now() - 180_000), 'retry-after': imf(Date.now() - 120_000) }, LIMITED, { wait: '60' }],
  [429, { 'retry-after': '5\r\nretry-after: 120' }, LIMITED, { wait: '120' }],
  // A 403 that is a limit, and those that are none
  [403, { 'retry-after': '60' }, LIMITED, { wait: '60' }],
  [403, { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '90' }, LIMITED, { wait: '90' }],
  [403, {}, FORBIDDEN, undefined, '{"message":"You have exceeded a secondary rate limit."}'],
  [403, { 'x-ratelimit-remaining': '4999' }, FORBIDDEN, undefined, '{"message":"Resource not accessible."}'],
  [403, { 'content-type': 'text/html' }, FORBIDDEN, undefined, '<html>Blocked</html>'],
  // Other statuses
  [503, { 'retry-after': '120' }, BUSY, { wait: '120' }],
  [503, { ...at, 'retry-after': imf(now + 120_000) }, BUSY, { wait: '120' }],
  [529, { 'retry-after': '9', 'ratelimit-reset': '1' }, BUSY, { wait: '9' }],
  [503, { 'ratelimit-reset': '9' }, ['UPSTREAM_UNAVAILABLE', 502, 'SERVICE_ERROR', true, 'retry']],
  [429, {}, LIMITED, DEFAULT],
  [301, { 'retry-after': '5' }, ['UPSTREAM_REDIRECTED', 502, 'SERVICE_ERROR', false, 'stop']],
  [413, { 'retry-after': '5' }, ['UPSTREAM_REJECTED_INPUT', 400, 'INPUT_ERROR', false, 'stop']],
  [202, { 'retry-after': '5' }, []],
  [200, { 'ratelimit-remaining': '0' }, []]
]

t.test('a wait is told as the upstream meant it', async t => {
  let played: Behaviour = answering(200)
  const server = await createRogueServer({ does: 'plays what is set', steps: request => typeof played.steps === 'function' ? played.steps(request) : played.steps })
  t.teardown(() => server.close())
  const ask = defineCapability({
    name: 'ask', description: 'Asks.', effect: 'read', upstreams: ['up'], input: Type.Object({}), output: Type.Unknown(), async handler (_, call) { return (await call.upstream('up').get('/')).data }
  })
  for (const [status, headers, told, wait, body] of SAID) {
    // A service of its own: in one, waits are spread.
    const { app } = await build(t, { capabilities: [ask], upstreams: { up: { baseUrl: server.url } } })
    played = answering(status, headers, body)
    const { status: ours, headers: sent, body: { success, error } } = await call(app, 'ask', {})
    const name = `${status} ${JSON.stringify(headers)}`
    t.equal(success, told.length === 0, name)
    const { code, category, retryable, details = {} } = error ?? {}
    if (!success) t.strictSame([code, ours, category, retryable, details.next_action], [...told], name)
    t.strictSame([sent['retry-after'], details.retry_after, details.retry_after_source, details.retry_after_capped], [wait?.wait, wait && `${wait.wait}s`, wait?.source, wait?.capped], `${name}: the wait`)
  }
  t.equal(server.hits(), SAID.length)
})
