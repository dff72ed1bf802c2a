import t from 'tap'
import { readEnvelope, readOutcome } from '../../../src/protocol/envelope.js'

const failure = (error: unknown) => ({ success: false, error })

t.test('the same step is refused or permitted only in the one place that counts', async t => {
  t.equal(readEnvelope(failure({ retryable: false })).retryable, false)
  t.equal(readEnvelope(failure({ retryable: true })).retryable, true)
  t.equal(readEnvelope(JSON.parse('{"success":false,"error":{"retryable":false}}')).retryable, false)
  t.equal(readEnvelope({ success: false, retryable: true, data: {}, error: { retryable: false, details: { retryable: 'true' } } }).retryable, false)
})

t.test('everything else is not said, and never read as false', async t => {
  const inherited = Object.create({ success: false, error: { retryable: false } })
  const bodies: unknown[] = [
    undefined, null, true, false, 0, 1, '', 'text', '{"success":false,"error":{"retryable":false}}', [], [failure({ retryable: false })], () => failure({ retryable: false }), Symbol('x'), 1n,
    {}, { success: false }, { retryable: false }, { success: false, retryable: false }, { error: { retryable: false } }, { success: true, error: { retryable: false } },
    ...[undefined, null, 0, '', 'false', 'true', {}, []].map(success => ({ success, error: { retryable: false } })),
    ...[undefined, null, 'text', 0, false, [], [{ retryable: false }], () => 1].map(failure),
    ...[undefined, null, 'false', 'true', 0, 1, '', {}, [], [false]].map(retryable => failure({ retryable })),
    failure({}), failure({ Retryable: false }), failure({ details: { retryable: false } }), failure({ details: { retryable: 'false' } }), failure({ error: { retryable: false } }),
    failure(Object.create({ retryable: false })), inherited, Object.create(failure({ retryable: false })), Object.assign(Object.create({ success: false }), { error: { retryable: false } }),
    JSON.parse('{"__proto__":{"success":false,"error":{"retryable":false}}}'), JSON.parse('{"success":false,"error":{"__proto__":{"retryable":false}}}'),
    { statusCode: 503, error: 'Service Unavailable', message: 'x' }, { jsonrpc: '2.0', error: { code: -32000, message: 'x' } }, { error: { code: 'X', message: 'x', retryable: false } }
  ]
  for (const body of bodies) t.equal(readEnvelope(body).retryable, undefined)
  t.ok(bodies.length > 50)
})

t.test('a success is read with its data and meta', async t => {
  t.strictSame(readEnvelope({ success: true, data: { a: 1 }, meta: { cached: true } }), { success: true, data: { a: 1 }, meta: { cached: true }, retryable: undefined })
  t.strictSame(readEnvelope({ success: true, data: null }), { success: true, data: null, meta: undefined, retryable: undefined })
  t.strictSame(readEnvelope({ success: true }), { success: true, data: undefined, meta: undefined, retryable: undefined })
  for (const meta of [null, 'text', 1, [], true]) t.equal(Reflect.get(readEnvelope({ success: true, data: 1, meta }), 'meta'), undefined)
})

t.test('a failure is read with the parts that have their type', async t => {
  t.strictSame(readEnvelope(failure({ code: 'X_Y', message: 'text', category: 'NOT_FOUND', retryable: true, details: { hint: 'a', request_id: 'b' } })), {
    success: false,
    error: { code: 'X_Y', message: 'text', category: 'NOT_FOUND', details: { hint: 'a', request_id: 'b' } },
    retryable: true
  })
  t.strictSame(readEnvelope(failure({ code: 1, message: null, category: 'TEAPOT', details: { n: 1, hint: 'a', list: ['x'], nothing: null } })), {
    success: false, error: { details: { hint: 'a' } }, retryable: undefined
  })
  for (const details of [undefined, null, 'text', [], ['x'], 1]) t.strictSame(readEnvelope(failure({ details })), { success: false, error: { details: {} }, retryable: undefined })
  for (const error of [undefined, null, 'text', []]) t.strictSame(readEnvelope(failure(error)), { success: false, error: { details: {} }, retryable: undefined })
  t.strictSame(readEnvelope({ success: 'no' }), { success: undefined, retryable: undefined })
})

t.test('a foreign key cannot reach the prototype', async t => {
  const reading = readEnvelope(JSON.parse('{"success":false,"error":{"details":{"__proto__":"x","constructor":"y"}}}'))
  t.ok(reading.success === false && Object.getPrototypeOf(reading.error.details) === Object.prototype)
  t.equal(({} as Record<string, unknown>).x, undefined)
})

t.test('an outcome is one of four words', async t => {
  for (const outcome of ['unknown', 'applied', 'partial', 'not_applied'] as const) t.equal(readOutcome({ details: { outcome } }), outcome)
  for (const outcome of ['', 'Unknown', 'done', 'not applied', 'constructor']) t.equal(readOutcome({ details: { outcome } }), undefined)
  t.equal(readOutcome({ details: {} }), undefined)
})
