import t from 'tap'
import { Durations } from '../../../src/call/durations.js'

t.test('each bucket holds what took no longer than it says', async t => {
  const durations = new Durations()
  for (const seconds of [0.005, 0.0051, 30, 31]) durations.add(seconds)
  const samples = durations.samples('took', { capability: 'x' })
  const upTo = (le: unknown) => samples.find(({ labels }) => labels.le === le)?.value
  t.strictSame([0.005, 0.01, 10, 30, '+Inf'].map(upTo), [1, 2, 2, 3, 4])
  t.match(samples.slice(-2), [{ metricName: 'took_sum', value: 61.0101, labels: { capability: 'x' } }, { metricName: 'took_count', value: 4 }])
  t.equal(samples.length, 15)
  t.equal(samples[0]!.metricName, 'took_bucket')
})

t.test('nothing yet is a histogram too', async t => {
  t.ok(new Durations().samples('took', {}).every(({ value }) => value === 0))
})
