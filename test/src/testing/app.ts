import t from 'tap'
import Fastify from 'fastify'
import { toolService } from '../../../plugins/tool-service.js'
import { capabilityOf, servicesOf, unknown, upstreamsOf } from '../../../src/testing/app.js'
import { build } from '../../fixtures/build.js'
import { echo, note } from '../../fixtures/capabilities.js'

t.test('an app without a tool service, or not ready yet, is a mistake of the test', async t => {
  const app = Fastify()
  t.throws(() => servicesOf(app), { name: 'TypeError', message: /await app\.ready\(\)/ })
  app.register(toolService, { name: 'late', version: '1.0.0', capabilities: [note] })
  t.throws(() => servicesOf(app), TypeError)
  await app.ready()
  t.strictSame(servicesOf(app).length, 1)
  await app.close()
})

t.test('capabilities and upstreams are found by name, and a misspelt one is told the nearest', async t => {
  const { app } = await build(t, { capabilities: [echo, note], upstreams: { up: { baseUrl: 'http://up.invalid' } } })
  const services = servicesOf(app)
  t.equal(capabilityOf(services, 'note'), note)
  t.strictSame(upstreamsOf(services, 'up').map(({ label }) => label), ['up'])
  t.throws(() => capabilityOf(services, 'ecoh'), new TypeError("Expected a capability that there is (echo, note), got 'ecoh'. Did you mean 'echo'?"))
  t.throws(() => upstreamsOf(services, 'banana'), new TypeError("Expected an upstream that there is (up), got 'banana'."))
  t.throws(() => unknown('a thing', 'x', []), new TypeError("Expected a thing that there is (there is none), got 'x'."))
})

t.test('of two services on one app each has its own', async t => {
  const app = Fastify()
  for (const [prefix, one] of [['/a', echo], ['/b', note]] as const) app.register(toolService, { prefix, name: 'tool', version: '1.0.0', capabilities: [one], upstreams: { up: { baseUrl: 'http://up.invalid' } } })
  await app.ready()
  t.teardown(() => app.close())
  t.equal(capabilityOf(servicesOf(app), 'note'), note)
  t.equal(upstreamsOf(servicesOf(app), 'up').length, 2)
})
