import t from 'tap'
import { conditionOf } from '../../../example-tools/weather/conditions.js'

t.test('0 is a clear sky, not the lack of a code', async t => {
  t.equal(conditionOf(0), 'clear sky')
  t.equal(conditionOf(95), 'thunderstorm')
})

t.test('no data stays no data, and a code nobody documents is called unknown', async t => {
  t.equal(conditionOf(null), null)
  t.equal(conditionOf(42), 'unknown (WMO code 42)')
})
