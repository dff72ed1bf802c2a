import { Type } from '@sinclair/typebox'
import t from 'tap'
import { isObjectSchema, isSchema, mapSubschemas, subschemasOf } from '../../../src/schema/walk.js'

t.test('every place where a schema holds schemas is walked', async t => {
  const leaf = { type: 'string' }
  const schema = {
    properties: { a: leaf },
    patternProperties: { b: leaf },
    $defs: { c: leaf },
    definitions: { d: leaf },
    dependentSchemas: { e: leaf },
    dependencies: { f: leaf, g: ['h'] },
    allOf: [leaf],
    anyOf: [leaf, true],
    oneOf: [leaf],
    prefixItems: [leaf],
    items: leaf,
    additionalItems: leaf,
    unevaluatedItems: leaf,
    additionalProperties: leaf,
    unevaluatedProperties: leaf,
    not: leaf,
    if: leaf,
    then: leaf,
    else: leaf,
    contains: leaf,
    propertyNames: leaf
  }
  t.equal(subschemasOf(schema).length, 21)
  t.strictSame(subschemasOf({ items: [leaf, leaf] }).map(({ keyword, key }) => [keyword, key]), [['items', '0'], ['items', '1']])
  t.strictSame(mapSubschemas(schema, () => 1), {
    properties: { a: 1 },
    patternProperties: { b: 1 },
    $defs: { c: 1 },
    definitions: { d: 1 },
    dependentSchemas: { e: 1 },
    dependencies: { f: 1, g: ['h'] },
    allOf: [1],
    anyOf: [1, true],
    oneOf: [1],
    prefixItems: [1],
    items: 1,
    additionalItems: 1,
    unevaluatedItems: 1,
    additionalProperties: 1,
    unevaluatedProperties: 1,
    not: 1,
    if: 1,
    then: 1,
    else: 1,
    contains: 1,
    propertyNames: 1
  })
})

t.test('data in a schema is not taken for a schema', async t => {
  const schema = { const: { type: 'x' }, enum: [{ type: 'x' }], default: { properties: {} }, examples: [{ type: 'x' }], required: ['a'] }
  t.strictSame(subschemasOf(schema), [])
  t.strictSame(mapSubschemas(schema, () => 1), schema)
})

t.test('a schema in a wrong form is left as it is', async t => {
  const schema = { properties: [{}], allOf: {}, not: [{}], items: true, additionalProperties: false }
  t.strictSame(subschemasOf(schema), [])
  t.strictSame(mapSubschemas(schema, () => 1), schema)
})

t.test('a copy is plain JSON, and can leave subschemas out', async t => {
  const copy = mapSubschemas({ ...Type.Object({ a: Type.String(), b: Type.Null() }), title: undefined }, (_, __, key) => key === 'a' ? undefined : {})
  t.strictSame(copy, { type: 'object', required: ['a', 'b'], properties: { b: {} } })
  t.equal(Object.getOwnPropertySymbols(copy).length, 0)
})

t.test('a field may be named __proto__', async t => {
  const schema = JSON.parse('{"properties":{"__proto__":{"type":"string"}}}')
  t.equal(subschemasOf(schema).length, 1)
  const copy = mapSubschemas(schema, subschema => subschema)
  t.equal(JSON.stringify(copy), JSON.stringify(schema))
  t.equal(Object.getPrototypeOf(copy.properties), Object.prototype)
})

t.test('an object schema says so, or has fields', async t => {
  for (const schema of [{ type: 'object' }, { type: ['null', 'object'] }, { properties: {} }, { patternProperties: {} }]) t.ok(isObjectSchema(schema))
  for (const schema of [{}, { type: 'array' }, { type: ['null'] }, { type: 'string', properties: {} }]) t.notOk(isObjectSchema(schema))
  t.notOk([true, null, [], 'a', undefined].some(isSchema))
})
