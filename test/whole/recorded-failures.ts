// Every way a provider misbehaves, met by other clients whose requests are recorded: the failure names its upstream, and
// what its client could not say is said from the record.
import { Type } from '@sinclair/typebox'
import t, { type Test } from 'tap'
import { defineCapability } from 'candor'
import { behaviours, type BehaviourName } from '../../src/testing/rogue-behaviours.js'
import { createRogueServer } from '../../src/testing/rogue-server.js'
import { build, call } from '../fixtures/build.js'
import { foreignClients } from '../fixtures/foreign-clients.js'
import { CLIENTS, FOREIGN, type Client } from '../fixtures/upstream-matrix.js'

/** The text alone is broken, under a 200 that came whole: only whoever reads it finds out, and its error says nothing of the source. */
const TEXT_ALONE: readonly BehaviourName[] = ['page', 'half_json', 'cut_in_gzip', 'no_gzip']
/** What a client hands to its handler as an answer, and no handler can be made to throw for. */
const HANDED_ON: Partial<Record<BehaviourName, string>> = { page_in_502: 'UPSTREAM_UNAVAILABLE' }
/** axios waits until its time is over for an answer whose exchange ended long before, in another way: the two are not taken for one. */
const OF_NOBODY = (name: BehaviourName, client: Client): boolean => name === 'switching_protocols' && client === 'axios'
/** Time for the ones that never end. */
const SHORT_MS = 300

async function told (t: Test, name: BehaviourName, client: Client) {
  const server = await createRogueServer(name)
  t.teardown(() => server.close())
  const ask = foreignClients(t)[client]
  const stalls = FOREIGN[name].all === 'UPSTREAM_TIMEOUT' || FOREIGN[name].but?.[client] === 'UPSTREAM_TIMEOUT'
  const look = defineCapability({
    name: 'look', description: 'Looks.', effect: 'read', upstreams: ['up'], input: Type.Object({}), output: Type.Unknown(), handler: async () => await ask(server.url, 'GET', stalls ? SHORT_MS : 10_000)
  })
  const { app } = await build(t, { capabilities: [look], upstreams: { up: { baseUrl: server.url } } })
  return (await call(app, 'look', {})).body
}

for (const name of Object.keys(behaviours) as BehaviourName[]) {
  t.test(`recorded, an upstream that ${behaviours[name].does}`, async t => {
    for (const client of CLIENTS) {
      const { all = null, but = {} } = FOREIGN[name]
      const code = but[client] === undefined ? all : but[client]
      const body = await told(t, name, client)
      const shown = `${client}: ${JSON.stringify(body)}`
      if (HANDED_ON[name] !== undefined) t.match(body, { error: { code: HANDED_ON[name], details: { upstream: 'up' } } }, shown)
      else if (code === null) t.ok(body.success === true || body.error.details.rejected === 'masked_failure', shown)
      else if (TEXT_ALONE.includes(name)) t.match(body.error, { code: /^(INTERNAL_ERROR|UPSTREAM_INVALID_RESPONSE|UPSTREAM_PROTOCOL_ERROR)$/ }, shown)
      else t.match(body.error, { code: /^UPSTREAM_/, details: { upstream: OF_NOBODY(name, client) ? undefined : 'up' } }, shown)
    }
  })
}
