import t from 'tap'
import { capabilityNotFound, stopped } from '../../../src/call/untaken.js'

t.test('a name that is not there comes back with those that were meant', async t => {
  t.match(capabilityNotFound('current_wether', ['current_weather', 'forecast'], 'Look there.'), {
    code: 'CAPABILITY_NOT_FOUND', status: 404, message: "There is no capability 'current_wether' here.", details: { did_you_mean: 'current_weather', candidates: 'current_weather', hint: 'Look there.' }
  })
  t.match(capabilityNotFound('zzzzzz', ['forecast', 'current_weather'], ''), { details: { did_you_mean: undefined, candidates: 'current_weather; forecast' } })
})

t.test('a service that is stopping takes no call, and has written nothing', async t => {
  t.match(stopped('read'), { code: 'SERVICE_STOPPING', status: 503, retryable: true, details: { outcome: undefined } })
  t.match(stopped('write'), { code: 'SERVICE_STOPPING', status: 503, retryable: true, details: { outcome: 'not_applied' } })
})
