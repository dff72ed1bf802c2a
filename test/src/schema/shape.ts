import { Type } from '@sinclair/typebox'
import t from 'tap'
import { hoist } from '../../../src/schema/hoist.js'
import type { JsonSchema } from '../../../src/schema/infer.js'
import { Shape } from '../../../src/schema/shape.js'

const shape = (schema: JsonSchema) => new Shape([hoist(schema)], hoist(schema))
const declared = (schema: JsonSchema, ...path: string[]) => path.reduce<Shape | undefined>((at, key) => at?.field(key), shape(schema)) !== undefined
const A = Type.Object({ a: Type.Object({ b: Type.String() }) })
const C = Type.Object({ c: Type.String() })

t.test('a field is declared by name', async t => {
  t.ok(declared(A, 'a', 'b'))
  for (const path of [['b'], ['a', 'a'], ['constructor'], ['__proto__']]) t.notOk(declared(A, ...path))
  t.ok(declared({ type: 'object', properties: { any: true } }, 'any', 'x', 'y'), 'and then anything in it, where no more is said')
  const known = shape(A)
  t.equal(known.field('a'), known.field('a'), 'and is worked out once')
})

t.test('in a union and an intersection, what any member declares is declared', async t => {
  for (const schema of [Type.Union([A, C]), Type.Intersect([A, C]), { oneOf: [A, C] }, { type: 'object', properties: { x: {} }, if: {}, then: A, else: C }, { dependentSchemas: { x: A, y: C } }]) {
    t.ok(declared(schema, 'a', 'b') && declared(schema, 'c'))
    t.notOk(declared(schema, 'd'))
  }
  t.ok(declared(Type.Union([A, Type.Null()]), 'a') && !declared(Type.Union([A, Type.Null()]), 'd'))
})

t.test('an object is open where its author says so, or says nothing', async t => {
  for (const schema of [{}, Type.Any(), Type.String(), Type.Object({}, { additionalProperties: true }), { type: 'object', unevaluatedProperties: true }, Type.Union([A, Type.Unknown()])]) t.ok(declared(schema, 'x', 'y'))
  t.notOk(declared({ type: 'object' }, 'x'))
})

t.test('records declare fields by pattern, or all of them', async t => {
  const record = Type.Record(Type.String(), C)
  t.ok(declared(record, 'any', 'c'))
  t.notOk(declared(record, 'any', 'd'))
  t.ok(declared(Type.Object({}, { additionalProperties: C }), 'any', 'c'))
  const kept = shape(record)
  t.equal(kept.field('one'), kept.field('two'), 'and keep one shape for all keys')
  const two = { type: 'object', patternProperties: { '^x': C, y$: A } }
  t.ok(declared(two, 'xy', 'c') && declared(two, 'xy', 'a'))
  t.notOk(declared({ type: 'object', patternProperties: { '^x': false } }, 'x'))
})

t.test('items have the shape of their place', async t => {
  const tuple = shape({ type: 'array', items: [A, true], additionalItems: C })
  t.ok(tuple.item(0).field('a'))
  t.ok(tuple.item(1).field('any'))
  t.ok(tuple.item(2).field('c'))
  t.equal(tuple.item(2), tuple.item(300))
  t.notOk(tuple.item(2).field('a'))
  t.notOk(shape(Type.Array(C)).item(7).field('a'))
  t.ok(shape({ type: 'array', prefixItems: [A], items: C }).item(1).field('c'))
})

t.test('recursion goes as deep as the data', async t => {
  const node = Type.Recursive(This => Type.Object({ next: Type.Optional(This) }))
  t.ok(declared(node, 'next', 'next', 'next', 'next'))
  t.notOk(declared(node, 'next', 'next', 'x'))
  const ring = { $defs: { r: { anyOf: [{ $ref: '#/$defs/r' }, { $ref: '#/$defs/r' }, C] } }, anyOf: [{ $ref: '#/$defs/r' }] }
  t.ok(declared(ring, 'c'))
})
