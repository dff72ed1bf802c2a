import t from 'tap'
import { Type } from '@sinclair/typebox'
import { createSensitiveSearch } from '../../../src/schema/sensitive-values.js'

const secret = { 'x-candor-sensitive': true }
const find = (schema: object, input: unknown): string[] => createSensitiveSearch(schema)!(input).map(({ name, value }) => `${name}=${String(value)}`)

t.test('a schema without sensitive fields needs no search', async t => {
  t.equal(createSensitiveSearch(Type.Object({ password: Type.String() })), undefined)
  t.equal(createSensitiveSearch({ $defs: { unused: secret } }), undefined)
  t.equal(createSensitiveSearch(Type.Recursive(self => Type.Object({ next: Type.Optional(self) }))), undefined)
})

t.test('values are found at their paths, and all that lies in them', async t => {
  const schema = Type.Object({
    city: Type.String(),
    pin: Type.String(secret),
    days: Type.Array(Type.Object({ note: Type.String(secret), n: Type.Number() })),
    card: Type.Object({ number: Type.String(), valid: Type.Array(Type.Number()) }, secret),
    either: Type.Union([Type.Null(), Type.Array(Type.String(secret))]),
    pair: Type.Tuple([Type.String(), Type.String(secret)]),
    map: Type.Record(Type.String(), Type.Boolean(secret))
  })
  t.strictSame(find(schema, { city: 'Bern', pin: '1234', days: [{ note: 'a', n: 1 }, { note: 'b', n: 2 }], card: { number: '4111', valid: [12, 30], none: null }, either: ['c'], pair: ['d', 'e'], map: { yes: true } }), [
    'pin=1234', 'note=a', 'note=b', 'number=4111', 'valid=12', 'valid=30', 'either=c', 'pair=e', 'yes=true'
  ])
})

t.test('a wrong input is looked through too', async t => {
  const schema = Type.Object({ pin: Type.String(secret), card: Type.Object({ number: Type.String(secret) }), when: Type.String() })
  t.strictSame(find(schema, { pin: 12345, when: { deep: 1 }, card: '{"number":"4111"}' }), ['pin=12345', 'card={"number":"4111"}'])
  t.strictSame(find(schema, { pin: { a: ['x'] } }), ['a=x'])
  for (const input of [null, [], {}, [1]]) t.strictSame(find(schema, input), [])
  t.strictSame(find(schema, 'as text'), ['=as text'])
})

t.test('recursive schemas and inputs without end have one', async t => {
  const tree = Type.Recursive(self => Type.Object({ secret: Type.Optional(Type.String(secret)), next: Type.Optional(self) }))
  t.strictSame(find(tree, { secret: 'a', next: { secret: 'b', next: {} } }), ['secret=a', 'secret=b'])
  const cycle: Record<string, unknown> = {}
  cycle.next = cycle
  t.strictSame(find(tree, cycle), [])
  t.equal(find({ type: 'array', items: secret }, Array.from({ length: 5_000 }, (_, index) => index)).length, 1_000)
  t.strictSame(find(Type.Object({ a: Type.Array(Type.Number()), z: Type.String(secret) }), { a: Array.from({ length: 30_000 }, () => 1), z: 'x' }), [])
  let all: object = Type.Array(Type.String(secret))
  for (let depth = 0; depth < 12; depth++) all = { allOf: [all] }
  t.strictSame(find(all, ['a']), [])
})
