import { Type } from '@sinclair/typebox'
import t from 'tap'
import { checkOnly } from '../../../src/schema/compile.js'
import type { JsonSchema } from '../../../src/schema/infer.js'
import { createPrune, openSchema } from '../../../src/schema/prune.js'

const run = (schema: JsonSchema, value: unknown) => {
  const dropped: string[] = []
  return { kept: createPrune(schema)(value, dropped), dropped }
}
const city = Type.Object({ name: Type.String() })

t.test('a field that is not declared is dropped and named, and the data of the handler stays as it is', async t => {
  const data = { name: 'Oslo', password: 'x', list: [{ name: 'a' }, { name: 'b', 'odd key': 1 }] }
  const before = structuredClone(data)
  t.strictSame(run(Type.Object({ name: Type.String(), list: Type.Array(city) }), data), { kept: { name: 'Oslo', list: [{ name: 'a' }, { name: 'b' }] }, dropped: ['password', 'list[1]["odd key"]'] })
  t.strictSame(data, before)
})

t.test('data that needs no change is not copied', async t => {
  const data = { name: 'Oslo' }
  const list = [data]
  t.equal(run(city, data).kept, data)
  t.equal(run(Type.Array(city), list).kept, list)
})

t.test('what JSON leaves out by itself is not worth a line', async t => {
  t.strictSame(run(city, { name: 'a', b: undefined, c: () => 1 }), { kept: { name: 'a' }, dropped: [] })
})

t.test('a value that says what its JSON is, is pruned as that', async t => {
  class User { name = 'a'; toJSON (key: string) { return { name: key, password: 'x' } } }
  t.strictSame(run(Type.Object({ user: city }), { user: new User() }), { kept: { user: { name: 'user' } }, dropped: ['user.password'] })
  const at = new Date(0)
  t.strictSame(run(Type.Object({ at: Type.String() }), { at }).kept, { at: '1970-01-01T00:00:00.000Z' })
  t.strictSame(run(Type.Array(Type.String()), [at]).kept, ['1970-01-01T00:00:00.000Z'])
})

t.test('a date that is none does not pass for null', async t => {
  const at = new Date(NaN)
  t.strictSame(run({}, { list: [at] }), { kept: { list: [at] }, dropped: [] })
  t.strictSame(run({}, [{ toJSON: () => null }]).kept, [null], 'what calls itself null is null')
})

t.test('a field named __proto__ is a field', async t => {
  const data = JSON.parse('{"__proto__":{"name":"a","b":1},"c":1}')
  const { kept, dropped } = run(JSON.parse('{"type":"object","properties":{"__proto__":{"type":"object","properties":{"name":{}}}}}'), data)
  t.equal(JSON.stringify(kept), '{"__proto__":{"name":"a"}}')
  t.strictSame(dropped, ['__proto__.b', 'c'])
})

t.test('plain values are left alone', async t => {
  for (const value of ['a', 1, null, undefined, true]) t.strictSame(run(city, value), { kept: value, dropped: [] })
})

t.test('an opened schema lets others in, but not in conditions', async t => {
  const closed = { type: 'object', properties: { a: {} }, additionalProperties: false }
  const not = { properties: { a: { const: 1 } }, additionalProperties: false }
  t.strictSame(openSchema({ ...closed, unevaluatedProperties: false, not }), { type: 'object', properties: { a: {} }, not })
  t.strictSame(openSchema({ ...closed, additionalProperties: true }), { ...closed, additionalProperties: true })
})

t.test('branches that excluded each other by being closed need not when they are open', async t => {
  const closed = (name: string) => ({ type: 'object', properties: { [name]: {} }, required: [name], additionalProperties: false })
  const value = { a: 1, b: 2 }
  const both = { oneOf: [closed('a'), { ...closed('b'), properties: { a: {}, b: {} } }] }
  t.equal(checkOnly(openSchema(both))(value), undefined)
  t.ok(checkOnly(openSchema(both))({}))
  t.strictSame(openSchema({ ...both, allOf: [{}] }).allOf.length, 2)
  t.ok(checkOnly(openSchema({ oneOf: [{ type: 'number' }, { minimum: 1 }] }))(1), 'others still do')
  t.match(openSchema({ oneOf: [{ $ref: '#/$defs/x' }, true], $defs: { x: {} } }), { allOf: [{ anyOf: [] }] })
})
