import t from 'tap'
import { answerFailure, answerSuccess } from '../../../src/call/answer.js'
import { keepSecrets } from '../../../src/call/secrets.js'
import { createRedactor } from '../../../src/protocol/redact.js'
import { createToolError } from '../../../src/protocol/tool-error.js'

t.teardown(keepSecrets(createRedactor(['sk-live-1'])))

t.test('no known secret is in a success or in a failure', async t => {
  t.strictSame(JSON.parse(answerSuccess('{"url":"http://h/?key=sk-live-1"}', undefined, 'r-1').body), { success: true, data: { url: 'http://h/?key=[redacted]' } })
  const failure = answerFailure(createToolError({ code: 'SOME_CODE', category: 'NOT_FOUND', message: 'No sk-live-1.', details: { tried: 'sk-live-1' } }), 'r-1')
  t.match(JSON.parse(failure.body), { error: { message: 'No [redacted].', details: { tried: '[redacted]' } } })
  t.equal(failure.status, 404)
})
