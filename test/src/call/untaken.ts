import t from 'tap'
import { capabilityNotFound, queueFull, stopped } from '../../../src/call/untaken.js'

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

t.test('a call for which there is no room is told so, and to come back', async t => {
  t.match(queueFull({ name: 'report', maxConcurrent: 4 }), { code: 'OVERLOADED', status: 503, retryable: true, retryAfterMs: 1_000, message: 'report runs 4 calls at a time, and no more can wait.' })
  t.match(queueFull({ name: 'report', maxConcurrent: 1 }), { message: 'report runs 1 call at a time, and no more can wait.' })
})
