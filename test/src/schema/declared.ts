import t from 'tap'
import { declaredFields, fieldSchemas, itemSchema, ownFieldSchemas } from '../../../src/schema/declared.js'
import type { JsonSchema } from '../../../src/schema/infer.js'

const all = (): boolean => true
const read = (schema: JsonSchema, holds: (member: unknown) => boolean = all, given: (key: string) => boolean = all) => declaredFields(schema, schema, holds, given)

t.test('the fields of all parts are declared', async t => {
  const { names, has } = read({ properties: { a: {}, no: false }, allOf: [{ $ref: '#/$defs/B' }, true], $defs: { B: { properties: { b: {} } } } })
  t.strictSame(names, ['a', 'b'])
  t.strictSame(['a', 'b', 'no', 'c'].map(has), [true, true, false, false])
})

t.test('of a union the branches that hold count; all of them where none holds', async t => {
  const A = { properties: { a: {} } }
  const B = { properties: { b: {} } }
  for (const keyword of ['anyOf', 'oneOf']) {
    t.strictSame(read({ [keyword]: [A, B] }, member => member === B).names, ['b'])
    t.strictSame(read({ [keyword]: [A, B] }, () => false).names, ['a', 'b'])
  }
})

t.test('a condition declares what it asks for, where it holds', async t => {
  const schema = { if: { properties: { kind: {} } }, then: { properties: { a: {} } }, else: { properties: { b: {} } } }
  t.strictSame(read(schema).names, ['kind', 'a'])
  t.strictSame(read(schema, () => false).names, ['b'])
})

t.test('what depends on a field counts where the field is given', async t => {
  const schema = { dependentSchemas: { card: { properties: { cvc: {} } } } }
  t.strictSame(read(schema).names, ['cvc'])
  t.strictSame(read(schema, all, () => false).names, [])
})

t.test('names by pattern are declared, and the patterns told', async t => {
  const { has, patterns } = read({ patternProperties: { '^x-': {} }, allOf: [{ patternProperties: { '^x-': {} } }] })
  t.strictSame(patterns, ['^x-'])
  t.strictSame([has('x-a'), has('y')], [true, false])
})

t.test('an open part declares everything; openness of the whole is its own affair', async t => {
  for (const member of [{ additionalProperties: true }, { unevaluatedProperties: {} }]) t.ok(read({ allOf: [member] }).has('z'))
  for (const member of [{ additionalProperties: false }, {}]) t.notOk(read({ allOf: [member] }).has('z'))
  t.notOk(read({ additionalProperties: true }).has('z'))
})

t.test('a schema that holds itself has an end', async t => {
  const schema = { properties: { a: {} }, anyOf: [{ $ref: '#' }] }
  t.strictSame(read(schema).names, ['a'])
  t.ok(fieldSchemas(schema, schema, 'a').length > 1)
})

t.test('a schema says of a field what it says by name and by pattern, else what it says of all others', async t => {
  const schema = { properties: { a: { type: 'string' } }, patternProperties: { '^a': { minLength: 1 } }, additionalProperties: { type: 'number' } }
  t.strictSame(ownFieldSchemas(schema, 'a'), [{ type: 'string' }, { minLength: 1 }])
  t.strictSame(ownFieldSchemas(schema, 'z'), [{ type: 'number' }])
  t.strictSame(ownFieldSchemas({}, 'z'), [])
})

t.test('all that any part says of a field can be asked for', async t => {
  const part = (type: string) => ({ properties: { a: { type } } })
  const schema = { ...part('x'), allOf: [part('1')], anyOf: [part('2')], oneOf: [part('3')], then: part('4'), else: part('5'), additionalProperties: false }
  t.strictSame(fieldSchemas(schema, schema, 'a').map(({ type }) => type), ['x', '1', '2', '3', '4', '5'])
  t.strictSame(fieldSchemas(schema, schema, 'b'), [])
})

t.test('an item has the schema of its place', async t => {
  t.strictSame(itemSchema({ items: { type: 'string' } }, 5), { type: 'string' })
  const tuple = { items: [{ type: 'string' }, { type: 'number' }], additionalItems: false }
  t.strictSame([0, 1, 2].map(index => itemSchema(tuple, index)), [{ type: 'string' }, { type: 'number' }, false])
  t.equal(itemSchema({}, 0), undefined)
})
