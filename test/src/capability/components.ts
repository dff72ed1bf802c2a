import { Type } from '@sinclair/typebox'
import t from 'tap'
import { createComponents } from '../../../src/capability/components.js'
import { defineCapability } from '../../../src/capability/define.js'
import { sourceOf, sourceOfRoute } from '../../../src/capability/schema-source.js'
import type { JsonSchema } from '../../../src/schema/infer.js'

const tool = (name: string, input: JsonSchema, output: JsonSchema = Type.Null()) =>
  defineCapability<JsonSchema, JsonSchema>({ name, description: 'A tool.', effect: 'read', input, output, handler: async () => null })
const place = (more: JsonSchema = {}) => Type.Object({ lat: Type.Number(), ...more }, { $id: 'Place' })
const open = { type: 'object', required: ['lat'], properties: { lat: { type: 'number' } } }
const closed = { ...open, additionalProperties: false }

/** The two schemas of each capability, and the components they refer to. */
const build = (capabilities: ReturnType<typeof tool>[], own = {}) => {
  const sources = capabilities.map(capability => [sourceOf(capability, 'input'), sourceOf(capability, 'output')])
  const components = createComponents(sources.flat(), own)
  const schemas = sources.map(both => both.map(components.schemaOf))
  return { schemas, all: components.all(), components }
}

t.test('a named schema is a component of its name, whoever uses it and how often', async t => {
  const { schemas, all } = build([tool('a', Type.Object({ from: place(), to: place() })), tool('b', Type.Object({ at: place() }))])
  t.strictSame(all, { Place: closed })
  t.match(schemas[0]![0], { properties: { from: { $ref: '#/components/schemas/Place' }, to: { $ref: '#/components/schemas/Place' } } })
  t.match(schemas[1]![0], { properties: { at: { $ref: '#/components/schemas/Place' } } })
  t.notOk('$defs' in schemas[0]![0]!)
})

t.test('a schema named at its root is a component too', async t => {
  const { schemas, all } = build([tool('a', place(), Type.Array(place()))])
  t.strictSame(schemas, [[{ $ref: '#/components/schemas/Place' }, { type: 'array', items: { $ref: '#/components/schemas/PlaceOutput' } }]])
  t.strictSame(all, { Place: closed, PlaceOutput: open })
})

t.test('an output has the plain name where no input publishes another form', async t => {
  t.strictSame(build([tool('a', Type.Object({}), place())]).all, { Place: open })
  const code = Type.String({ $id: 'Code', minLength: 3 })
  t.strictSame(build([tool('a', Type.Object({ code }), code)]).all, { Code: { type: 'string', minLength: 3 } })
  // The same text, but what it refers to differs.
  const trip = Type.Object({ to: place() }, { $id: 'Trip', additionalProperties: false })
  t.strictSame(Object.keys(build([tool('a', Type.Object({ trip }), trip)]).all), ['Place', 'PlaceOutput', 'Trip', 'TripOutput'])
})

t.test('one name for two shapes is refused, naming both places', async t => {
  const a = tool('a', Type.Object({ at: place() }))
  const message = (where: string) => new TypeError(`Expected schemas of one name to have one shape, got two named 'Place': one in the input of a, another in ${where}. Give one of them another \`$id\`.`)
  t.throws(() => build([a, tool('b', Type.Object({ at: place({ lon: Type.Number() }) }))]), message('the input of b'))
  t.throws(() => build([a, tool('b', Type.Object({}), place({ lon: Type.Number() }))]), message('the output of b'))
  const deeper = (inner: JsonSchema) => Type.Object({ trip: Type.Object({ to: Type.Array(inner as ReturnType<typeof place>) }, { $id: 'Trip' }) })
  t.throws(() => build([tool('a', deeper(place())), tool('b', deeper(place({ lon: Type.Number() })))]), /'Trip'|'Place'/)
})

t.test('the order of keywords makes no other shape', async t => {
  t.doesNotThrow(() => build([tool('a', { $id: 'P', type: 'object', properties: { a: {}, b: {} } }), tool('b', { properties: { b: {}, a: {} }, type: 'object', $id: 'P' })]))
})

t.test('names that OpenAPI does not allow are spelt with underscores, and must still differ', async t => {
  const at = (...ids: string[]) => ({ type: 'object', properties: Object.fromEntries(ids.map(id => [id, { $id: id, const: id }])) })
  t.strictSame(Object.keys(build([tool('a', at('https://example.com/a b', 'x/y~z'))]).all), ['https_example.com_a_b', 'x_y_z'])
  t.throws(() => build([tool('a', at('a/b', 'a b'))]), { name: 'TypeError', message: /'a_b': one in the input of a, another in the input of a/ })
})

t.test("a document's own components are kept, and their names are taken", async t => {
  t.strictSame(Object.keys(build([tool('a', place())], { Zebra: {}, Meta: {} }).all), ['Meta', 'Place', 'Zebra'])
  t.throws(() => build([tool('a', place())], { Place: {} }), { name: 'TypeError', message: /'Place': one in the document itself, another in the input of a/ })
})

t.test('definitions without an $id belong to their capability', async t => {
  const withDefs = (type: string) => ({ type: 'object', properties: { at: { $ref: '#/$defs/At' }, x: { $ref: '#/$defs/At/properties/x' } }, $defs: { At: { type: 'object', properties: { x: { type } } }, Unused: {} } })
  const { schemas, all } = build([tool('a', withDefs('string')), tool('b', Type.Object({}), withDefs('number'))])
  t.match(schemas[0]![0], { properties: { at: { $ref: '#/components/schemas/a_input_At' }, x: { $ref: '#/components/schemas/a_input_At/properties/x' } } })
  t.strictSame(all, {
    a_input_At: { type: 'object', properties: { x: { type: 'string' } }, additionalProperties: false },
    b_output_At: { type: 'object', properties: { x: { type: 'number' } } }
  })
})

t.test('recursive schemas refer to themselves', async t => {
  const list = Type.Recursive(This => Type.Object({ next: Type.Union([This, Type.Null()]) }), { $id: 'List' })
  const { schemas, all } = build([tool('a', Type.Object({ list }), list)])
  const next = (name: string) => ({ anyOf: [{ $ref: `#/components/schemas/${name}` }, { type: 'null' }] })
  t.match(schemas, [[{ properties: { list: { $ref: '#/components/schemas/List' } } }, { $ref: '#/components/schemas/ListOutput' }]])
  t.strictSame(all, {
    List: { type: 'object', required: ['next'], properties: { next: next('List') }, additionalProperties: false },
    ListOutput: { type: 'object', required: ['next'], properties: { next: next('ListOutput') } }
  })
})

t.test('recursive schemas without a name of their own are named after their capability, whatever was made before', async t => {
  const tree = () => Type.Recursive(This => Type.Object({ of: Type.Array(This) }))
  const names = () => {
    const one = tree()
    const { schemas, all } = build([tool('a', Type.Object({ x: tree(), y: one, z: one }), tree())])
    return [Object.keys(all), schemas[0]![1]]
  }
  const first = names()
  t.strictSame(first, [['a_input_1', 'a_input_2', 'a_output'], { $ref: '#/components/schemas/a_output' }])
  t.strictSame(names(), first)
})

t.test('a schema that points into itself is a component, and the pointer still holds', async t => {
  const { schemas, all } = build([tool('a', { type: 'object', properties: { x: { type: 'string' }, y: { $ref: '#/properties/x' }, z: { $ref: 'https://example.com/z' }, w: { $ref: '#/$defs/none' } } })])
  t.strictSame(schemas[0]![0], { $ref: '#/components/schemas/a_input' })
  t.match(all.a_input, { properties: { y: { $ref: '#/components/schemas/a_input/properties/x' }, z: { $ref: 'https://example.com/z' }, w: { $ref: '#/$defs/none' } } })
})

t.test('what a route refers to is a component too, under another name where a capability means something else by it', async t => {
  const { components } = build([tool('a', Type.Object({ at: place() }))])
  const shared = (more: object) => ({ Place: { $id: 'Place', ...open, ...more } })
  const refOf = (more: object) => components.schemaOf(sourceOfRoute({ type: 'array', items: { $ref: 'Place#' } }, shared(more), 'get_x')).items
  t.strictSame(refOf({ additionalProperties: false }), { $ref: '#/components/schemas/Place' }, 'the same')
  t.strictSame(refOf({}), { $ref: '#/components/schemas/PlaceOutput' }, 'not closed')
  t.strictSame(refOf({ title: 'Another' }), { $ref: '#/components/schemas/PlaceOutput_2' })
  t.strictSame(refOf({ title: 'A third' }), { $ref: '#/components/schemas/PlaceOutput_3' })
  t.strictSame(refOf({ title: 'Another' }), { $ref: '#/components/schemas/PlaceOutput_2' }, 'seen before')
  t.strictSame(components.all(), { Place: closed, PlaceOutput: open, PlaceOutput_2: { ...open, title: 'Another' }, PlaceOutput_3: { ...open, title: 'A third' } })
})
