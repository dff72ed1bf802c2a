import t from 'tap'
import { announceService, servicesAt } from '../../../src/call/service.js'
import { serviceOf } from '../../fixtures/service.js'

t.test('a test finds the services behind a server, each of them', async t => {
  const server = {}
  const [first, second] = [serviceOf(), serviceOf()]
  t.strictSame(servicesAt(server), [])
  announceService(server, first)
  announceService(server, second)
  t.equal(servicesAt(server)[0], first)
  t.equal(servicesAt(server)[1], second)
  t.strictSame(servicesAt({}), [])
})
