import { inspect } from 'node:util'
import t from 'tap'
import { isCallerRefused, refuseCaller } from '../../../src/protocol/caller-refused.js'
import { createToolError, isToolError, mistakesIn, withFields, type ToolErrorInit } from '../../../src/protocol/tool-error.js'

const init: ToolErrorInit = { code: 'LOCATION_NOT_FOUND', message: 'No place matches.', category: 'NOT_FOUND' }
// What JavaScript may hand in although the types forbid it.
const illegal = (fields: object) => ({ ...init, ...fields }) as unknown as ToolErrorInit

t.test('a tool error takes what is not said from its category', async t => {
  const error = createToolError(init)
  t.match(error, { code: 'LOCATION_NOT_FOUND', message: 'No place matches.', category: 'NOT_FOUND', status: 404, retryable: false })
  t.strictSame(error.details, {})
  t.equal(error.retryAfterMs, undefined)
  t.equal(error.cause, undefined)
  t.match(createToolError({ ...init, category: 'INPUT_ERROR', status: 408 }), { status: 408, retryable: true })
  t.match(createToolError({ ...init, category: 'SERVICE_ERROR' }), { status: 503, retryable: true })
  t.match(createToolError({ ...init, category: 'SERVICE_ERROR', status: 500 }), { status: 500, retryable: false })
  t.match(createToolError({ ...init, category: 'AUTH_ERROR' }), { status: 401, retryable: false })
  t.match(createToolError({ ...init, category: 'RATE_LIMIT' }), { status: 429, retryable: true })
})

t.test('what is said stands', async t => {
  const cause = new Error('SELECT * FROM users')
  const error = createToolError({ ...init, retryable: true, status: 410, details: { hint: 'a' }, retryAfterMs: 0, cause })
  t.match(error, { retryable: true, status: 410, details: { hint: 'a' }, retryAfterMs: 0 })
  t.equal(error.cause, cause)
  t.equal(createToolError({ ...init, category: 'RATE_LIMIT', retryable: false }).retryable, false)
  t.equal(createToolError({ ...init, category: 'AUTH_ERROR', retryable: false }).retryable, false)
})

t.test('it is an error to those who ask, without a stack, and gives its cause away to nobody', async t => {
  const error = createToolError({ ...init, cause: new Error('SELECT * FROM users') })
  t.ok(error instanceof Error)
  t.equal(error.name, 'ToolError')
  t.equal(String(error), 'ToolError: No place matches.')
  t.notOk(Object.hasOwn(error, 'stack'))
  t.notMatch(JSON.stringify(error), 'SELECT')
  t.strictSame(Object.keys({ ...error }).includes('cause'), false)
  t.match(inspect(error), 'LOCATION_NOT_FOUND')
})

t.test('it is known by its brand, whatever copy made it', async t => {
  t.ok(isToolError(createToolError(init)))
  t.ok(isToolError({ [Symbol.for('candor.ToolError')]: true }), 'another copy')
  for (const value of [undefined, null, 'text', 0, {}, init, new Error('x'), Object.assign(new Error('x'), init), { [Symbol.for('candor.ToolError')]: 'yes' }, () => 1]) t.notOk(isToolError(value))
})

t.test('details become text', async t => {
  const detailsOf = (details: object) => createToolError(illegal({ details })).details
  t.strictSame(detailsOf({
    text: 'a', empty: '', int: 3, decimal: 1.5, zero: -0, none: NaN, yes: true, no: false, big: 12345678901234567890n, list: ['a', 2, 'c'], nothing: [], absent: undefined, also: null
  }), {
    text: 'a', empty: '', int: '3', decimal: '1.5', zero: '0', none: 'NaN', yes: 'true', no: 'false', big: '12345678901234567890', list: 'a; 2; c'
  })
  const cycle: Record<string, unknown> = {}
  cycle.cycle = cycle
  t.strictSame(detailsOf({ original_input: { days: [1] }, list: [{ a: 1 }, null, ['b', 'c']], cycle, error: new Error('SELECT') }), {
    original_input: '{"days":[1]}', list: '{"a":1}; b; c'
  }, 'what the types forbid; of an error JSON keeps nothing')
  t.strictSame(Object.keys(detailsOf(JSON.parse('{"__proto__":"x","b":"y"}'))), ['b'], 'a poisoned key is left out')
  const given = { hint: 'a' }
  const { details } = createToolError({ ...init, details: given })
  given.hint = 'b'
  t.equal(details.hint, 'a', 'a copy')
})

t.test('a mistake is refused by name', async t => {
  const corpus: Array<[fields: object, mistake: string]> = [
    [{ code: 'not_found' }, "Expected `code` to match ^[A-Z][A-Z0-9_]{1,63}$, got 'not_found'."],
    [{ code: undefined }, 'Expected `code` to match ^[A-Z][A-Z0-9_]{1,63}$, got undefined.'],
    [{ message: '' }, "Expected `message` to be a non-empty string, got ''."],
    [{ message: ' \n' }, "Expected `message` to be a non-empty string, got ' \n'."],
    [{ message: new Error('x') }, 'Expected `message` to be a non-empty string, got an object.'],
    [{ message: null }, 'Expected `message` to be a non-empty string, got null.'],
    [{ category: 'TEAPOT' }, "Expected `category` to be one of INPUT_ERROR, NOT_FOUND, AUTH_ERROR, RATE_LIMIT, SERVICE_ERROR, got 'TEAPOT'."],
    [{ category: 'constructor', status: 888 }, "Expected `category` to be one of INPUT_ERROR, NOT_FOUND, AUTH_ERROR, RATE_LIMIT, SERVICE_ERROR, got 'constructor'."],
    [{ status: 400 }, 'Expected `status` of NOT_FOUND to be one of 404, 410, got 400.'],
    [{ status: '404' }, "Expected `status` of NOT_FOUND to be one of 404, 410, got '404'."],
    [{ status: null }, 'Expected `status` of NOT_FOUND to be one of 404, 410, got null.'],
    [{ category: 'AUTH_ERROR', retryable: true }, 'Expected `retryable` of AUTH_ERROR to be false: no caller can mend it by sending again.'],
    [{ retryable: 'false' }, "Expected `retryable` to be a boolean, got 'false'."],
    [{ retryable: null }, 'Expected `retryable` to be a boolean, got null.'],
    [{ retryable: 0 }, 'Expected `retryable` to be a boolean, got 0.'],
    [{ details: null }, 'Expected `details` to be an object, got null.'],
    [{ details: 'text' }, "Expected `details` to be an object, got 'text'."],
    [{ details: ['a'] }, 'Expected `details` to be an object, got an object.'],
    [{ retryAfterMs: -1 }, 'Expected `retryAfterMs` to be milliseconds, 0 or more, got -1.'],
    [{ retryAfterMs: NaN }, 'Expected `retryAfterMs` to be milliseconds, 0 or more, got NaN.'],
    [{ retryAfterMs: '60' }, "Expected `retryAfterMs` to be milliseconds, 0 or more, got '60'."]
  ]
  for (const [fields, mistake] of corpus) {
    t.strictSame(mistakesIn(illegal(fields)), [mistake])
    t.throws(() => createToolError(illegal(fields)), new TypeError(`A tool error is not legal. ${mistake}`))
  }
})

t.test('all mistakes are named at once', async t => {
  const fields = { code: 'x'.repeat(100), message: 5, category: 'AUTH_ERROR', status: 404, retryable: true, details: null, retryAfterMs: Symbol('soon') }
  const mistakes = mistakesIn(illegal(fields))
  t.equal(mistakes.length, 6)
  t.match(mistakes[0], `got '${'x'.repeat(80)}'.`, 'a long value is cut')
  t.match(mistakes[5], 'got Symbol(soon).')
  t.throws(() => createToolError(illegal(fields)), { message: /code.*message.*status.*retryable.*details.*retryAfterMs/ })
  t.equal(mistakesIn({}).length, 3)
  t.strictSame(mistakesIn(init), [])
})

t.test('an error with some fields replaced keeps the others', async t => {
  const cause = new Error('x')
  const error = createToolError({ ...init, retryable: true, details: { hint: 'a' }, retryAfterMs: 5_000, cause })
  const other = withFields(error, { details: { ...error.details, outcome: 'unknown' }, retryable: false, retryAfterMs: undefined })
  t.match(other, { code: 'LOCATION_NOT_FOUND', status: 404, retryable: false, details: { hint: 'a', outcome: 'unknown' } })
  t.equal(other.retryAfterMs, undefined)
  t.equal(other.cause, cause)
  t.match(error, { retryable: true, retryAfterMs: 5_000 }, 'the first is as it was')
  t.throws(() => withFields(error, { category: 'RATE_LIMIT' }), { message: /status/ }, 'still a legal one')
})

t.test('what is said of a caller’s credentials is said of a copy too', async t => {
  const error = createToolError({ code: 'SESSION_ENDED', category: 'AUTH_ERROR', message: 'x' })
  t.notOk(isCallerRefused(withFields(error, {})))
  t.ok(isCallerRefused(withFields(refuseCaller(error), {})))
})
