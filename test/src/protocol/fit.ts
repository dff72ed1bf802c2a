import t from 'tap'
import type { ErrorBody } from '../../../src/protocol/envelope.js'
import { fitFailure, limits } from '../../../src/protocol/fit.js'

const RAIN = '🌧' // one code point, two UTF-16 units, four bytes of UTF-8
const goFirst = ['api_error', 'candidates', 'hint', 'received', 'expected', 'did_you_mean', 'upstream_status', 'phase', 'upstream', 'rule', 'rejected']
const stay = ['request_id', 'next_action', 'retry_after', 'outcome', 'operation_id', 'status_endpoint', 'credentials', 'field']

const bytesOf = (text: string) => Buffer.byteLength(text)
const points = (text: string) => Array.from(text).length

function fit (fields: Partial<ErrorBody>) {
  const text = fitFailure({ code: 'SOME_CODE', message: 'It failed.', category: 'SERVICE_ERROR', retryable: true, details: {}, ...fields })
  const { success, error } = JSON.parse(text)
  t.equal(success, false)
  t.ok(bytesOf(text) <= 4096, `${bytesOf(text)} bytes`)
  t.ok(Object.keys(error.details).length <= 20)
  t.ok(points(error.message) <= 500)
  for (const value of Object.values<string>(error.details)) t.ok(points(value) <= 500)
  return { text, error: error as ErrorBody, keys: Object.keys(error.details) }
}

const filled = (keys: string[], value: string) => Object.fromEntries(keys.map(key => [key, value]))

t.test('the bounds are 20 keys, 500 code points and 4,096 bytes', async t => {
  t.strictSame(limits, { keys: 20, textPoints: 500, bodyBytes: 4096 })
})

t.test('a short failure stays as it is, keys in their order', async t => {
  t.equal(fit({ details: { b: '1', a: '2' } }).text,
    '{"success":false,"error":{"code":"SOME_CODE","message":"It failed.","category":"SERVICE_ERROR","retryable":true,"details":{"b":"1","a":"2"}}}')
})

t.test('quotes and backslashes are written as JSON writes them', async t => {
  const details = { 'a "key"': 'C:\\temp', received: '"Lodnon"', hint: "it's plain" }
  const { text } = fit({ message: 'Not a "city".', details })
  t.equal(text, JSON.stringify({ success: false, error: { code: 'SOME_CODE', message: 'Not a "city".', category: 'SERVICE_ERROR', retryable: true, details } }))
})

t.test('message, keys and values are one line of at most 500 code points', async t => {
  const { error } = fit({ message: 'a\n\tb\u0000c', details: { 'odd\nkey': 'd\r\ne\u2028f' } })
  t.equal(error.message, 'a b c')
  t.strictSame(error.details, { 'odd key': 'd e f' })
  const long = fit({ message: RAIN.repeat(501), details: { hint: 'x'.repeat(501), exact: 'x'.repeat(500), ['k'.repeat(100)]: 'v' } }).error
  t.equal(long.message, RAIN.repeat(499) + '…')
  t.equal(long.details.hint, 'x'.repeat(499) + '…')
  t.equal(long.details.exact, 'x'.repeat(500))
  t.equal(long.details['k'.repeat(63) + '…'], 'v')
})

t.test('at most 20 keys: the listed ones go first, then the author\'s, last declared first', async t => {
  const own = Array.from({ length: 10 }, (_, index) => `own_${index}`)
  t.strictSame(fit({ details: filled([...own, ...goFirst.slice().reverse()], 'x') }).keys.slice(0, 10), own)
  t.notOk(fit({ details: filled([...own, ...goFirst], 'x') }).keys.includes('api_error'))
  const many = Array.from({ length: 30 }, (_, index) => `own_${index}`)
  t.strictSame(fit({ details: filled([...many, 'request_id', 'hint'], 'x') }).keys, [...many.slice(0, 19), 'request_id'])
  t.equal(fit({ details: filled([...many.slice(0, 20)], 'x') }).keys.length, 20)
  const all = fit({ details: filled([...many, ...goFirst, ...stay], 'x') }).keys
  t.strictSame(all.sort(), [...many.slice(0, 12), ...stay].sort())
})

t.test('at most 4,096 bytes: one key after the other goes, in the order of the protocol', async t => {
  const order = [...goFirst, 'own_last', 'own_first']
  // Each value has 300 bytes: a few more than may stay. One key is added at a time, the last of the order first.
  const kept: string[] = []
  for (const key of order.slice().reverse()) {
    kept.unshift(key)
    const { keys } = fit({ message: 'x'.repeat(400), details: { field: 'y', ...filled(['own_first', 'own_last', ...goFirst].filter(name => kept.includes(name)), 'z'.repeat(450)) } })
    const gone = kept.filter(name => !keys.includes(name))
    t.strictSame(gone, kept.slice(0, gone.length), `${gone.length} of ${kept.length} went`)
    t.ok(keys.includes('field'))
    t.equal(keys.length - 1, Math.min(kept.length, 7))
  }
})

t.test('bytes are counted, not characters', async t => {
  const { keys } = fit({ details: { first: RAIN.repeat(400), second: RAIN.repeat(400), third: RAIN.repeat(400), request_id: 'id' } })
  t.strictSame(keys, ['first', 'second', 'request_id'])
  const exact = fit({ message: RAIN.repeat(500), details: { a: RAIN.repeat(480) } })
  t.strictSame(exact.keys, ['a'])
  t.ok(bytesOf(exact.text) > 4000)
  t.strictSame(fit({ details: { a: '"'.repeat(500), b: '\\'.repeat(500), c: '"'.repeat(500), d: '"'.repeat(500), e: '"'.repeat(500) } }).keys, ['a', 'b', 'c'], 'escapes count too')
})

t.test('what an agent cannot do without never goes; too long for all, it is cut', async t => {
  const requestId = 'r'.repeat(128)
  const details = { ...filled(['operation_id', 'status_endpoint', 'field', 'outcome'], RAIN.repeat(500)), next_action: 'wait_and_retry', retry_after: '86400s', credentials: 'caller', request_id: requestId }
  const { error, keys } = fit({ message: RAIN.repeat(500), details: { own: 'x', hint: 'y', ...details } })
  t.strictSame(keys.sort(), Object.keys(details).sort())
  t.equal(error.details.request_id, requestId, 'the id of the header and of the log')
  t.equal(error.details.next_action, 'wait_and_retry')
  t.equal(error.details.retry_after, '86400s')
  t.ok(error.details.field!.endsWith('…'))
  t.ok(error.message.endsWith('…'))
})
