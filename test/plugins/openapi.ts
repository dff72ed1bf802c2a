import Fastify from 'fastify'
import t from 'tap'
import { openapi } from '../../plugins/openapi.js'
import { echo } from '../fixtures/capabilities.js'

process.on('warning', warning => t.fail(warning.message))

t.test('the document is served as JSON, with every capability', async t => {
  const app = Fastify()
  t.teardown(() => app.close())
  await app.register(openapi, { name: 'x', version: '1.0.0', base: '/b', capabilities: [echo] })
  const response = await app.inject('/openapi.json')
  t.equal(response.headers['content-type'], 'application/json; charset=utf-8')
  t.equal((await app.inject('/openapi.json')).body, response.body)
  t.match(response.json(), { openapi: /^3\.1/, info: { title: 'x', version: '1.0.0' }, paths: { '/b/api/capabilities/echo': { post: {} } } })
})
