import t from 'tap'
import { withoutToken } from '../../../src/call/without-token.js'
import { createToolError } from '../../../src/protocol/tool-error.js'

const token = 'a-long-"token'
const causeOf = (unavailable: unknown, sent = token): any => (withoutToken({ unavailable }, sent) as { unavailable: unknown }).unavailable

t.test('what was thrown is told as text without the token, down to what caused it', async t => {
  const cause = Object.assign(new RangeError(`Asked about ${encodeURIComponent(token)}.`), { request: { headers: { authorization: token } } })
  const error = causeOf(Object.assign(new TypeError(`No answer about ${token}.`, { cause }), { code: token, status: 502, syscall: 'connect', request: { token } }))
  t.ok(error instanceof Error)
  t.match(error, { name: 'TypeError', message: 'No answer about [redacted].', code: '[redacted]', status: 502, syscall: 'connect', request: undefined, cause: undefined })
  t.match(error.stack, /^TypeError: No answer about \[redacted\]\.\n[^]*without-token\.ts[^]*\ncaused by: RangeError: Asked about \[redacted\]\.\n/)
  t.equal(error.constructor, undefined, 'so that the logger calls it by its name')
})

t.test('anything may be thrown', async t => {
  const loop: { self?: unknown } = {}
  loop.self = loop
  const thrown: Array<[value: unknown, message: string, name: string]> = [[token, '[redacted]', 'string'], [null, 'null', 'object'], [5, '5', 'number'], [{ token }, '{"token":"[redacted]"}', 'Object'], [loop, 'an object', 'Object'], [Symbol('x'), 'a symbol', 'symbol'], [createToolError({ code: 'X_Y', category: 'NOT_FOUND', message: token }), '[redacted]', 'ToolError']]
  for (const [value, message, name] of thrown) t.match(causeOf(value), { message, name })
  t.equal(causeOf(undefined), undefined)
  t.match(causeOf(new Proxy({}, { get () { throw new Error('no') }, ownKeys () { throw new Error('no') } })), { message: 'an object' })
})

t.test('a failure that the team wrote loses the token from its text, and nothing of its form', async t => {
  const failure = createToolError({ code: 'ACCOUNT_LOCKED', category: 'RATE_LIMIT', message: `${token} is locked.`, details: { account: token, [token]: 'x' }, retryAfterMs: 5_000, cause: new Error(token) })
  t.match(withoutToken({ failure }, token), { failure: { code: 'ACCOUNT_LOCKED', category: 'RATE_LIMIT', retryable: true, status: 429, message: '[redacted] is locked.', details: { account: '[redacted]' }, retryAfterMs: 5_000, cause: { message: '[redacted]' } } })
  for (const word of ['ACCOUNT_LOCKED', 'RATE_LIMIT', 'retryable']) t.match(withoutToken({ failure }, word), { failure: { code: 'ACCOUNT_LOCKED', category: 'RATE_LIMIT', retryable: true, cause: { message: token } } })
})

t.test('a mistake of the function is told in the same way', async t => {
  t.match(withoutToken({ broken: new TypeError(token) }, token), { broken: { name: 'TypeError', message: '[redacted]' } })
})

t.test('there is nothing to look through in a refusal, nor for a token that is a mere word', async t => {
  const refused = { refused: 'unknown' } as const
  t.equal(withoutToken(refused, token), refused)
  const cause = new Error('false or error')
  for (const word of ['true', 'error', 'code', 'message']) t.equal(causeOf(cause, word), cause)
})
