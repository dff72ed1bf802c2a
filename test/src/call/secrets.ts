import t from 'tap'
import { keepSecrets, redactKnown, redactLine } from '../../../src/call/secrets.js'
import { createRedactor } from '../../../src/protocol/redact.js'

t.test('the secrets of every service of the process are kept, until it is closed', async t => {
  const forgetOne = keepSecrets(createRedactor(['secret-one']))
  const forgetTwo = keepSecrets(createRedactor(['secret-two']))
  t.equal(redactKnown('secret-one, secret-two'), '[redacted], [redacted]')
  forgetOne()
  t.equal(redactKnown('secret-one, secret-two'), 'secret-one, [redacted]')
  forgetTwo()
  t.equal(redactKnown('secret-one, secret-two'), 'secret-one, secret-two')
})

t.test('a log line stays a line of JSON, without the secrets', async t => {
  t.teardown(keepSecrets(createRedactor(['12345678', 'a"b"c'])))
  t.equal(redactLine('{"msg":"hi"}\n'), '{"msg":"hi"}\n')
  t.equal(redactLine(`${JSON.stringify({ n: 12345678, err: { stack: 'at a"b"c' } })}\n`), '{"n":"[redacted]","err":{"stack":"at [redacted]"}}\n')
})

t.test('a line that cannot be looked through is left out, and nothing is stopped', async t => {
  t.teardown(keepSecrets(createRedactor(['secret-three'])))
  t.match(JSON.parse(redactLine('not JSON: secret-three\n')), { level: 50, msg: /left out/ })
  t.teardown(keepSecrets(() => { throw new Error('broken') }))
  t.match(JSON.parse(redactLine('{"msg":"hi"}\n')), { level: 50 })
})
