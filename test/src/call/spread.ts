import { mock } from 'node:test'
import t from 'tap'
import { spreadFor } from '../../../src/call/spread.js'
import { Waits } from '../../../src/policy/waits.js'
import { createToolError } from '../../../src/protocol/tool-error.js'

// Who comes back when is counted by the second, and one may end between two of these calls.
mock.timers.enable({ apis: ['Date'], now: 1_800_000_000_000 })
t.teardown(() => mock.timers.reset())

const failure = (upstream?: string) => createToolError({ code: 'SOME_CODE', category: 'RATE_LIMIT', message: 'Too many.', details: { upstream } })

t.test('those who wait for one upstream are spread together, whatever they called', async t => {
  const waits = new Waits()
  t.equal(spreadFor(waits, failure('forecast'), 'weather')(60_000), 60_000)
  t.equal(spreadFor(waits, failure('forecast'), 'climate')(60_000), 61_000)
  t.equal(spreadFor(waits, failure('geocoding'), 'weather')(60_000), 60_000)
})

t.test('where no upstream of ours is named, those who called the same are', async t => {
  const waits = new Waits()
  t.equal(spreadFor(waits, failure(), 'weather')(60_000), 60_000)
  t.equal(spreadFor(waits, failure('unlabelled'), 'weather')(60_000), 61_000)
  t.equal(spreadFor(waits, failure('unlabelled'), 'climate')(60_000), 60_000)
})
