import { Type } from '@sinclair/typebox'
import t from 'tap'
import { hoist, pointedTo, resolve, standalone } from '../../../src/schema/hoist.js'
import { checkOnly } from '../../../src/schema/compile.js'

const place = Type.Object({ lat: Type.Number() }, { $id: 'Place' })
const lat = { type: 'object', required: ['lat'], properties: { lat: { type: 'number' } } }

t.test('a named schema that is used twice stands once', async t => {
  const schema = Type.Object({ from: place, to: place })
  t.strictSame(hoist(schema), {
    type: 'object', required: ['from', 'to'], properties: { from: { $ref: '#/$defs/Place' }, to: { $ref: '#/$defs/Place' } }, $defs: { Place: lat }
  })
  t.equal(hoist(schema), hoist(schema), 'and is worked out once')
})

t.test('a recursive schema works, named or not, at the root or below', async t => {
  for (const options of [{}, { $id: 'Node' }]) {
    const node = Type.Recursive(This => Type.Object({ children: Type.Array(This) }), options)
    const good = { children: [{ children: [] }] }
    t.equal(checkOnly(hoist(node))(good), undefined)
    t.ok(checkOnly(hoist(node))({ children: [{}] }))
    t.equal(checkOnly(hoist(Type.Object({ node })))({ node: good }), undefined)
    t.ok(checkOnly(hoist(Type.Object({ node })))({ node: { children: [{}] } }))
  }
})

t.test('a module works, at the root or below, and its root says its type', async t => {
  const module = Type.Module({ A: Type.Object({ b: Type.Optional(Type.Ref('B')) }), B: Type.Object({ a: Type.Array(Type.Ref('A')) }) })
  const root = hoist(module.Import('A'))
  t.match(root, { type: 'object', properties: { b: { $ref: '#/$defs/B' } }, $defs: { A: {}, B: {} } })
  t.notOk('$ref' in root)
  for (const [schema, wrap] of [[root, (value: unknown) => value], [hoist(Type.Object({ x: module.Import('A') })), (x: unknown) => ({ x })]] as const) {
    t.equal(checkOnly(schema)(wrap({ b: { a: [{}] } })), undefined)
    t.ok(checkOnly(schema)(wrap({ b: {} })))
  }
})

t.test('references mean the nearest schema with a name', async t => {
  const list = { $id: 'https://example.com/list', type: 'object', properties: { next: { $ref: '#' }, value: { $ref: '#/$defs/value' } }, $defs: { value: { type: 'string' } } }
  const schema = hoist({ $id: 'root', type: 'object', properties: { list, value: { $ref: 'https://example.com/list#/$defs/value' }, self: { $ref: 'root#/properties/value' }, all: { $ref: 'root' } } })
  t.equal(checkOnly(schema)({ list: { next: { value: 'a' } }, value: 'b', self: 'c', all: {} }), undefined)
  for (const wrong of [{ list: { next: { value: 1 } } }, { value: 1 }, { self: 1 }, { all: { value: 1 } }]) t.ok(checkOnly(schema)(wrong))
})

t.test('plain definitions and odd names work', async t => {
  const odd = 'https://example.com/a~b c'
  const schema = hoist({ $schema: 'http://json-schema.org/draft-07/schema#', type: 'object', properties: { a: { $ref: '#/definitions/x' }, b: { $ref: '#/$defs/y' }, c: { $id: odd, type: 'null' }, d: { $ref: odd } }, definitions: { x: { type: 'string' } }, $defs: { y: { $id: 'why', type: 'number' } } })
  t.notOk('$schema' in schema)
  t.equal(checkOnly(schema)({ a: 'a', b: 1, c: null, d: null }), undefined)
  for (const wrong of [{ a: 1 }, { b: 'a' }, { c: 1 }, { d: 1 }]) t.ok(checkOnly(schema)(wrong))
})

t.test('tuples of other years are tuples', async t => {
  const pair = [{ type: 'string' }, { type: 'number' }]
  t.strictSame(hoist({ type: 'array', prefixItems: pair, items: false }), { type: 'array', items: pair, additionalItems: false })
  t.strictSame(hoist({ type: 'array', prefixItems: pair }), { type: 'array', items: pair })
})

t.test('the default of a named schema stands where it is filled in', async t => {
  const units = Type.String({ $id: 'Units', default: 'metric' })
  const { properties } = hoist(Type.Object({ a: units, b: Type.Ref('Units') }))
  t.strictSame(properties, { a: { $ref: '#/$defs/Units', default: 'metric' }, b: { $ref: '#/$defs/Units', default: 'metric' } })
})

t.test('a reference that is lost stays as it is', async t => {
  for (const $ref of ['Nowhere', '#/$defs/Nowhere', '#anchor', 'https://example.com#/x']) {
    const schema = { type: 'object', properties: { a: { $ref } }, $defs: { b: {} } }
    t.strictSame(hoist(schema), schema)
    t.strictSame(resolve({ $ref, title: 'A' }, schema), { title: 'A' })
  }
  t.strictSame(hoist({ $ref: '#/$defs/x', $defs: { y: {} } }), { $ref: '#/$defs/x', $defs: { y: {} } })
})

t.test('a reference is resolved to one and the same schema, with what stands beside it', async t => {
  const root = { $defs: { a: { $ref: '#/$defs/b' }, b: { type: 'string', description: 'B' }, 'c/d': { type: 'null' }, ring: { $ref: '#/$defs/ring' }, e: { allOf: [{ title: 'E' }] } } }
  const node = { $ref: '#/$defs/a' }
  t.equal(resolve({ $ref: '#/$defs/b' }, root), root.$defs.b)
  t.equal(resolve(node, root), resolve(node, root))
  t.equal(resolve(root, root), root)
  t.equal(resolve(node, root), root.$defs.b)
  t.strictSame(resolve({ $ref: '#/$defs/a', description: 'nearer', 'x-a': 1 }, root), { type: 'string', description: 'nearer', 'x-a': 1 })
  t.strictSame(resolve({ $ref: '#/$defs/a', maxLength: 3 }, root), { maxLength: 3, allOf: [root.$defs.b] })
  t.strictSame(resolve({ $ref: '#/$defs/a', allOf: [{}] }, root), { allOf: [{}, root.$defs.b] })
  t.equal(resolve({ $ref: '#/$defs/c~1d' }, root), root.$defs['c/d'])
  t.match(resolve({ $ref: '#/$defs/ring' }, root), { $ref: '#/$defs/ring' })
})

t.test('only what is there is pointed to', async t => {
  t.equal(pointedTo('#', t), t as never)
  for (const ref of ['#/a/b/c', '#/constructor', '#/%zz', '#/text', '#/text/x', 'x']) t.equal(pointedTo(ref, { text: 'x' }), undefined)
})

t.test('a part of a schema can stand alone', async t => {
  const leaf = { type: 'string' }
  t.equal(standalone(leaf, {}), leaf)
  const root = { type: 'object', properties: { kids: { type: 'array', items: { $ref: '#' } }, name: { $ref: '#/properties/title' }, title: { type: 'string' } }, required: ['kids'], $defs: { a: { type: 'null' } } }
  t.equal(standalone(root, root), root)
  const kids = checkOnly(standalone(root.properties.kids, root))
  t.equal(kids([{ kids: [], name: 'a' }]), undefined)
  t.ok(kids([{}]))
  t.ok(kids([{ kids: [], name: 1 }]))
  const plain = { properties: { a: { items: { $ref: '#/$defs/a' } } }, $defs: { a: { type: 'null' } } }
  t.strictSame(standalone(plain.properties.a, plain), { items: { $ref: '#/$defs/a' }, $defs: plain.$defs })
  t.strictSame(standalone({ items: leaf }, {}), { items: leaf, $defs: {} })
})

t.test('a schema without names is no copy, and a copy is made once', async t => {
  const plain = { type: 'object', properties: { a: { type: 'string' } } }
  t.equal(hoist(plain), plain)
  const named = { type: 'object', properties: { a: { $id: 'A', type: 'string' } } }
  t.equal(hoist(named), hoist(named))
  t.strictSame(hoist({ type: 'object', properties: { a: undefined }, title: 'A' }), { type: 'object', properties: {}, title: 'A' })
})
