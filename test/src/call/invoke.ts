import t from 'tap'
import { echo, nextTurn, oneAtATime, talkative } from '../../fixtures/invoked.js'
import { answer, brokenLog } from '../../fixtures/invoking.js'

t.test('a right call is answered with its data, defaults filled in', async t => {
  const { status, headers, body, lines } = await answer(echo, { text: 'hi' })
  t.equal(status, 200)
  t.match(headers, { 'x-request-id': 'r-1' })
  t.strictSame(body, { success: true, data: { text: 'hi', times: 1 } })
  t.strictSame(lines, [], 'a success has nothing to say in the log')
})

t.test('a wrong call never reaches the handler', async t => {
  const { status, body, lines } = await answer(echo, { txt: 'hi' })
  t.equal(status, 400)
  t.match(body, { success: false, error: { code: 'INVALID_INPUT', retryable: true, details: { next_action: 'fix_input' } } })
  t.notOk('outcome' in body.error.details, 'a read has no outcome')
  t.match(lines, [{ level: 'info', fields: { capability: 'echo', code: 'INVALID_INPUT' } }])
})

t.test('a call waits for its turn; one for which there is no room is told when to come back', async t => {
  for (const effect of ['read', 'write'] as const) {
    const { running, reports, call } = oneAtATime(effect, 1)
    const [first, second] = [call(1), call(2)]
    const full = await Promise.all([call(3), call(4), call('x')])
    t.match(full[0], { status: 503, headers: { 'retry-after': '1', 'x-should-retry': 'true' }, body: { error: { code: 'OVERLOADED', retryable: true, details: { retry_after: '1s', next_action: 'wait_and_retry' } } }, lines: [{ level: 'warn', fields: { code: 'OVERLOADED' } }] })
    t.equal(full[0].body.error.details.outcome, effect === 'write' ? 'not_applied' : undefined)
    t.equal(full[1].headers?.['retry-after'], '2', 'not all at once')
    t.equal(full[2].status, 400, 'what is wrong is said first')
    t.equal(running.length, 1)
    running[0]!()
    t.match(await first, { body: { data: 1 } })
    await nextTurn()
    running[1]!()
    t.match(await second, { body: { data: 2 } })
    t.strictSame(reports.map(({ code }) => code), ['OVERLOADED', 'OVERLOADED', 'INVALID_INPUT', undefined, undefined])
  }
})

t.test('sensitive input is in no word of what is wrong with it', async t => {
  t.match((await answer(talkative, { pin: 'pin-00000', way: 'x' })).body.error.details, { field: 'pin', expected: 'another than [redacted]' })
})

t.test('a log that cannot be written loses no answer', async t => {
  t.match(await answer(echo, { txt: 'hi' }, { log: brokenLog }), { status: 400, body: { error: { code: 'INVALID_INPUT' } } })
})
