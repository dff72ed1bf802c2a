import { Type } from '@sinclair/typebox'
import t from 'tap'
import { createMarkerPlan, type MarkerPlan } from '../../../src/policy/marker-plan.js'
import { defaultMarkers } from '../../../src/policy/mock-markers.js'
import { createTelltales } from '../../../src/policy/telltales.js'
import type { JsonSchema } from '../../../src/schema/infer.js'

const telltales = createTelltales(defaultMarkers, ['lorem ipsum'])
const plan = (schema: JsonSchema) => createMarkerPlan(schema, telltales)
const at = (schema: JsonSchema, ...path: Array<string | number>) =>
  path.reduce<MarkerPlan | undefined>((place, step) => typeof step === 'number' ? place?.item(step) : place?.field(step), plan(schema))
const flagged = Type.Object({ n: Type.Number(), mock: Type.Boolean() })

t.test('there is no plan where nothing in the schema can tell', async t => {
  const number = Type.Number()
  const schemas = [
    number, Type.Object({}), Type.Array(number), Type.Tuple([number, number]), Type.Record(Type.String(), number), Type.Object({ mock: number, other: Type.Boolean() }), Type.Union([Type.Object({ a: number }), Type.Null()]),
    Type.Object({ source: Type.Union([Type.Literal('a'), Type.Literal('b')]), mock: Type.Literal(false) }), Type.Recursive(This => Type.Object({ n: number, children: Type.Array(This) })),
    { enum: [1, 2] }, { type: 'object', properties: { a: number }, anyOf: [{ required: ['a'] }, { required: ['b'] }] }, { type: 'object', patternProperties: { '^n': { type: 'integer' } }, additionalProperties: false }
  ]
  for (const schema of schemas) t.equal(plan(schema), undefined, JSON.stringify(schema))
})

t.test('one place that can tell makes a plan, wherever it is', async t => {
  const schemas = [
    flagged, Type.Array(flagged), Type.Tuple([Type.Number(), flagged]), Type.Record(Type.String(), Type.Boolean()), Type.Object({}, { additionalProperties: true }), Type.Object({}, { additionalProperties: flagged }), Type.Object({ a: Type.Array(Type.Array(flagged)) }),
    Type.Union([Type.Null(), flagged]), Type.Intersect([Type.Object({ n: Type.Number() }), flagged]), { oneOf: [flagged] }, { type: 'array' }, { type: 'array', items: [Type.Number()], additionalItems: flagged },
    { type: 'object', if: {}, then: flagged }, Type.Recursive(This => Type.Object({ next: This, source: Type.String() })), { $defs: { F: flagged }, type: 'array', items: { $ref: '#/$defs/F' } }, {}
  ]
  for (const schema of schemas) t.ok(plan(schema), JSON.stringify(schema))
})

t.test('a place knows whether its name, its text or its inside can tell', async t => {
  const schema = Type.Object({ rows: Type.Array(flagged), source: Type.String({ maxLength: 8 }), title: Type.String(), placeholder: Type.String(), n: Type.Number() })
  t.match(plan(schema), { telling: undefined, text: false, deep: true })
  t.match(at(schema, 'rows'), { text: false, deep: true })
  t.equal(at(schema, 'rows', 7, 'n'), undefined)
  t.equal(at(schema, 'rows', 7, 'mock')?.telling, telltales.ofKey('mock'))
  t.match(at(schema, 'source'), { text: false, deep: false })
  t.equal(at(schema, 'source')?.telling, telltales.ofKey('source'))
  t.match(at(schema, 'title'), { telling: undefined, text: true, deep: false })
  t.match(at(schema, 'placeholder'), { telling: undefined, text: true }, 'a text is never true')
  t.equal(at(schema, 'n'), undefined)
  t.equal(at(schema, 'undeclared'), undefined)
  t.equal(at(schema, 'title', 'x'), undefined, 'a text has no fields')
})

t.test('an open place is searched for all', async t => {
  for (const schema of [{}, { required: ['x'] }, Type.Object({}, { additionalProperties: true }), Type.Union([flagged, Type.Unknown()])]) {
    t.match(at(schema, 'x', 'y'), { telling: undefined, text: true, deep: true })
    t.match(at(schema, 'x', 3, 'y'), { text: true, deep: true })
    t.equal(at(schema, 'x', 'is_fake')?.telling, telltales.ofKey('is_fake'))
  }
})

t.test('names in data share the plan of what they have in common', async t => {
  for (const schema of [Type.Object({}, { additionalProperties: flagged }), Type.Record(Type.String(), flagged)]) {
    const place = plan(schema)!
    t.ok(place.field('Oslo'))
    t.equal(place.field('Oslo'), place.field('Bergen'))
  }
  const flags = plan(Type.Record(Type.String(), Type.Boolean()))!
  t.equal(flags.field('wet'), undefined)
  t.equal(flags.field('mock'), flags.field('mock'))
  t.ok(flags.field('mock')?.telling)
})

t.test('recursion comes back to the same plan', async t => {
  const tree = Type.Recursive(This => Type.Object({ source: Type.String(), left: Type.Optional(This), right: Type.Optional(This) }))
  t.ok(at(tree, 'left', 'right', 'source')?.telling)
  t.equal(at(tree, 'left', 'right') === undefined, false)
  const root = plan(tree)!
  t.equal(root.field('left')!.field('right')!.field('left'), root.field('left'))
})

t.test('items have the plan of their place', async t => {
  const tuple = Type.Tuple([Type.Number(), flagged])
  t.equal(at(tuple, 0), undefined)
  t.ok(at(tuple, 1))
  t.equal(at(tuple, 2), undefined)
  const list = plan(Type.Array(flagged))!
  t.equal(list.item(0), list.item(300))
})
