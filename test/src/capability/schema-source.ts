import { Type } from '@sinclair/typebox'
import t from 'tap'
import { defineCapability } from '../../../src/capability/define.js'
import { sourceOf, sourceOfRoute } from '../../../src/capability/schema-source.js'
import type { JsonSchema } from '../../../src/schema/infer.js'

const Place = Type.Object({ lat: Type.Number() }, { $id: 'Place' })
const tool = (input: JsonSchema, output: JsonSchema) =>
  defineCapability<JsonSchema, JsonSchema>({ name: 'a', description: 'A tool.', effect: 'read', input, output, handler: async () => null })

t.test('a capability has two schemas, declared as written, published as enforced', async t => {
  const capability = tool(Type.Object({ at: Place, tree: Type.Recursive(This => Type.Array(This)) }), Place)
  const { declared, published, ...input } = sourceOf(capability, 'input')
  t.strictSame(input, { side: 'input', owner: 'the input of a', scope: 'a_input', ids: ['Place'] })
  t.equal(declared!.additionalProperties, undefined)
  t.equal(published.additionalProperties, false)
  t.match(sourceOf(capability, 'output'), { owner: 'the output of a', ids: ['Place'], rootId: 'Place', published: { required: ['lat'], additionalProperties: undefined } })
})

t.test('definitions in the word of draft-07 are definitions like others', async t => {
  const at = { type: 'object', properties: { at: { $ref: '#/definitions/At' } } }
  t.strictSame(sourceOf(tool({ ...at, definitions: { At: { type: 'string' } }, $defs: { B: { $ref: '#/definitions/At' } } }, Type.Null()), 'input').published, {
    type: 'object', properties: { at: { $ref: '#/$defs/At' } }, $defs: { At: { type: 'string' }, B: { $ref: '#/$defs/At' } }, additionalProperties: false
  })
  t.match(sourceOfRoute({ ...at, definitions: { At: { type: 'string' } } }, {}, 'x').published, { definitions: undefined, $defs: { At: {} } })
  t.match(sourceOfRoute({ ...at, definitions: { At: { type: 'string' } }, $defs: { At: { type: 'number' } } }, {}, 'x').published, { ...at, definitions: { At: { type: 'string' } }, $defs: { At: { type: 'number' } } }, 'two of one name are left alone')
})

const shared = {
  Place: { $id: 'Place', type: 'object', properties: { near: { $ref: 'Place#' }, code: { $ref: 'common#/definitions/code' } } },
  common: { $id: 'common', definitions: { code: { type: 'array', items: { $ref: '#/definitions/letter' } }, letter: { type: 'string' } } },
  'https://example.com/a.json': { $id: 'https://example.com/a.json', type: 'object', properties: { b: { $ref: 'b.json' }, self: { $ref: '#' } } },
  'https://example.com/b.json': { $id: 'https://example.com/b.json', type: 'string' },
  zod: 'no schema'
}
const publishedOf = (schema: JsonSchema) => sourceOfRoute(schema, shared, 'get_x_body')

t.test('what a route refers to comes with it, and nothing else', async t => {
  const { published, ...source } = publishedOf({ type: 'object', properties: { at: { $ref: 'Place' } } })
  t.strictSame(source, { side: 'output', owner: 'get_x_body', scope: 'get_x_body', ids: ['Place', 'common#/definitions/code', 'common#/definitions/letter'] })
  t.strictSame(Object.keys(published.$defs).sort(), ['Place', 'common#/definitions/code', 'common#/definitions/letter'])
  t.strictSame(published.properties, { at: { $ref: '#/$defs/Place' } })
  t.strictSame(publishedOf({ type: 'object' }).published, { type: 'object' })
})

t.test('a route whose whole schema is a reference has what it refers to', async t => {
  t.match(publishedOf({ $ref: 'Place#' }), { rootId: 'Place', published: { type: 'object', properties: { near: { $ref: '#' } } } })
  t.match(publishedOf({ $ref: 'common#/definitions/letter' }), { rootId: 'common#/definitions/letter', published: { type: 'string' } })
})

t.test('a reference is read from where it stands', async t => {
  const { published } = publishedOf({ type: 'array', items: { $ref: 'https://example.com/a.json' } })
  const [a, b] = ['https:~1~1example.com~1a.json', 'https:~1~1example.com~1b.json'].map(id => `#/$defs/${encodeURIComponent(id)}`)
  t.strictSame(published.$defs['https://example.com/a.json'].properties, { b: { $ref: b }, self: { $ref: a } })
})

t.test('a reference that leads nowhere stays as it is', async t => {
  for (const $ref of ['Nowhere#', 'zod', 'common#/definitions/none', '#/definitions/none', '#', '']) {
    t.strictSame(publishedOf({ type: 'object', properties: { a: { $ref } } }).published, { type: 'object', properties: { a: { $ref } } }, $ref)
    t.strictSame(publishedOf({ $ref }).published, { $ref }, $ref)
  }
  t.strictSame(publishedOf({ $id: 'mine', properties: { a: { $ref: 'c d' }, b: { $ref: '#/$defs/none' } } }).published.properties, { a: { $ref: 'c d' }, b: { $ref: '#/$defs/none' } })
})
