import t from 'tap'
import Fastify from 'fastify'
import { toolService } from '../../../plugins/tool-service.js'
import { callCapability, parsed } from '../../../src/testing/call-capability.js'
import { build } from '../../fixtures/build.js'
import { echo, note, reading } from '../../fixtures/capabilities.js'

t.test('a success has its data, its status and its headers', async t => {
  const { app } = await build(t, { capabilities: [echo], upstreams: { up: { baseUrl: 'http://up.invalid' } } })
  const answer = await callCapability<{ text: string }>(app, 'echo', { text: 'hello' }, { headers: { 'x-request-id': 'mine' } })
  t.equal(answer.status, 200)
  t.equal(answer.headers['x-request-id'], 'mine')
  t.ok(answer.success && answer.data.text === 'hello')
})

t.test('a failure is an answer too, whatever was sent', async t => {
  const { app } = await build(t, { capabilities: [note] })
  t.match(await callCapability(app, 'note', { text: 1 }), { status: 400, success: false, error: { code: 'INVALID_INPUT' } })
  t.match(await callCapability(app, 'note', []), { status: 400, success: false })
  t.match(await callCapability(app, 'none/such', {}), { status: 404, success: false, error: { code: 'CAPABILITY_NOT_FOUND' } })
  t.match(await callCapability(app, 'note', undefined), { status: 200, success: true, data: { done: true } }, 'no input is an empty one')
})

t.test('a service with a prefix is called there', async t => {
  const app = Fastify()
  app.register(toolService, { prefix: '/tools', name: 'tool', version: '1.0.0', capabilities: [reading('look', async () => ({ text: 'here' }))], upstreams: { up: { baseUrl: 'http://up.invalid' } } })
  t.teardown(() => app.close())
  t.match(await callCapability(app, 'look', {}, { prefix: '/tools' }), { success: true, data: { text: 'here' } })
})

t.test('what is no envelope is no answer', async t => {
  const app = Fastify()
  app.post('/api/capabilities/:name', async () => 'a'.repeat(1_000))
  t.teardown(() => app.close())
  await t.rejects(callCapability(app, 'look', {}), { message: `Expected look to answer with an envelope, got 200 ${'a'.repeat(500)}` })
  t.equal(parsed('{'), undefined)
})
