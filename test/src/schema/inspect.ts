import t from 'tap'
import { effortFor } from '../../../src/schema/add-finding.js'
import { closeSchema } from '../../../src/schema/close.js'
import type { Finding } from '../../../src/schema/finding.js'
import type { JsonSchema } from '../../../src/schema/infer.js'
import { inspect } from '../../../src/schema/inspect.js'
import { expectationText } from '../../../src/schema/rules.js'

function look (schema: JsonSchema, value: unknown, enough: number = Number.POSITIVE_INFINITY, steps: number = effortFor(false).steps): Finding[] {
  const found: Finding[] = []
  inspect(closeSchema(schema), value, { add: finding => { found.push(finding) }, get enough () { return found.length >= enough } }, { steps, words: 1000 })
  return found
}

/** `field rule: expected`, for each finding. */
const said = (...args: Parameters<typeof look>): string[] => look(...args).map(({ field, rule, expectation }) => `${field} ${rule}: ${expectationText(expectation())}`)

t.test('a right value has nothing wrong', async t => {
  for (const [schema, value] of [
    [{ type: 'object', properties: { a: { enum: ['x', 1] }, b: { type: 'array', items: { type: 'string' } } }, required: ['a'] }, { a: 1, b: ['x'] }],
    [{ anyOf: [{ type: 'string' }, { type: 'null' }] }, null],
    [{ oneOf: [{ type: 'string' }, { type: 'null' }] }, null],
    [{ type: 'object', properties: { a: true, b: {} } }, { a: 1, b: undefined }],
    [{ not: { type: 'string' } }, 5],
    [true as never, 5]
  ] as Array<[JsonSchema, unknown]>) t.strictSame(said({ allOf: [schema] }, value), [])
})

t.test('what is wrong is found at its place, in fields and items', async t => {
  const hours = { type: 'object', properties: { from: { type: 'string' }, to: { type: 'string' } }, required: ['from', 'to'] }
  t.strictSame(said({ type: 'object', properties: { days: { type: 'array', items: hours } } }, { days: [{ from: 9, to: '17' }, { from: '9', until: 17 }, 'mon'] }), [
    'days[0].from type: a string',
    'days[1].until additionalProperties: only the fields from, to',
    'days[1].to required: a string',
    'days[2] type: an object with the fields from, to'
  ])
})

t.test('where the type is wrong nothing deeper is looked at', async t => {
  t.strictSame(said({ type: 'object', properties: { a: {} }, required: ['a'] }, []), ['a'].map(() => ' type: an object with the field a'))
})

t.test('fields by pattern and all other fields have their schemas', async t => {
  t.strictSame(said({ type: 'object', patternProperties: { '^n': { type: 'number' } }, additionalProperties: { type: 'string' } }, { n: 'x', s: 5 }), ['n type: a number', 's type: a string'])
  t.strictSame(said({ type: 'object', properties: { a: {} }, allOf: [{ properties: { b: {} } }], unevaluatedProperties: { type: 'string' } }, { a: 1, b: 1, c: 1, d: 'x' }), ['c type: a string'])
  t.strictSame(said({ type: 'object', properties: { a: false } }, { a: 1 }), ['a additionalProperties: no fields at all'])
  t.strictSame(said({ type: 'object', properties: { a: false }, additionalProperties: true }, { a: 1 }), ['a false schema: nothing here'])
})

t.test('objects of parts are closed as a whole', async t => {
  const parts = { allOf: [{ type: 'object', properties: { a: {} }, required: ['a'] }, { type: 'object', properties: { b: {} } }] }
  t.strictSame(said(parts, { b: 1, c: 1 }), ['c additionalProperties: only the fields a, b', 'a required: a value'])
})

t.test('a field may ask for others, by name or by schema', async t => {
  t.strictSame(said({ type: 'object', properties: { a: {}, b: {} }, dependentRequired: { a: ['b'], b: ['a'] } }, { a: 1 }), ['b dependentRequired: a value, as a is given'])
  t.strictSame(said({ type: 'object', properties: { a: {}, b: {} }, dependentSchemas: { a: { required: ['b'] }, b: { required: ['z'] } } }, { a: 1 }), ['b required: a value'])
})

t.test('a field that another asks for is declared where that one is given, and nowhere else', async t => {
  const schema = { type: 'object', properties: { a: {} }, dependentSchemas: { a: { properties: { b: { type: 'string' } } } } }
  t.strictSame(said(schema, { a: 1, b: 5 }), ['b type: a string'])
  t.strictSame(said(schema, { b: 5 }), ['b additionalProperties: only the field a'])
})

t.test('a field that a branch declares is declared where that branch holds', async t => {
  const schema = { type: 'object', properties: { a: {} }, anyOf: [{ required: ['b'], properties: { b: { type: 'string' } } }, { required: ['c'], properties: { c: { type: 'string' } } }] }
  t.strictSame(said(schema, { a: 1, b: 'x' }), [])
  t.strictSame(said(schema, { a: 1, b: 'x', d: 1 }), ['d additionalProperties: only the fields a, b'])
})

t.test('names have rules too', async t => {
  t.strictSame(said({ type: 'object', additionalProperties: true, propertyNames: { maxLength: 2, type: 'string' } }, { ab: 1, abc: 1 }), ['abc propertyNames: a field name that is a string of at most 2 characters'])
  t.strictSame(said({ type: 'object', additionalProperties: true, propertyNames: false }, { a: 1 }), ['a propertyNames: a field name that is declared'])
})

t.test('an item too many is told of the array, once', async t => {
  const tuple = { type: 'array', items: [{ type: 'string' }], additionalItems: false }
  t.strictSame(said(tuple, ['a', 1, 2]), [' maxItems: an array of 1 item'])
  t.strictSame(said({ ...tuple, items: [{}, {}] }, [1, 2, 3]), [' maxItems: an array of 2 items'])
  t.strictSame(said({ type: 'array', items: [{ type: 'string' }] }, [1, 2]), ['[0] type: a string'])
})

t.test('an array may have to contain something', async t => {
  t.strictSame(said({ contains: { type: 'string' } }, [1]), [' contains: an array with at least 1 of this kind: a string'])
  t.strictSame(said({ contains: { type: 'string' }, minContains: 0, maxContains: 1 }, ['a', 'b']), [' contains: an array with 0 to 1 of this kind: a string'])
  t.strictSame(said({ contains: true }, []), [' contains: an array with at least 1 of this kind: any item'])
  t.strictSame(said({ contains: { type: 'string' } }, ['a']), [])
})

t.test('a condition is asked, and what follows from it holds', async t => {
  const schema = { type: 'object', properties: { a: {}, b: {} }, if: { properties: { a: { const: 1 } } }, then: { required: ['b'] }, else: { maxProperties: 0 } }
  t.strictSame(said(schema, { a: 1 }), ['b required: a value'])
  t.strictSame(said(schema, { a: 2 }), [' maxProperties: an object of at most 0 fields'])
})

t.test('what must not be is said', async t => {
  t.strictSame(said({ not: { const: 'x' } }, 'x'), [' not: a value other than "x"'])
  t.strictSame(said({ not: true }, 'x'), [' not: nothing here'])
})

const card = { type: 'object', properties: { kind: { const: 'card' }, number: { type: 'string' } }, required: ['kind', 'number'] }
const cash = { type: 'object', properties: { kind: { const: 'cash' } }, required: ['kind'] }

t.test('a union is blamed on the branch that was meant', async t => {
  t.strictSame(said({ anyOf: [card, cash] }, { kind: 'card', number: 5 }), ['number type: a string'])
  t.strictSame(said({ anyOf: [card, cash] }, { kind: 'crad', number: 5 }), ['kind enum: one of "card", "cash"'])
  t.strictSame(said({ anyOf: [card, cash] }, {}), ['kind required: one of "card", "cash"'])
  t.strictSame(said({ anyOf: [card, { type: 'string', format: 'date' }] }, 'x'), [' format: a date like "2026-03-31"'])
  t.strictSame(said({ anyOf: [card, { type: 'string' }] }, 5), [' type: an object with the fields kind, number, or a string'])
  t.strictSame(said({ anyOf: [{ enum: ['a', 'b'] }, { const: 'c' }] }, 'x'), [' enum: one of "a", "b", "c"'])
  t.strictSame(said({ anyOf: [{ type: 'object', properties: { a: {}, b: {}, c: {} } }, { type: 'object', properties: { a: { type: 'string' }, d: {} } }] }, { a: 5, d: 1 }), ['d additionalProperties: only the fields a, b, c'])
})

t.test('an object that lacks fields of every form is told all of them: one alone would look like the only way', async t => {
  const form = (field: string, ...more: string[]): JsonSchema => ({ type: 'object', properties: Object.fromEntries([field, ...more].map(name => [name, { type: 'string' }])), required: [field] })
  const order = { anyOf: [form('order_id'), form('email', 'postcode')] }
  const [nothing] = look(order, {})
  t.match([nothing!.rule, expectationText(nothing!.expectation()), nothing!.received], ['anyOf', 'an object with the field order_id or an object with the field email', 'neither'])
  t.equal(look({ anyOf: [form('a'), form('b'), form('c')] }, { other: 'x' })[0]!.received, 'none of them')
  t.strictSame(said(order, { postcode: 'x' }), ['email required: a string'], 'here one is meant')
  t.strictSame(said(order, { emial: 'x' }), ['emial additionalProperties: only the fields email, postcode'])
  t.strictSame(said({ anyOf: [form('a', 'b'), form('a', 'c')] }, {}), ['a required: a string'], 'all ask for the same')
  t.strictSame(said({ anyOf: ['a', 'b', 'c', 'd', 'e'].map(field => form(field)) }, {}), ['a required: a string'], 'too many to name')
})

t.test('a union of nothing but asked-for fields says them together', async t => {
  t.strictSame(said({ type: 'object', properties: { a: {}, b: {} }, anyOf: [{ required: ['a'] }, { required: ['b'] }] }, {}), [' anyOf: an object with a, or with b'])
})

t.test('a value that fits two of several exclusive forms is told so', async t => {
  t.strictSame(said({ oneOf: [{ type: 'number' }, { type: 'integer' }] }, 5), [' oneOf: a value of exactly one of 2 forms, not of 2 at once'])
  t.strictSame(said({ anyOf: [{ oneOf: [{ type: 'array' }, { type: 'array', items: {} }] }, { type: 'string' }] }, []), [' oneOf: a value of exactly one of 2 forms'])
})

t.test('a day that no calendar has is told as that: its form is right', async t => {
  const came = (format: string, value: string) => look({ type: 'string', format }, value)[0]?.received
  for (const day of ['2026-02-30', '2026-13-01', '2026-00-10', '2025-02-29']) t.equal(came('date', day), 'a day that does not exist', day)
  t.equal(came('date-time', '2026-02-30T10:00:00Z'), 'a day that does not exist')
  for (const [format, value] of [['date', '2026-2-3'], ['date', 'soon'], ['date-time', '2026-02-03T25:00:00Z'], ['email', '2026-02-30']] as const) t.equal(came(format, value), undefined, value)
})

t.test('would another value be right? A finding can be asked', async t => {
  const [wrong] = look({ type: 'integer', minimum: 1 }, '5')
  t.strictSame([wrong!.accepts!(5), wrong!.accepts!(0)], [true, false])
  const [either] = look({ anyOf: [{ type: 'integer' }, { type: 'boolean' }] }, 'true')
  t.strictSame([either!.accepts!(true), either!.accepts!('x')], [true, false])
})

t.test('a field that has a default is not missing, wherever the first violation stands; in a union it is, where none is filled in', async t => {
  const ship = { type: 'object', properties: { country: { type: 'string', default: 'DE' }, city: { type: 'string' } }, required: ['country', 'city'], dependentRequired: { city: ['country'] } }
  const order = (properties: JsonSchema): JsonSchema => ({ type: 'object', properties: { count: { type: 'integer' }, ...properties }, required: ['count'] })
  t.strictSame(said(order({ to: ship }), { count: 'x', to: { city: 'Bonn' } }), ['count type: an integer'])
  t.strictSame(said(order({ to: { type: 'array', items: { allOf: [ship] } } }), { count: 1, to: [{}, { city: 'Bonn' }] }), ['to[0].city required: a string'])
  t.strictSame(said(order({ to: { anyOf: [ship, { type: 'null' }] } }), { count: 1, to: { city: 'Bonn' } }), ['to.country required: a string', 'to.country dependentRequired: a string, as city is given'])
})

t.test('a nested union does not take exponential time', async t => {
  const branch = (op: string): JsonSchema => ({ type: 'object', properties: { left: { $ref: '#/$defs/node' }, op: { const: op } }, required: ['left', 'op'] })
  const schema = { anyOf: [{ $ref: '#/$defs/node' }], $defs: { node: { anyOf: [branch('a'), branch('b'), branch('c'), { type: 'number' }] } } }
  let deep: unknown = 'wrong'
  for (let level = 0; level < 20; level++) deep = { left: deep, op: 'a' }
  t.equal(look(schema, deep).length, 1)
})

t.test('it ends where enough is found, and where the effort is used up', async t => {
  const schema = { type: 'object', properties: { a: { type: 'array', items: { type: 'number' } } }, required: ['x', 'y', 'z'] }
  const many = { a: Array(50_000).fill('x') }
  t.equal(look(schema, many, 1).length, 1)
  t.ok(look(schema, many, undefined, 1000).length < 100)
  t.equal(look(schema, { b: 1, c: 1 }, 1).length, 1)
  t.equal(look({ allOf: [{ minLength: 5 }, { pattern: '^a' }] }, 'x', 1).length, 1)
  t.equal(look({ minLength: 5 }, 'x', undefined, 0).length, 0)
  t.equal(look({ uniqueItems: true }, [1, 1]).length, 1)
  t.equal(look({ uniqueItems: true }, Array(1000).fill(1), undefined, 100).length, 0)
  t.ok(look({ type: 'object', required: Array.from({ length: 1000 }, (_, index) => `f${index}`) }, {}, undefined, 1000).length < 100)
})
