import t from 'tap'
import Fastify from 'fastify'
import { param, refuse } from '../../../example-tools/providers/open-meteo.js'

t.test('a parameter that is repeated is a list', async t => {
  t.equal(param({ daily: ['sunrise', 'sunset'] }, 'daily'), 'sunrise,sunset')
  t.equal(param({ daily: 'sunrise' }, 'daily'), 'sunrise')
  t.equal(param({}, 'daily'), undefined)
})

t.test('a refusal is 400 with error and reason, unless another status is said', async t => {
  const app = Fastify()
  t.after(() => app.close())
  app.get('/bad', (_request, reply) => refuse(reply, 'No.'))
  app.get('/missing', (_request, reply) => refuse(reply, 'Not Found', 404))
  const bad = await app.inject('/bad')
  t.equal(bad.statusCode, 400)
  t.same(bad.json(), { error: true, reason: 'No.' })
  t.equal((await app.inject('/missing')).statusCode, 404)
})
