import t from 'tap'
import { inputError } from '../../../src/call/input-error.js'
import type { Capability } from '../../../src/capability/define.js'
import { failureAnswer } from '../../../src/protocol/answer.js'
import type { FoundProblem, Report } from '../../../src/schema/problem.js'

const capability = (errors: object = {}): Capability => ({ errors } as Capability)
const wrong = (field: string, more: Partial<FoundProblem> = {}): FoundProblem => ({ field, rule: 'type', expected: 'a number', received: 'null', ...more })
const missing = (field: string): FoundProblem => ({ field, rule: 'required', expected: 'a number', received: 'nothing' })
const report = (problems: FoundProblem[], more: Partial<Report> = {}): Report => ({ problems, total: problems.length, ...more })
const list = (count: number): Pick<FoundProblem, 'expected' | 'list'> => ({ expected: 'one of …', list: { lead: 'one of ', items: Array.from({ length: count }, (_, index) => `"value-${index}"`) } })

t.test('the first problem has details of its own, all stand in message and hint', async t => {
  const error = inputError(report([wrong('a'), missing('b'), wrong('c', { rule: 'additionalProperties', expected: 'only the field a', nearest: 'cc', spelling: 'cc' })]), capability())
  t.equal(error.message, 'a: expected a number, got null. b is missing: expected a number. c is not a field here: expected only the field a. Did you mean cc?')
  t.strictSame(error.details, { field: 'a', expected: 'a number', received: 'null', hint: 'Send a as a number. Add b: a number. Rename c to cc.' })
  t.match(error, { code: 'INVALID_INPUT', category: 'INPUT_ERROR', status: 400, retryable: true })
})

t.test('each kind of problem has its own words', async t => {
  const said = (problem: FoundProblem) => { const { message, details } = inputError(report([problem]), capability()); return [message, details.hint] }
  t.strictSame(said(wrong('')), ['The input: expected a number, got null.', 'Send the input as a number.'])
  t.strictSame(said(wrong('a', { received: undefined })), ['a: expected a number.', 'Send a as a number.'])
  t.strictSame(said(wrong('a', { nearest: '5', spelling: '5' })), ['a: expected a number, got null. Did you mean 5?', 'Send a as 5.'])
  t.strictSame(said(wrong('a', { quoted: true })), ['a: expected a number, got null.', 'Send a as JSON itself, not as a string.'])
  t.strictSame(said(wrong('a', { rule: 'additionalProperties', expected: 'no fields at all' })), ['a is not a field here: expected no fields at all.', 'Leave out a.'])
})

t.test('what an author wrote on several lines is one line when it is sent', async t => {
  const error = inputError(report([wrong('a', { expected: 'a number\n  above  b' })]), capability())
  const { message, details } = JSON.parse(failureAnswer(error, 'id').body).error
  t.equal(message, 'a: expected a number above b, got null.')
  t.match(details, { expected: 'a number above b', hint: 'Send a as a number above b.' })
})

t.test('a missing field has its own code where that is all that is wrong', async t => {
  t.equal(inputError(report([missing('a'), missing('b')]), capability()).code, 'MISSING_REQUIRED_FIELD')
  t.equal(inputError(report([missing('a'), wrong('b')]), capability()).code, 'INVALID_INPUT')
  t.equal(inputError(report([missing('a')], { total: 9 }), capability()).code, 'INVALID_INPUT', 'of the others nothing is known')
  t.match(inputError(report([missing('a')], { total: 9, onlyMissing: true }), capability()), { code: 'MISSING_REQUIRED_FIELD', message: / 8 more fields are missing\.$/ })
  t.equal(inputError(report([missing('a')], { onlyMissing: false }), capability()).code, 'INVALID_INPUT')
})

t.test('wrong fields beyond the first few are counted', async t => {
  const end = (more: Partial<Report>) => inputError(report([wrong('a')], more), capability()).message.replace('a: expected a number, got null.', '')
  t.equal(end({ total: 2 }), ' 1 more field is wrong.')
  t.equal(end({ total: 4, complete: true }), ' 3 more fields are wrong.')
  t.equal(end({ total: 4, complete: false }), ' At least 3 more fields are wrong.')
  t.equal(end({ complete: false }), ' More may be wrong: the input is too large to be checked in full.')
})

t.test('of several fields each has its share of the room; its list is shortened first, the nearest kept', async t => {
  const fields = ['a', 'b', 'c', 'd', 'e'].map(field => wrong(field, { ...list(60), nearest: 'value-7', spelling: '"value-7"', received: 'the string "value7"' }))
  const { message, details } = inputError(report(fields, { total: 99 }), capability())
  t.ok(message.length <= 500)
  for (const field of ['a', 'b', 'c', 'd', 'e']) t.match(message, new RegExp(`${field}: expected one of .*… \\(60 in all\\), got the string "value7"\\. Did you mean "value-7"\\?`))
  t.match(message, / 94 more fields are wrong\.$/)
  t.equal(details.hint, 'Send a as "value-7". Send b as "value-7". Send c as "value-7". Send d as "value-7". Send e as "value-7".')
})

t.test('where all fits, nothing is shortened', async t => {
  const { message } = inputError(report([wrong('a', list(15)), wrong('b', { received: undefined })]), capability())
  t.equal(message, `a: expected one of ${list(15).list!.items.join(', ')}, got null. b: expected a number.`)
})

t.test('names, spellings and an author\'s words of any length are bounded', async t => {
  const long = 'x'.repeat(2000)
  const wide = '😀'.repeat(300)
  const fields = [wrong(`${long}.tail`, { expected: long }), wrong(wide, { rule: 'additionalProperties', nearest: long, spelling: long }), wrong('c', { spelling: long }), missing(long), wrong('d', { quoted: true })]
  const { message, details } = inputError(report(fields), capability())
  for (const text of [message, details.hint!]) t.ok(Array.from(text).length <= 500, text)
  t.match(message, /^x+….*\.tail: expected x+…/)
  t.ok(Array.from(details.field!).length <= 200)
  const emoji = '😀'.repeat(150)
  t.equal(inputError(report([wrong(emoji)]), capability()).details.field, emoji, 'which are counted in characters, not in units')
})

const stop = { uncorrectable: true, code: 'BAD_AMOUNT' } as const

t.test('a wrong value that no model may correct stops the call, with the code and hint of the author', async t => {
  const declared = capability({ BAD_AMOUNT: { category: 'NOT_FOUND', status: 410, description: 'x', hint: 'Ask how much.' } })
  const error = inputError(report([wrong('amount', { ...stop, nearest: '5' }), wrong('b')]), declared)
  t.match(error, { code: 'BAD_AMOUNT', category: 'NOT_FOUND', status: 410, retryable: false })
  t.strictSame(error.details, { field: 'amount', expected: 'a number', received: 'null', hint: 'Ask how much.' })
  const hint = 'Ask the user: do not choose another value for them.'
  t.match(inputError(report([wrong('a', { uncorrectable: true })]), declared), { code: 'INVALID_INPUT', category: 'INPUT_ERROR', status: 400, retryable: false, details: { hint } })
  t.match(inputError(report([wrong('a', stop)]), capability()), { code: 'INVALID_INPUT', retryable: false, details: { hint } })
  t.match(inputError(report([wrong('a', stop)]), capability({ BAD_AMOUNT: { category: 'INPUT_ERROR', description: 'x' } })), { code: 'BAD_AMOUNT', details: { hint } })
})

t.test('a code of the author on a correctable field counts where it is all that is wrong', async t => {
  const code = { code: 'BAD_AMOUNT' }
  const declared = capability({ BAD_AMOUNT: { category: 'INPUT_ERROR', description: 'x' } })
  t.match(inputError(report([wrong('a', code)]), declared), { code: 'BAD_AMOUNT', retryable: true })
  t.equal(inputError(report([wrong('a', code), wrong('b')]), declared).code, 'INVALID_INPUT')
  t.equal(inputError(report([wrong('a', code)], { total: 2 }), declared).code, 'INVALID_INPUT')
  t.equal(inputError(report([wrong('a', code)]), capability()).code, 'INVALID_INPUT')
  t.equal(inputError(report([wrong('a', code)]), capability({ BAD_AMOUNT: { category: 'AUTH_ERROR', description: 'x' } })).code, 'INVALID_INPUT')
})
