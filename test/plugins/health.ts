import Fastify from 'fastify'
import t from 'tap'
import { toolReplies } from 'candor'
import { health } from '../../plugins/health.js'
import { modesOf } from '../../src/capability/honesty-rules.js'

process.on('warning', warning => t.fail(warning.message))

t.test('a service says who it is, and whether it takes calls', async t => {
  const notReady: string[] = []
  const app = Fastify()
  t.teardown(() => app.close())
  await app.register(toolReplies)
  await app.register(health, { name: 'weather-tool', version: '1.2.3', notReady: () => notReady })

  const { id } = (await app.inject('/health')).json()
  t.match(id, /^weather-tool-[0-9a-f]{8}$/)
  t.strictSame((await app.inject('/health')).json(), { status: 'healthy', type: 'tool', name: 'weather-tool', id, version: '1.2.3' })
  t.strictSame((await app.inject('/ready')).json(), { status: 'ready', type: 'tool', name: 'weather-tool', id, version: '1.2.3' })

  notReady.push('stopping')
  const response = await app.inject('/ready')
  t.equal(response.statusCode, 503)
  t.match(response.json(), { success: false, error: { code: 'SERVICE_UNAVAILABLE', message: 'The service is not ready: stopping.', retryable: true, details: { not_ready: 'stopping', next_action: 'retry' } } })
  t.equal((await app.inject('/health')).statusCode, 200, 'the process is alive all the same')
})

t.test('rules of honest success that are relaxed show, by capability where its name may be known', async t => {
  const app = Fastify()
  t.teardown(() => app.close())
  await app.register(toolReplies)
  await app.register(health, { name: 'weather-tool', version: '1.2.3', notReady: () => [], rules: [{ name: 'forecast', modes: modesOf({ evidence: 'warn' }) }, { name: undefined, modes: modesOf({ evidence: 'off' }) }] })
  t.match((await app.inject('/health')).json(), { status: 'healthy', honesty: { forecast: { evidence: 'warn' } }, honesty_unnamed: { evidence: { off: 1 } } })
})
