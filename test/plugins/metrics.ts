import Fastify from 'fastify'
import t from 'tap'
import { metrics } from '../../plugins/metrics.js'
import { createMetrics } from '../../src/call/metrics.js'

process.on('warning', warning => t.fail(warning.message))

t.test('Prometheus reads what the service has counted, fresh each time', async t => {
  const counted = createMetrics()
  const app = Fastify()
  t.teardown(() => app.close())
  await app.register(metrics, { metrics: counted })

  const empty = await app.inject('/metrics')
  t.equal(empty.statusCode, 200)
  t.equal(empty.headers['content-type'], 'text/plain; version=0.0.4; charset=utf-8')
  t.equal(empty.headers['cache-control'], 'no-store')
  t.match(empty.body, '# TYPE candor_calls_total counter')

  counted.report({ capability: 'get_rate', outcome: 'success', durationMs: 3, exchanges: new Map(), rules: [] })
  t.match((await app.inject('/metrics')).body, 'candor_calls_total{capability="get_rate",outcome="success",code=""} 1')
})

t.test('under a prefix the page moves with the service', async t => {
  const app = Fastify()
  t.teardown(() => app.close())
  await app.register(async scope => { await scope.register(metrics, { metrics: createMetrics() }) }, { prefix: '/rates' })
  t.equal((await app.inject('/rates/metrics')).statusCode, 200)
  t.equal((await app.inject('/metrics')).statusCode, 404)
})

t.test('what cannot be read is an error of the service, not an empty page', async t => {
  const app = Fastify()
  t.teardown(() => app.close())
  await app.register(metrics, { metrics: { text: () => Promise.reject(new Error('unreadable')), contentType: 'text/plain' } })
  t.equal((await app.inject('/metrics')).statusCode, 500)
})
