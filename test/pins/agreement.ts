import fc from 'fast-check'
import t from 'tap'
import { closeSchema } from '../../src/schema/close.js'
import { checkOnly } from '../../src/schema/compile.js'
import type { JsonSchema } from '../../src/schema/infer.js'
import { explain } from '../../src/schema/problems.js'

// Schemas and values are made from one small stock, so that values often fit almost.
const name = fc.constantFrom('a', 'b', 'kind', 'units')
const scalar = fc.constantFrom<unknown>('a', 'b', 'metric', '', 'OSL', '2026-03-31', 0, 1, -1, 2.5, 2 ** 53, true, false, null)
const bound = fc.constantFrom(0, 1, 2)

const leaf: fc.Arbitrary<JsonSchema> = fc.oneof(
  fc.record({ type: fc.constant('string'), minLength: bound, maxLength: fc.constantFrom(1, 3, 9), pattern: fc.constantFrom('^[a-z]+$', '^[A-Z]{3}$'), format: fc.constantFrom('date', 'email') }, { requiredKeys: ['type'] }),
  fc.record({ type: fc.constantFrom('number', 'integer'), minimum: bound, exclusiveMaximum: fc.constantFrom(1, 3), multipleOf: fc.constantFrom(1, 0.5) }, { requiredKeys: ['type'] }),
  fc.record({ type: fc.constantFrom<unknown>('boolean', 'null', ['string', 'null'], ['integer', 'boolean']) }),
  fc.record({ type: fc.constant('string'), nullable: fc.constant(true) }),
  fc.record({ enum: fc.uniqueArray(scalar, { minLength: 1, maxLength: 4 }) }),
  fc.record({ const: fc.oneof(scalar, fc.constant({ a: 1 }), fc.constant(['a'])) }),
  fc.constant({ $ref: '#/$defs/Node' }),
  fc.constant({})
)

// What the validator takes for evaluated by a closed condition, or by a dependency that does not apply, is not what the
// specification says; only plain ones are tried.
const condition = fc.oneof(leaf, fc.record({ properties: fc.dictionary(name, leaf, { maxKeys: 1, noNullPrototype: true }) }))
const needs = fc.record({ required: fc.uniqueArray(name, { maxLength: 2 }) })

const { schema } = fc.letrec<{ schema: JsonSchema, object: JsonSchema, fields: Record<string, unknown> }>(tie => ({
  fields: fc.dictionary(name, fc.oneof({ weight: 9, arbitrary: tie('schema') }, { weight: 1, arbitrary: fc.constant(false) }), { maxKeys: 3, noNullPrototype: true }),
  object: fc.record({
    type: fc.constant('object'),
    properties: tie('fields') as fc.Arbitrary<Record<string, unknown>>,
    required: fc.uniqueArray(name, { maxLength: 2 }),
    additionalProperties: fc.oneof(fc.boolean(), tie('schema') as fc.Arbitrary<JsonSchema>),
    minProperties: bound,
    dependentRequired: fc.dictionary(name, fc.uniqueArray(name, { maxLength: 1 }), { maxKeys: 1, noNullPrototype: true }),
    patternProperties: fc.dictionary(fc.constantFrom('^k', 's$'), tie('schema') as fc.Arbitrary<JsonSchema>, { maxKeys: 1, noNullPrototype: true }),
    propertyNames: fc.constantFrom<JsonSchema>({ maxLength: 4 }, { enum: ['a', 'b', 'kind'] })
  }, { requiredKeys: ['type', 'properties'] }) as fc.Arbitrary<JsonSchema>,
  schema: fc.oneof(
    { maxDepth: 3, depthIdentifier: 'schema', withCrossShrink: true },
    leaf,
    tie('object') as fc.Arbitrary<JsonSchema>,
    fc.record({ type: fc.constant('array'), items: tie('schema'), minItems: bound, maxItems: fc.constantFrom(1, 2), uniqueItems: fc.boolean() }, { requiredKeys: ['type', 'items'] }),
    fc.record({ type: fc.constant('array'), items: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }), additionalItems: fc.boolean() }),
    fc.record({ type: fc.constant('array'), contains: leaf, minContains: bound, maxContains: fc.constantFrom(1, 2) }, { requiredKeys: ['type', 'contains'] }),
    fc.record({ anyOf: fc.array(tie('schema'), { minLength: 1, maxLength: 3 }) }),
    fc.record({ oneOf: fc.array(tie('schema'), { minLength: 1, maxLength: 3 }) }),
    fc.record({ allOf: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }) }),
    fc.record({ type: fc.constant('object'), properties: tie('fields'), anyOf: fc.array(tie('object'), { minLength: 1, maxLength: 2 }) }),
    fc.record({ allOf: fc.array(tie('object'), { minLength: 2, maxLength: 3 }) }),
    fc.record({ type: fc.constant('object'), properties: tie('fields'), if: condition, then: tie('object'), else: tie('object') }, { requiredKeys: ['type', 'properties', 'if'] }),
    fc.record({ type: fc.constant('object'), properties: tie('fields'), dependentSchemas: fc.dictionary(name, needs, { maxKeys: 1, noNullPrototype: true }) }),
    fc.record({ not: leaf })
  ) as fc.Arbitrary<JsonSchema>
}))

const { value } = fc.letrec(tie => ({
  value: fc.oneof(
    { maxDepth: 3, depthIdentifier: 'value' },
    scalar,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.oneof(name, fc.constantFrom('key', 'bs', 'extra')), tie('value'), { maxKeys: 3, noNullPrototype: true })
  )
}))

const pair = fc.record({ schema, node: leaf.filter(({ $ref }) => $ref === undefined), value })
  .map(({ schema, node, value }) => ({ schema: { ...schema, $defs: { Node: node } } as JsonSchema, value: value as unknown }))

t.test('an input is explained exactly where the validator refuses it', async t => {
  const seen = { wrong: 0, right: 0 }
  fc.assert(fc.property(pair, ({ schema, value }) => {
    const closed = closeSchema(schema)
    const violation = checkOnly(closed)(value)
    const { total } = explain(closed, value)
    if (violation === undefined) seen.right++
    else seen.wrong++
    if ((violation !== undefined) !== (total > 0)) throw new Error(`${JSON.stringify(closed)} ${JSON.stringify(value)} ${JSON.stringify(violation)} ${JSON.stringify(explain(closed, value))}`)
  }), { numRuns: 600, seed: 7 })
  t.ok(seen.wrong > 200, `${seen.wrong} wrong values`)
  t.ok(seen.right > 50, `${seen.right} right values`)
})
