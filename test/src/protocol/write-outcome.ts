import t from 'tap'
import { WriteOutcome } from '../../../src/protocol/write-outcome.js'

t.test('a write has one of four outcomes, each named by itself', async t => {
  t.strictSame(Object.entries(WriteOutcome), [['unknown', 'unknown'], ['not_applied', 'not_applied'], ['applied', 'applied'], ['partial', 'partial']])
})
