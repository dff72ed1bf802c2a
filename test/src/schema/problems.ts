import { Type } from '@sinclair/typebox'
import t from 'tap'
import { problemsOf } from 'candor'
import { closeSchema } from '../../../src/schema/close.js'
import { explain, MAX_PROBLEMS } from '../../../src/schema/problems.js'

const Weather = Type.Object({ location: Type.String({ minLength: 1 }), units: Type.String({ default: 'metric' }), days: Type.Optional(Type.Integer()) })

t.test('a right input has no problems; defaults are filled in for the check, and the input is left as it is', async t => {
  const input = { location: 'Oslo' }
  t.strictSame(problemsOf(Weather, input), [])
  t.strictSame(input, { location: 'Oslo' })
})

t.test('a wrong input has each problem in four parts and no more', async t => {
  t.strictSame(problemsOf(Weather, { location: '', unit: 'imperial', days: '3' }), [
    { field: 'unit', rule: 'additionalProperties', expected: 'only the fields location, units, days', received: 'a string', nearest: 'units' },
    { field: 'location', rule: 'minLength', expected: 'a non-empty string', received: 'an empty string' },
    { field: 'days', rule: 'type', expected: 'an integer', received: 'the string "3"', nearest: '3' }
  ])
})

t.test('a default that was not filled in, as something before it is wrong, is no missing field', async t => {
  const Order = Type.Object({ count: Type.Integer(), to: Type.Object({ country: Type.String({ default: 'DE' }) }) })
  t.strictSame(problemsOf(Order, { count: 1, to: {} }), [])
  t.match(problemsOf(Order, { count: 'no', to: {} }), [{ field: 'count', rule: 'type' }])
  t.equal(problemsOf(Order, { count: 'no', to: {} }).length, 1)
})

t.test('what is checked is the JSON that would be sent', async t => {
  t.strictSame(problemsOf(Weather, { location: 'Oslo', days: undefined }), [])
  t.strictSame(problemsOf(Type.Object({ at: Type.String({ format: 'date-time' }) }), { at: new Date(0) }), [])
  t.match(problemsOf(Weather, undefined), [{ field: 'location', rule: 'required' }], 'an empty body counts as {}')
  t.match(problemsOf(Weather, null), [{ field: '', rule: 'type', received: 'null' }])
  for (const value of [1n, NaN, () => {}]) t.match(problemsOf(Weather, value), [{ field: '', rule: 'json', expected: 'a value that JSON can hold' }])
})

t.test('an input nested too deep is told so', async t => {
  let deep: unknown = []
  for (let level = 0; level < 100; level++) deep = [deep]
  t.match(problemsOf(Weather, deep), [{ field: '', rule: 'depth', expected: 'at most 64 levels of arrays and objects' }])
})

t.test('up to a hundred problems are told', async t => {
  t.equal(problemsOf(Type.Object({ a: Type.Array(Type.Number()) }), { a: Array(500).fill('x') }).length, 100)
})

t.test('what only the validator understands is told in its words', async t => {
  t.match(problemsOf({ type: 'object', additionalProperties: true, dependencies: { a: ['b'] } }, { a: 1 }), [{ rule: 'dependencies', expected: /property b/ }])
})

t.test('a report has the first five problems, and counts all', async t => {
  const closed = closeSchema(Type.Object({ a: Type.Array(Type.Number()) }))
  const report = explain(closed, { a: Array(500).fill('x') })
  t.equal(report.problems.length, MAX_PROBLEMS)
  t.match(report, { total: 500, complete: true, onlyMissing: false })
  t.match(explain(closed, {}), { total: 1, complete: true, onlyMissing: true })
})

t.test('a report of the first violation alone claims nothing about the rest', async t => {
  const closed = closeSchema(Type.Object({ a: Type.Number(), b: Type.Number() }))
  t.match(explain(closed, {}, { firstOnly: true }), { problems: { length: 1 }, total: 1, complete: false, onlyMissing: false })
})

t.test('a report that was too much work says that it is not complete', async t => {
  const closed = closeSchema(Type.Object({ a: Type.Array(Type.Number()) }))
  t.match(explain(closed, { a: Array(60_000).fill('x') }), { problems: { length: 5 }, complete: false })
})
