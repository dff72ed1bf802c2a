// Every way a provider misbehaves, as an error that a handler lets through from other clients than ours. The expectations are literals, in
// test/fixtures/upstream-matrix.ts. Apart from upstream-matrix.ts, which takes as long: both mostly wait.
import { setTimeout as wait } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { classifyUpstreamError } from '../../src/upstream/classify.js'
import { behaviours, type BehaviourName } from '../../src/testing/rogue-behaviours.js'
import { allStatuses, byPath, call, capability, checkText, expected, KINDS, LONG_MS, names, pictureOf, rowFor, serve, SHORT_MS, type Kind } from '../fixtures/matrix-service.js'
import { foreignClients, type Ask } from '../fixtures/foreign-clients.js'
import { CLIENTS, FOREIGN, ON_REUSED, READ, type Client, type Told } from '../fixtures/upstream-matrix.js'

t.test('axios, every status that it throws, told as our client tells it once the call is known to have asked', async t => {
  const { axios } = foreignClients(t)
  const answered = async (known: boolean) => {
    const { server, app } = await serve(t, byPath, [capability('read', 'read', async ({ path = '' }, { upstream }) => {
      if (known) await upstream('up').get('/200')
      return await axios(`${server.url}${path}`, 'GET', LONG_MS)
    })])
    const wrong: unknown[] = []
    for (const status of allStatuses.filter(status => status >= 300)) {
      const [told, wait] = rowFor(status)
      const picture = pictureOf(await call(app, 'read', { path: `/${status}` }))
      const right = known ? expected(told.read, { wait, upstreamStatus: String(status) }) : expected(['INTERNAL_ERROR', 500, 'SERVICE_ERROR', false, 'stop'], {})
      if (JSON.stringify(picture) !== JSON.stringify(right)) wrong.push({ status, picture, right })
    }
    t.strictSame(wrong, [])
  }
  await answered(true)
  await answered(false)
})

/** A handler that asks by itself, and the error it let through. */
function foreign (kind: Kind, ask: Ask, url: () => string, timeoutMs: number, warm: boolean) {
  const thrown: unknown[] = []
  const one = capability(kind, kind, async () => {
    if (warm) {
      await ask(url(), 'GET', LONG_MS)
      // The connection goes back to those that can be used.
      await wait(10)
    }
    try { return await ask(url(), kind === 'read' ? 'GET' : 'POST', timeoutMs) } catch (error) { thrown.push(error); throw error }
  })
  return { one, thrown }
}

function foreignCode (name: BehaviourName, client: Client): string | null {
  const { all = null, but = {} } = FOREIGN[name]
  return but[client] === undefined ? all : but[client]
}

async function checkForeign (t: Test, name: BehaviourName, client: Client, kind: Kind, warm: boolean): Promise<void> {
  const { mute = [], hits = {} } = FOREIGN[name]
  const code = foreignCode(name, client)
  const timeoutMs = code === 'UPSTREAM_TIMEOUT' || name.startsWith('stalled') || name.startsWith('endless') ? SHORT_MS : LONG_MS
  let url = ''
  const { one, thrown } = foreign(kind, foreignClients(t)[client], () => url, timeoutMs, warm)
  const { server, app } = await serve(t, name, [one], {}, warm ? { wellFirst: 1 } : {})
  url = server.url
  const seen = await call(app, kind, {})
  // How often a client sends a write on is its own affair; that it is told as unknown is ours.
  if (kind === 'read' || !name.startsWith('redirect')) t.equal(server.hits(), (hits[client] ?? 1) + (warm ? 1 : 0), `${client} ${kind}: hits`)
  if (code === null) {
    t.strictSame(thrown, [], `${client} ${kind} throws nothing`)
    return
  }
  const read = classifyUpstreamError(thrown[0]).code
  t.ok(code.split('|').includes(read), `${client} ${kind}: read as ${read}, expected ${code}`)
  const told: Told = mute.includes(client) ? ['INTERNAL_ERROR', 500, 'SERVICE_ERROR', false, 'stop'] : READ[read]!
  t.strictSame(pictureOf(seen).told, kind === 'read' ? told : unrecorded(told, kind), `${client} ${kind}`)
  checkText(t, seen, `${client} ${kind}`)
}

/** Nobody recorded what was sent, so that of a write nothing is known. */
function unrecorded ([code, status, category, retryable, next]: Told, kind: Kind): Told {
  return kind === 'again' ? [code, status, category, retryable, retryable ? next : 'escalate', 'unknown'] : [code, 500, 'SERVICE_ERROR', false, 'escalate', 'unknown']
}

for (const name of names) {
  t.test(`other clients, an upstream that ${behaviours[name].does}`, async t => {
    for (const client of CLIENTS) for (const kind of KINDS) await t.test(`${client}, ${kind}`, async t => { await checkForeign(t, name, client, kind, false) })
  })
}

for (const name of ON_REUSED) {
  t.test(`other clients, on a connection in use, an upstream that ${behaviours[name].does}`, async t => {
    for (const client of CLIENTS) for (const kind of KINDS) await t.test(`${client}, ${kind}`, async t => { await checkForeign(t, name, client, kind, true) })
  })
}
