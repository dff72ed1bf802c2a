import t from 'tap'
import { UpstreamOutcome } from '../../../src/upstream/outcome.js'

t.test('the outcomes of an exchange are a closed list, each its own name', async t => {
  t.strictSame(Object.values(UpstreamOutcome).sort(), [
    'auth_failed', 'caller_gone', 'client_closed', 'conflict', 'connection_lost', 'failed', 'forbidden', 'invalid_response', 'not_found', 'own_mistake',
    'payment_required', 'protocol_error', 'quota_exhausted', 'rate_limited', 'redirected', 'refused', 'rejected_input', 'timeout', 'tls_failed', 'unavailable', 'unreachable'
  ])
  for (const [key, value] of Object.entries(UpstreamOutcome)) t.equal(key, value)
})
