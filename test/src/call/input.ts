import { Type } from '@sinclair/typebox'
import { createToolError, defineCapability, type JsonSchema, type Problem } from 'candor'
import t from 'tap'
import { createInputCheck, FULL_REPORT_BYTES } from '../../../src/call/input.js'
import { build, call } from '../../fixtures/build.js'

const BAD_AMOUNT = { category: 'INPUT_ERROR', description: 'The amount is not above zero.', hint: 'Ask the user how much.' } as const

function capability (input: JsonSchema, check?: (input: any) => unknown) {
  return defineCapability({ name: 'pay', description: 'Pays.', effect: 'read', input, output: Type.Object({}), errors: { BAD_AMOUNT }, check: check as never, handler: () => ({}) })
}

const checkOf = (...args: Parameters<typeof capability>) => createInputCheck(capability(...args))

const Payment = Type.Object({
  amount: Type.Number({ exclusiveMinimum: 0, 'x-candor-correctable': false, 'x-candor-code': 'BAD_AMOUNT' }),
  currency: Type.String({ default: 'EUR' }),
  pin: Type.Optional(Type.String({ minLength: 4, 'x-candor-sensitive': true })),
  notes: Type.Optional(Type.Array(Type.String()))
})

t.test('a right input passes, with its defaults filled in', async t => {
  const input = { amount: 5 }
  t.equal(checkOf(Payment)(input), undefined)
  t.strictSame(input, { amount: 5, currency: 'EUR' })
})

t.test('a wrong value that no model may correct stops the call; a missing or mistyped one does not', async t => {
  const check = checkOf(Payment)
  t.match(check({ amount: -5 }), { code: 'BAD_AMOUNT', retryable: false, details: { field: 'amount', hint: 'Ask the user how much.' } })
  t.match(check({ amount: '-5' }), { code: 'INVALID_INPUT', retryable: true })
  t.match(check({}), { code: 'MISSING_REQUIRED_FIELD', retryable: true })
  t.match(check({ a: 1, b: 2, c: 3, d: 4, e: 5, f: 6, amount: -5 }), { code: 'BAD_AMOUNT', retryable: false, details: { field: 'amount' } }, 'however many other fields are wrong')
})

t.test('a secret is told by its type alone, also where something else came in its place', async t => {
  const check = checkOf(Type.Object({ card: Type.Object({ number: Type.String({ minLength: 12, 'x-candor-sensitive': true }) }, { 'x-candor-sensitive': true }), password: Type.Optional(Type.String({ minLength: 12 })) }))
  for (const input of [{ card: { number: '4111-CANARY' } }, { card: '4111-CANARY' }, { card: { 'x-CANARY': 'CANARY' } }, { card: { number: '411111111111' }, password: 'CANARY' }, { card: { number: '411111111111' }, pasword: 'CANARY' }, { crad: '4111-CANARY' }]) {
    const error = check(input)!
    t.notMatch(JSON.stringify([error.message, error.details]), 'CANARY')
  }
})

t.test('of a large input only the first violation is known, so a field that no model may correct stops the call', async t => {
  const notes = Array(20_000).fill('note')
  t.match(checkOf(Payment)({ amount: 5, notes: [...notes, 5] }, FULL_REPORT_BYTES + 1), { code: 'INVALID_INPUT', retryable: false })
  t.match(checkOf(Payment)({ amount: '5', notes }, FULL_REPORT_BYTES + 1), { code: 'INVALID_INPUT', retryable: false, message: /More may be wrong/ })
  t.match(checkOf(Payment)({ amount: 5, notes: [5] }, FULL_REPORT_BYTES), { code: 'INVALID_INPUT', retryable: true })
  t.match(checkOf(Type.Object({ a: Type.Number() }))({}, FULL_REPORT_BYTES + 1), { code: 'INVALID_INPUT', retryable: true })
})

t.test('what only the validator understands is told in its words', async t => {
  t.match(checkOf({ type: 'object', additionalProperties: true, dependencies: { a: ['b'] } })({ a: 1 }), { code: 'INVALID_INPUT', retryable: true, message: /property b/ })
})

t.test('an input nested too deep is refused before it is checked', async t => {
  let deep: unknown = []
  for (let level = 0; level < 100; level++) deep = [deep]
  t.match(checkOf(Payment)(deep), { code: 'INPUT_TOO_DEEP', category: 'INPUT_ERROR', retryable: false, message: 'The input is nested deeper than 64 levels.' })
})

t.test('rules over several fields speak in the same form', async t => {
  const told = (problems: unknown) => checkOf(Type.Object({ from: Type.String(), to: Type.String() }), () => problems)({ from: 'a', to: 'b' })
  t.equal(told(undefined), undefined)
  t.equal(told([]), undefined)
  const problem: Problem = { field: 'to', rule: 'order', expected: 'a date after from', received: 'the string "b"', nearest: 'c' }
  t.match(told([problem]), { code: 'INVALID_INPUT', retryable: true, message: 'to: expected a date after from, got the string "b". Did you mean "c"?', details: { field: 'to', did_you_mean: 'c' } })
  t.match(told([{ field: 'to', rule: 'required', expected: 'a date' }]), { code: 'MISSING_REQUIRED_FIELD', message: 'to is missing: expected a date.' })
  t.match(told(Array(7).fill(problem)), { message: / 2 more fields are wrong\.$/ })
})

t.test('such a rule is about values: what the schema says of the field holds', async t => {
  const told = (...problems: Problem[]) => checkOf(Payment, () => problems)({ amount: 5, pin: '1234' })!
  t.match(told({ field: 'currency', rule: 'x', expected: 'EUR' }, { field: 'amount', rule: 'limit', expected: 'at most the balance' }), { code: 'BAD_AMOUNT', retryable: false, details: { field: 'amount' } })
  t.match(told({ field: 'amount', rule: 'required', expected: 'an amount' }), { code: 'MISSING_REQUIRED_FIELD', retryable: true })
  for (const field of ['pin', 'api_key']) t.notMatch(JSON.stringify(told({ field, rule: 'x', expected: 'another', received: 'CANARY', nearest: 'CANARY' }).details), 'CANARY')
})

t.test('a rule that fails is our bug, and what it throws on purpose is what it says', async t => {
  const told = (check: () => unknown) => checkOf(Type.Object({}), check)({})
  const thrown = createToolError({ code: 'NO_SUCH_THING', message: 'No.', category: 'NOT_FOUND' })
  t.equal(told(() => { throw thrown }), thrown)
  for (const check of [() => { throw new Error('CANARY') }, () => 'wrong', async () => [], () => [null], () => [{ field: 'a' }]]) {
    const error = told(check)!
    t.match(error, { code: 'INTERNAL_ERROR', retryable: false })
    t.notMatch(error.message, 'CANARY')
  }
})

t.test('over HTTP nothing is coerced and nothing dropped', async t => {
  const tool = defineCapability({
    name: 'echo',
    description: 'Echoes.',
    effect: 'read',
    input: Type.Object({ n: Type.Optional(Type.Number()), u: Type.Optional(Type.Union([Type.Null(), Type.Number()])), text: Type.Optional(Type.String()) }),
    output: Type.Object({ input: Type.Unknown() }),
    handler: input => ({ input })
  })
  const { app } = await build(t, { capabilities: [tool] })
  for (const input of [{ u: 0 }, { u: null }, { text: '{"k":1}' }, {}]) t.strictSame((await call(app, 'echo', input)).body.data, { input })
  for (const input of [{ n: null }, { n: true }, { n: '5' }, { n: [5] }, { u: '' }, { text: 5 }, { m: 5 }]) t.match(await call(app, 'echo', input), { status: 400, body: { error: { code: 'INVALID_INPUT', retryable: true } } })
})
