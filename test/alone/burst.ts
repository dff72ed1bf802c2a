// Ten thousand calls at once from one caller that may make a hundred: the hundred are taken, the others are told when to
// come back, not all at the same time, and nobody else notices.
import net from 'node:net'
import { once } from 'node:events'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { Writable } from 'node:stream'
import t from 'tap'
import { createToolService, type Capability } from 'candor'
import { echo, note } from '../fixtures/capabilities.js'
import { listen } from '../fixtures/raw.js'

const SOCKETS = 200
const EACH = 50
const MAX = 100
const BYTES = 2 ** 26

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void
const heap = (): number => { collect(); return process.memoryUsage().heapUsed }

interface Told { status: number, retryAfter: string | undefined, limit: string | undefined, body: any }

/** Calls one after the other on a connection that stays open, from an address of this machine. */
async function caller (port: number, localAddress: string): Promise<{ call: (name: string) => Promise<Told>, close: () => void }> {
  const socket = net.connect({ port, host: '127.0.0.1', localAddress })
  await once(socket, 'connect')
  let text = ''
  let told: ((answer: Told) => void) | undefined
  socket.on('data', data => {
    text += String(data)
    const end = text.indexOf('\r\n\r\n')
    const head = text.slice(0, end)
    const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'im').exec(head)?.[1]?.trim()
    if (end < 0 || text.length < end + 4 + Number(field('content-length'))) return
    const body = JSON.parse(text.slice(end + 4))
    text = ''
    told!({ status: Number(head.split(' ')[1]), retryAfter: field('retry-after'), limit: field('ratelimit'), body })
  })
  return {
    close: () => socket.destroy(),
    call: async name => await new Promise(resolve => {
      told = resolve
      socket.write(`POST /api/capabilities/${name} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 16\r\n\r\n{"text":"hello"}`)
    })
  }
}

/** What is wrong with a refusal; `undefined` where it is as promised. */
function fault ({ status, retryAfter, limit, body }: Told): string | undefined {
  const { success, error } = body
  if (status !== 429 || success !== false || error.code !== 'RATE_LIMIT_EXCEEDED' || error.category !== 'RATE_LIMIT' || error.retryable !== true) return 'not the envelope of a limit'
  if (error.details.retry_after !== `${retryAfter}s`) return `told ${error.details.retry_after} and ${retryAfter}`
  const [, left, reset] = /^"default";r=(\d+);t=(\d+)$/.exec(limit ?? '') ?? []
  if (left !== '0') return `${limit} left`
  if (Number(retryAfter) < Number(reset)) return `told ${retryAfter}, before ${reset}`
  return error.details.next_action === 'wait_and_retry' && /^[\w.-]+$/.test(error.details.request_id) ? undefined : 'no next step'
}

t.test('a burst is cut off at its limit, told when to come back, and nobody else notices', async t => {
  let ran = 0
  const counting: Capability = { ...echo, handler: async input => { ran++; return input } }
  let logged = 0
  const stream = new Writable({ write (chunk, _, done) { logged += String(chunk).split('"code":"RATE_LIMIT_EXCEEDED"').length - 1; done() } })
  const app = await createToolService({ name: 'test-tool', version: '1.0.0', logger: { level: 'info', stream }, upstreams: { up: { baseUrl: 'http://127.0.0.1:1' } }, capabilities: [counting, note], limits: { rate: { max: MAX, windowMs: 600_000 } } })
  t.teardown(() => app.close())
  const port = await listen(app)
  const crowd = await Promise.all(Array.from({ length: SOCKETS }, async () => await caller(port, '127.0.0.1')))
  const others = await Promise.all([caller(port, '127.0.0.2'), caller(port, '127.0.0.1')])
  const before = heap()

  const tally = { taken: 0, refused: 0, faults: new Map<string, number>(), waits: new Map<string, number>() }
  const burst = Promise.all(crowd.map(async ({ call }) => {
    for (let n = 0; n < EACH; n++) {
      const told = await call('echo')
      if (told.status === 200) { tally.taken++; continue }
      tally.refused++
      const wrong = fault(told)
      if (wrong !== undefined) tally.faults.set(wrong, (tally.faults.get(wrong) ?? 0) + 1)
      tally.waits.set(told.retryAfter!, (tally.waits.get(told.retryAfter!) ?? 0) + 1)
    }
  }))
  const [stranger, same] = others
  const meanwhile = [await stranger.call('echo'), await same.call('note'), await stranger.call('note'), await stranger.call('echo')]
  t.ok(tally.taken + tally.refused < SOCKETS * EACH, 'the burst goes on')
  await burst

  t.strictSame(meanwhile.map(({ status }) => status), [200, 200, 200, 200])
  t.match(meanwhile[3]!.limit, `"default";r=${MAX - 2};`)
  t.equal(tally.taken, MAX)
  t.equal(ran, MAX + 2)
  t.equal(tally.refused, SOCKETS * EACH - MAX)
  t.strictSame([...tally.faults], [])
  t.ok(tally.waits.size >= 60, `${tally.waits.size} different waits`)
  t.ok(Math.max(...tally.waits.values()) < tally.refused / 20, `${Math.max(...tally.waits.values())} told the same`)
  t.equal(logged, tally.refused, 'each refusal is logged, once')
  t.ok(heap() - before < BYTES, 'nothing is kept of who was refused')
  for (const { close } of [...crowd, ...others]) close()
})
