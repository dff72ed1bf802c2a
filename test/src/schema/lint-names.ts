import { Type } from '@sinclair/typebox'
import t from 'tap'
import { clashes, hasTransform, isNumbered, namesIn } from '../../../src/schema/lint-names.js'

const place = (more = {}) => Type.Object({ lat: Type.Number() }, { $id: 'Place', ...more })

t.test('all names are found', async t => {
  t.strictSame(namesIn(Type.Object({ from: place(), list: Type.Array(place()) }, { $id: 'Root' }), 'x').map(({ id, owner }) => [id, owner]), [['Root', 'x'], ['Place', 'x'], ['Place', 'x']])
})

t.test('two shapes of one name clash, once', async t => {
  const names = [place(), place({ description: 'other' }), place({ description: 'third' })].flatMap((schema, index) => namesIn(schema, `owner ${index}`))
  t.strictSame(clashes(names).map(([first, second]) => [first.owner, second.owner]), [['owner 0', 'owner 1']])
})

t.test('the same shape under one name is one schema', async t => {
  const one = place()
  t.strictSame(clashes(namesIn(Type.Object({ a: one, b: one, c: Type.Optional(place()), d: Type.Unsafe({ $id: 'Place', properties: { lat: { type: 'number' } }, required: ['lat'], type: 'object' }) }), 'x')), [])
})

t.test('the numbers that TypeBox gives are no names', async t => {
  t.ok(isNumbered('T0') && isNumbered('T12'))
  t.notOk(isNumbered('Tax') || isNumbered('T0a'))
})

t.test('what has to be decoded is found, at any depth', async t => {
  const transform = Type.Transform(Type.String()).Decode(Number).Encode(String)
  t.ok(hasTransform(transform) && hasTransform(Type.Object({ list: Type.Array(transform) })))
  t.notOk(hasTransform(place()))
})
