// Every way a provider misbehaves, as a read, a write and an idempotent write through our client. The expectations are literals, in
// test/fixtures/upstream-matrix.ts; what other clients make of the same is in foreign-clients.ts.
import { Type } from '@sinclair/typebox'
import t from 'tap'
import { answering, behaviours, type Behaviour } from '../../src/testing/rogue-behaviours.js'
import type { Capability } from 'candor'
import { allStatuses, byPath, call, capability, checkText, expected, KINDS, names, pictureOf, rowFor, serve, SHORT_MS } from '../fixtures/matrix-service.js'
import { ON_REUSED, OURS } from '../fixtures/upstream-matrix.js'

const Ok = Type.Object({ ok: Type.Boolean() })

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
