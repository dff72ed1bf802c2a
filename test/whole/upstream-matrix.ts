// Every way a provider misbehaves, as a read, a write and an idempotent write through our client, and as an error that a
// handler lets through from four other clients. The expectations are literals, in test/fixtures/upstream-matrix.ts.
import { setTimeout as wait } from 'node:timers/promises'
import { Type } from '@sinclair/typebox'
import t, { type Test } from 'tap'
import { Agent } from 'undici'
import { servicesAt } from '../../src/call/service.js'
import { Waits } from '../../src/policy/waits.js'
import { classifyUpstreamError } from '../../src/upstream/classify.js'
import { answering, behaviours, type Behaviour, type BehaviourName } from '../../src/testing/rogue-behaviours.js'
import { testAuthority as ca } from '../../src/testing/certificates.js'
import { createRogueServer, type RogueOptions } from '../../src/testing/rogue-server.js'
import { defineCapability, type Capability, type ToolServiceInstance, type UpstreamOptions } from 'candor'
import { build, call as callOne } from '../fixtures/build.js'
import { foreignClients, type Ask } from '../fixtures/foreign-clients.js'
import { CLIENTS, FOREIGN, ON_REUSED, OURS, READ, STATUSES, type Client, type Kinds, type Row, type Told } from '../fixtures/upstream-matrix.js'

const KINDS = ['read', 'write', 'again'] as const
type Kind = typeof KINDS[number]
const names = Object.keys(behaviours) as BehaviourName[]
const SHORT_MS = 300
const LONG_MS = 10_000

const Ok = Type.Object({ ok: Type.Boolean() })

function capability (kind: Kind, name: string, handler: (input: { path?: string }, call: any) => unknown): Capability {
  const shared = { name, description: 'Asks an upstream.', evidence: 'none', upstreams: ['up'], input: Type.Object({ path: Type.Optional(Type.String()) }), output: Type.Unknown() } as const
  return defineCapability({ ...shared, effect: kind === 'read' ? 'read' : 'write', idempotent: kind === 'again', async handler (input, call) { return await handler(input, call) } })
}

/** A read, a write and an idempotent write through our client, and a read that warms the connection. */
function ours (body: object = {}, schema?: typeof Ok): Capability[] {
  return [
    ...KINDS.map(kind => capability(kind, kind, async ({ path = '/' }, { upstream }) => {
      const { data } = kind === 'read' ? await upstream('up').get(path, { schema }) : await upstream('up').post(path, { json: body, schema })
      return data ?? null
    })),
    capability('read', 'warm', async (_, { upstream }) => (await upstream('up').get('/')).data)
  ]
}

async function serve (t: Test, behaviour: BehaviourName | Behaviour, capabilities: Capability[], options: Partial<UpstreamOptions> = {}, rogue: RogueOptions = {}) {
  const server = await createRogueServer(behaviour, rogue)
  t.teardown(() => server.close())
  const secure = server.url.startsWith('https:')
  const dispatcher = secure ? new Agent({ connect: { ca, timeout: 2_000 } }) : undefined
  t.teardown(() => dispatcher?.destroy())
  const { app, lines } = await build(t, { capabilities, upstreams: { up: { baseUrl: server.url, timeoutMs: LONG_MS, maxBytes: 65_536, dispatcher, ...options } } })
  return { server, app, lines }
}

/** A call like the first of its service: later ones would be told longer waits, which test/pins/waits.ts shows. */
async function call (app: ToolServiceInstance, name: string, input: object): Promise<Seen> {
  for (const service of servicesAt(app.server)) Object.assign(service, { waits: new Waits() })
  return await callOne(app, name, input)
}

interface Seen { status: number, headers: Record<string, unknown>, body: any }

/** All of an answer that its reader acts on. */
function pictureOf ({ status, headers, body }: Seen) {
  if (body.success === true) return { status, data: body.data !== undefined }
  const { code, category, retryable, details } = body.error
  return {
    told: [code, status, category, retryable, details.next_action, ...(details.outcome === undefined ? [] : [details.outcome])],
    wait: [details.retry_after, headers['retry-after']],
    resend: headers['x-should-retry'],
    phase: details.phase,
    upstreamStatus: details.upstream_status
  }
}

function expected (told: Told | undefined, { wait, phase, upstreamStatus }: Pick<Row, 'wait' | 'phase' | 'upstreamStatus'>) {
  if (told === undefined) return { status: 200, data: true }
  const [, , , , next] = told
  const waits = next === 'wait_and_retry'
  return { told, wait: waits ? [`${wait}s`, wait] : [undefined, undefined], resend: String(waits || next === 'retry'), phase, upstreamStatus }
}

function checkText (t: Test, { body }: Seen, name: string): void {
  if (body.success === true) return
  t.notMatch(JSON.stringify(body), /127\.0\.0\.1|localhost|ECONN|UND_ERR|HPE_|OpenSSL|Parse Error/, `${name}: nothing of the inside is told`)
  if (body.error.details.outcome === 'unknown') t.notMatch(body.error.message, /fail/i, `${name}: what is not known has not failed`)
}

// --- Through our client ---

for (const name of names) {
  t.test(`our client, an upstream that ${behaviours[name].does}`, async t => {
    const row = OURS[name]
    const { hits = [1, 1, 1], late, orElse } = row
    const body = name === 'reset_in_request' ? { padding: 'x'.repeat(200_000) } : {}
    const { server, app } = await serve(t, name, ours(body, Ok), late === true ? { timeoutMs: SHORT_MS } : {})
    for (const [index, kind] of KINDS.entries()) {
      const before = server.hits()
      const seen = await call(app, kind, {})
      if (orElse === undefined) t.strictSame(pictureOf(seen), expected(row[kind], row), kind)
      else t.ok([row[kind]!, orElse[kind]!].some(told => String(told) === String(pictureOf(seen).told)), `${kind}: ${pictureOf(seen).told}`)
      checkText(t, seen, kind)
      t.equal(server.hits() - before, hits[index], `${kind}: hits`)
    }
  })
}

for (const name of ON_REUSED) {
  t.test(`our client, on a connection in use, an upstream that ${behaviours[name].does}`, async t => {
    const row = OURS[name]
    for (const kind of KINDS) {
      // One service each: after a failure a pool has several connections to choose from.
      const { server, app } = await serve(t, name, ours({}, Ok), row.late === true ? { timeoutMs: SHORT_MS } : {}, { wellFirst: 1 })
      t.equal((await call(app, 'warm', {})).status, 200)
      t.strictSame(pictureOf(await call(app, kind, {})), expected(row[kind], row), kind)
      t.equal(server.hits(), 2, `${kind}: hits`)
    }
  })
}

// --- Statuses ---

const byPath: Behaviour = { does: 'answers the status in its path', steps: ({ path }) => answering(Number(path.slice(1))).steps as never }
const allStatuses = [...Array.from({ length: 400 }, (_, index) => 200 + index), 888]

function rowFor (status: number): [told: Kinds, wait?: string] {
  const found = STATUSES.find(([statuses]) => statuses[2] === 'rest' ? status >= statuses[0]! && status <= statuses[1]! : (statuses as number[]).includes(status))
  return [found![1], found![2]]
}

t.test('our client, every status', async t => {
  const { server, app, lines } = await serve(t, byPath, ours())
  for (const kind of KINDS) {
    const wrong: unknown[] = []
    for (const status of allStatuses) {
      const [told, wait] = rowFor(status)
      const picture = pictureOf(await call(app, kind, { path: `/${status}` }))
      const right = expected(told[kind], { wait, upstreamStatus: String(status) })
      if (JSON.stringify(picture) !== JSON.stringify(right)) wrong.push({ status, picture, right })
    }
    t.strictSame(wrong, [], kind)
  }
  t.equal(server.hits(), 3 * allStatuses.length, 'one hit each')
  t.strictSame(lines.filter(({ level }) => level >= 50).map(({ code }) => code).filter(code => code !== 'UPSTREAM_AUTH_FAILED'), [], 'none is a bug of ours')
})

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

// --- The one thing that is sent twice ---

t.test('a fresh token after a 401 is the only thing that is sent twice', async t => {
  const guarded: Behaviour = { does: 'takes one token', steps: ({ text }) => answering(text.includes('Bearer right') ? 200 : 401, {}, '{"ok":true}').steps as never }
  for (const kind of KINDS) {
    for (const [tokens, told] of [[['old', 'right'], undefined], [['old', 'older'], rowFor(401)[0][kind]], [['old', 'old'], rowFor(401)[0][kind]]] as const) {
      let asked = 0
      const { server, app } = await serve(t, guarded, ours(), { auth: () => tokens[asked++]! })
      t.strictSame(pictureOf(await call(app, kind, {})), expected(told, { upstreamStatus: '401' }), `${kind}: ${tokens}`)
      t.equal(server.hits(), tokens[0] === tokens[1] ? 1 : 2)
    }
  }
})

// --- Other clients, let through by a handler ---

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
