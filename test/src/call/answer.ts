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

t.test('of a clean message a secret detail alone is replaced', async t => {
  const { body } = answerFailure(createToolError({ code: 'SOME_CODE', category: 'NOT_FOUND', message: 'No such key.', details: { plain: 'as it was', tried: 'sk-live-1', also: 'as it was' } }), 'r-1')
  t.match(JSON.parse(body), { error: { message: 'No such key.', details: { plain: 'as it was', tried: '[redacted]', also: 'as it was' } } })
})

t.test('a wait is told as it is spread', async t => {
  const limited = createToolError({ code: 'SOME_CODE', category: 'RATE_LIMIT', message: 'Too many.', retryAfterMs: 60_000 })
  t.equal(answerFailure(limited, 'r-1').headers['retry-after'], '60')
  t.equal(answerFailure(limited, 'r-1', ms => ms + 3_000).headers['retry-after'], '63')
})

t.test('who logs in is in no address of a failure', async t => {
  const { body } = answerFailure(createToolError({ code: 'SOME_CODE', category: 'NOT_FOUND', message: 'No redis://:pw@cache.', details: { tried: ['https://u:p@h', 'b'], hint: 'As it was.' } }), 'r-1')
  t.match(JSON.parse(body), { error: { message: 'No redis://[redacted]@cache.', details: { tried: 'https://[redacted]@h; b', hint: 'As it was.' } } })
})

t.test('a secret at the edge of a text is not cut in half', async t => {
  const { body } = answerFailure(createToolError({ code: 'SOME_CODE', category: 'NOT_FOUND', message: `${'x'.repeat(494)}sk-live-1` }), 'r-1')
  t.notMatch(body, /sk-/)
})

t.test('what a call keeps to itself is taken out of its words, not out of what the framework states', async t => {
  const redact = createRedactor(['bank', 'unknown', 'request_id', 'stop', 'SERVICE'])
  const error = createToolError({ code: 'SOME_SERVICE', category: 'SERVICE_ERROR', status: 500, message: 'The bank is unknown.', details: { outcome: 'unknown', upstream: 'bank', phase: 'body', tried: 'bank' } })
  t.match(JSON.parse(answerFailure(error, 'r-1', undefined, redact).body), {
    success: false, error: { code: 'SOME_SERVICE', message: 'The [redacted] is [redacted].', category: 'SERVICE_ERROR', details: { outcome: 'unknown', upstream: 'bank', phase: 'body', tried: '[redacted]', request_id: 'r-1' } }
  })
})

t.test('what a handler makes a name of is taken out too', async t => {
  const error = createToolError({ code: 'MINE', category: 'NOT_FOUND', message: 'No.', details: { 'pin-98765': 'x', 'sk-live-1': 'y', hint: 'Ask.' } })
  t.match(JSON.parse(answerFailure(error, 'r-1', undefined, createRedactor(['pin-98765', 'hint'])).body).error.details, { '[redacted]': 'y', hint: 'Ask.' })
  t.notMatch(answerFailure(error, 'r-1', undefined, createRedactor(['pin-98765'])).body, /98765|sk-live/)
})
