import http from 'node:http'
import t from 'tap'
import { Agent, request } from 'undici'
import { observed, observedBy, unobserved, watchClients } from '../../../src/upstream/observe.js'
import { send } from '../../../src/upstream/transport.js'
import { fakeCall, serve } from '../../fixtures/observing.js'

t.test('every client is watched until the last who watches has stopped', async t => {
  const { url } = await serve(t, (_, response) => { response.end('ok') })
  const agent = new Agent()
  t.teardown(() => agent.destroy())
  const asks = [
    () => fetch(url),
    () => request(url, { dispatcher: agent }),
    () => new Promise(resolve => http.get(url, response => response.resume().on('end', resolve)))
  ]
  const recorded = async (): Promise<number> => {
    const call = fakeCall()
    for (const ask of asks) await call.settle(ask)
    return call.exchanges.length
  }
  t.equal(await recorded(), 0)
  const first = watchClients()
  const second = watchClients()
  t.equal(await recorded(), 3)
  first()
  first()
  t.equal(await recorded(), 3)
  second()
  t.equal(await recorded(), 0)
  watchClients()()
  t.equal(await recorded(), 0)
})

t.test('our own client is not recorded again', async t => {
  t.teardown(watchClients())
  const { url } = await serve(t, (_, response) => { response.end('ok') })
  const agent = new Agent()
  t.teardown(() => agent.destroy())
  const call = fakeCall()
  for (const dispatcher of [agent, observed(agent)]) {
    await call.settle(() => send(dispatcher, { origin: url, path: '/', method: 'GET', headers: {}, body: undefined }, { maxBytes: 10 }, { sent: false, phase: 'connect' }).result)
  }
  t.same(call.exchanges, [])
})

t.test('who is told is who it is run on behalf of', async t => {
  t.teardown(watchClients())
  const { url } = await serve(t, (_, response) => { response.end('ok') })
  const [one, other] = [fakeCall(), fakeCall()]
  await observedBy(one, async () => await Promise.all([fetch(url), unobserved(() => fetch(url)), observedBy(other, () => fetch(`${url}/other`))]))
  t.match([one, other].map(({ exchanges }) => exchanges.map(({ path }) => path)), [['/'], ['/other']])
})
