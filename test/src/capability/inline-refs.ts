import { Type } from '@sinclair/typebox'
import t from 'tap'
import { inlineRefs } from '../../../src/capability/inline-refs.js'
import { hoist } from '../../../src/schema/hoist.js'
import type { JsonSchema } from '../../../src/schema/infer.js'

const inline = (schema: JsonSchema) => inlineRefs(hoist(schema))

t.test('what has a name is written out wherever it is used', async t => {
  const place = Type.Object({ lat: Type.Number() }, { $id: 'Place' })
  const written = { type: 'object', required: ['lat'], properties: { lat: { type: 'number' } } }
  t.strictSame(inline(Type.Object({ from: place, to: place })), { type: 'object', required: ['from', 'to'], properties: { from: written, to: written } })
  t.strictSame(inline({ type: 'array', items: { $ref: '#/$defs/A', description: 'One.' }, $defs: { A: { type: 'string', description: 'Any.' } } }), { type: 'array', items: { type: 'string', description: 'One.' } })
  t.strictSame(inline({ properties: { a: { $ref: '#/definitions/A' } }, definitions: { A: { $ref: '#/definitions/B' }, B: { const: 1 } } }), { properties: { a: { const: 1 } } })
})

t.test('what holds itself is written out to a depth, and then told in words', async t => {
  const tree: JsonSchema = { $id: 'Tree', type: 'object', properties: { of: { type: 'array', items: { $ref: 'Tree' } } } }
  const level = (items: object) => ({ type: 'object', properties: { of: { type: 'array', items } } })
  const end = { type: 'object', additionalProperties: true, description: 'Tree again: not written out any further here, but checked' }
  t.strictSame(inline({ type: 'object', properties: { tree } }).properties, { tree: level(level(level(end))) })
  t.match(JSON.stringify(inline(tree)), 'The same form again', 'the root of a schema has no name in it')
})

t.test('a cut keeps the type, where there is one, and what was said of it', async t => {
  const list = { $id: 'T0', type: 'array', items: { $ref: 'T0', description: 'More.' } }
  const { items } = inline({ type: 'object', properties: { list } }).properties.list.items.items
  t.strictSame(items, { type: 'array', description: 'More. The same form again: not written out any further here, but checked' })
  const either = { $id: 'Either', anyOf: [{ type: 'string' }, { type: 'array', items: { $ref: 'Either' } }] }
  const [, deep] = inline({ properties: { either } }).properties.either.anyOf[1].items.anyOf[1].items.anyOf
  t.strictSame(deep.items, { description: 'Either again: not written out any further here, but checked' })
})

t.test('definitions that double with each step are not written out for ever', async t => {
  const $defs: Record<string, JsonSchema> = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`D${index}`, { type: 'object', properties: { a: { $ref: `#/$defs/D${index + 1}` }, b: { $ref: `#/$defs/D${index + 1}` } } }]))
  const text = JSON.stringify(inlineRefs({ type: 'object', properties: { a: { $ref: '#/$defs/D0' } }, $defs: { ...$defs, D30: { type: 'string' } } }))
  t.ok(text.length < 500_000, `${text.length} characters`)
  t.match(text, /D\d+ again: not written out/)
})
