import { Type } from '@sinclair/typebox'
import t from 'tap'
import { lintSchema } from '../../../src/schema/lint.js'
import { didYouMean, lintKeywords } from '../../../src/schema/lint-keywords.js'

const lint = (schema: object) => lintKeywords(schema, false)

t.test('a sound schema passes', async t => {
  for (const schema of [Type.String({ minLength: 1, format: 'date' }), Type.Integer({ minimum: 1, multipleOf: 5 }), { type: ['string', 'null'] }, Type.Object({ a: Type.Null() }), Type.Array(Type.Any(), { uniqueItems: true }), Type.Union([Type.Null()]), { enum: [1], examples: [1] }]) t.strictSame(lint(schema), [])
})

t.test('what JSON cannot hold is refused, with what to use instead', async t => {
  for (const schema of [Type.Date(), Type.BigInt(), Type.Uint8Array(), Type.Undefined(), Type.Void(), Type.RegExp(/a/)]) t.match(lint(schema), [/^`type` to be one JSON has \(string, number, integer, boolean, null, array, object\), got "\w+": use Type/])
  for (const schema of [Type.Function([], Type.Null()), Type.Promise(Type.Null()), Type.Symbol(), Type.Constructor([], Type.Null()), { type: 'strng' }, { type: 5 }, { type: ['string', 'x'] }]) t.match(lint(schema), [/got .{1,15}$/])
  t.match(lint({ type: [] }), ['`type` to name a type, got an empty list'])
})

t.test('a handler may return nothing', async t => {
  for (const schema of [Type.Void(), Type.Undefined()]) t.strictSame(lintKeywords(schema, true), [])
  t.equal(lintKeywords(Type.Date(), true).length, 1)
})

t.test('an unknown format is refused with the accepted ones', async t => {
  t.match(lint({ format: 'iata' }), [/^`format` to be one of .*date-time.*, got "iata"$/])
  t.match(lint({ format: 'datetime' }), [/Did you mean `date-time`\?$/])
})

t.test('a misspelt keyword of ours is refused', async t => {
  t.match(lint({ 'x-candor-sensitve': true }), [/got `x-candor-sensitve`. Did you mean `x-candor-sensitive`\?$/])
  t.match(lint({ 'x-candor-something': true }), [/got `x-candor-something`$/])
  t.match(lint({ 'x-candor-correctable': 'no' }), ['`x-candor-correctable` to be a boolean, got "no"'])
  t.strictSame(lint({ 'x-candor-correctable': false, 'x-candor-sensitive': true, 'x-candor-code': 'A', 'x-other': 1 }), [])
})

t.test('a keyword in a form that no validator takes is refused', async t => {
  for (const [schema, text] of [
    [{ minimum: '1' }, '`minimum` to be a number, got "1"'],
    [{ exclusiveMinimum: true }, '`exclusiveMinimum` to be a number, got true'],
    [{ multipleOf: 0 }, '`multipleOf` to be a number above 0, got 0'],
    [{ maxLength: -1 }, '`maxLength` to be a whole number, 0 or more, got -1'],
    [{ uniqueItems: 'yes' }, '`uniqueItems` to be a boolean, got "yes"'],
    [{ required: 'a' }, '`required` to be an array of field names, got "a"'],
    [{ required: [1] }, '`required` to be an array of field names, got [1]'],
    [{ enum: [] }, '`enum` to be an array of at least one, got []'],
    [{ examples: 'a' }, '`examples` to be an array, got "a"'],
    [{ properties: [] }, '`properties` to be an object, got []']
  ] as const) t.strictSame(lint(schema), [text])
})

t.test('a near spelling is named, and no other', async t => {
  t.equal(didYouMean('timoutMs', ['timeoutMs', 'name']), '. Did you mean `timeoutMs`?')
  t.equal(didYouMean('other', ['timeoutMs']), '')
  t.equal(didYouMean(5, ['timeoutMs']), '')
})

t.test('where a schema has to stand, nothing else does', async t => {
  const { errors } = lintSchema({ properties: { a: 5, b: true }, items: 'text', dependencies: { a: ['b'], b: {} }, not: {} }, 'output')
  t.strictSame(errors, ['`output`: expected `properties/a` to be a schema, got 5.', '`output`: expected `items` to be a schema, got "text".'])
})
