import { Ajv2019 } from 'ajv/dist/2019.js'
import t from 'tap'
import { addFastKeywords, fastForm } from '../../../src/schema/fast-keywords.js'
import type { JsonSchema } from '../../../src/schema/infer.js'
import { cpuMs } from '../../fixtures/cpu-time.js'

const ajv = new Ajv2019({ strict: false })
addFastKeywords(ajv)

function firstError (schema: JsonSchema, value: unknown) {
  const validate = ajv.compile(schema)
  return validate(value) ? undefined : validate.errors![0]
}

t.test('a listed value is accepted, another is told with the list and its place', async t => {
  const schema = { properties: { a: { enum: ['x', 1, null, { b: 1, c: [2] }] } } }
  for (const a of ['x', 1, null, { c: [2], b: 1 }]) t.equal(firstError(schema, { a }), undefined)
  for (const a of ['X', '1', false, { b: 1 }, []]) t.match(firstError(schema, { a }), { keyword: 'enum', instancePath: '/a', params: { allowedValues: schema.properties.a.enum } })
})

t.test('a repeated item is told with both places', async t => {
  const schema = { type: 'array', uniqueItems: true }
  t.equal(firstError(schema, [1, '1', { a: 1 }, { a: 2 }]), undefined)
  t.match(firstError(schema, [{ a: 1, b: 2 }, 5, { b: 2, a: 1 }]), { keyword: 'uniqueItems', params: { i: 0, j: 2 } })
  t.equal(firstError({ type: 'array', uniqueItems: false }, [1, 1]), undefined)
  t.equal(firstError({ uniqueItems: true }, 'text'), undefined)
})

t.test('a long list and a long array are checked in one pass', async t => {
  const values = Array.from({ length: 500 }, (_, index) => `v${index}`)
  const items = Array.from({ length: 100_000 }, (_, index) => ({ id: index }))
  const took = cpuMs(() => {
    t.equal(firstError({ items: { enum: values } }, Array(100_000).fill('v499')), undefined)
    t.equal(firstError({ type: 'array', uniqueItems: true }, items), undefined)
  })
  t.ok(took < 3_000, 'compared one by one both take many seconds')
})

t.test('a union of literals is checked as one list, at any depth', async t => {
  const units = { anyOf: [{ const: 'metric', type: 'string' }, { const: 'imperial', type: 'string' }], default: 'metric' }
  t.strictSame(fastForm({ properties: { units } }), { properties: { units: { enum: ['metric', 'imperial'], default: 'metric' } } })
  for (const other of [
    { anyOf: [] },
    { anyOf: [{ const: 'a' }, { type: 'string' }] },
    { anyOf: [{ const: 'a', type: 'number' }] },
    { anyOf: [{ const: 'a', minLength: 3 }] },
    { anyOf: [true] },
    { const: 'a', anyOf: [{ const: 'a' }] },
    { enum: ['a'], anyOf: [{ const: 'a' }] }
  ]) t.strictSame(fastForm(other), other)
})

t.test('fields with literal values are checked first', async t => {
  const form = fastForm({ properties: { left: { type: 'object' }, op: { const: 'and' }, flag: true, mode: { enum: ['a'] } } })
  t.strictSame(Object.keys(form.properties), ['op', 'mode', 'left', 'flag'])
})

t.test('a nested union whose kind comes last does not take exponential time', async t => {
  const branch = (op: string): JsonSchema => ({ type: 'object', properties: { left: { $ref: '#/$defs/node' }, op: { const: op } } })
  const schema = fastForm({ $ref: '#/$defs/node', $defs: { node: { anyOf: [branch('a'), branch('b'), branch('c'), { type: 'number' }] } } })
  let deep: unknown = 'wrong'
  for (let level = 0; level < 40; level++) deep = { left: deep, op: 'a' }
  t.ok(firstError(schema, deep))
})
