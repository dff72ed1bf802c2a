import { Type } from '@sinclair/typebox'
import t from 'tap'
import { fieldsOf, pathsOf } from '../../../src/capability/route-parameters.js'
import { sourceOfRoute } from '../../../src/capability/schema-source.js'
import type { JsonSchema } from '../../../src/schema/infer.js'

t.test("a path of Fastify's is written as OpenAPI writes it", async t => {
  const paths: Record<string, [path: string, names: string[]]> = {
    '/': ['/', []],
    '/places': ['/places', []],
    '/places/:id': ['/places/{id}', ['id']],
    '/places/:id(^\\d+$)/at/:lat-:lon': ['/places/{id}/at/{lat}-{lon}', ['id', 'lat', 'lon']],
    '/at/:hour(^\\d{2})h:minute(^(\\d{2}))m': ['/at/{hour}h{minute}m', ['hour', 'minute']],
    '/files/:name.:ext': ['/files/{name}.{ext}', ['name', 'ext']],
    '/files/*': ['/files/{wildcard}', ['wildcard']],
    '/places::search': ['/places:search', []]
  }
  for (const [url, [path, names]] of Object.entries(paths)) t.strictSame(pathsOf(url), [{ path, names }], url)
})

t.test('a parameter that may be missing makes two paths', async t => {
  t.strictSame(pathsOf('/places/:id?'), [{ path: '/places/{id}', names: ['id'] }, { path: '/places', names: [] }])
  t.strictSame(pathsOf('/:id?'), [{ path: '/{id}', names: ['id'] }, { path: '/', names: [] }])
})

const shared = { Units: { $id: 'Units', type: 'string', enum: ['metric'] } }
const fields = (schema: JsonSchema) => fieldsOf(sourceOfRoute(schema, shared, 'get_x_query'))
const required = (schema: JsonSchema) => Object.fromEntries([...fields(schema)].map(([name, field]) => [name, field.required]))

t.test('each field of a query is a schema of its own, with what it refers to', async t => {
  const found = fields({ type: 'object', required: ['q'], properties: { q: { type: 'string' }, units: { $ref: 'Units#' }, any: true } })
  t.match([...found], [
    ['q', { required: true, source: { scope: 'get_x_query_q', published: { type: 'string' } } }],
    ['units', { required: false, source: { ids: ['Units'], published: { $ref: '#/$defs/Units', $defs: { Units: { type: 'string' } } } } }],
    ['any', { required: false, source: { published: {} } }]
  ])
})

t.test('fields are found wherever a schema speaks of them, and required only where all of it says so', async t => {
  const a = Type.Object({ a: Type.String() })
  const b = Type.Object({ b: Type.String() })
  t.strictSame(required(Type.Intersect([a, b])), { a: true, b: true })
  t.strictSame(required(Type.Union([a, b])), { a: false, b: false })
  t.strictSame(required({ allOf: [a, { anyOf: [a, b] }] }), { a: true, b: false })
  t.strictSame(required({ $ref: '#/$defs/a', $defs: { a } }), { a: true })
  t.strictSame(required({ properties: { c: {} }, anyOf: [{ $ref: '#' }, { oneOf: [b] }] }), { c: false, b: false }, 'a schema that refers to itself ends')
  t.strictSame(required({ type: 'string' }), {})
})
