import { Type, type TSchema } from '@sinclair/typebox'
import t from 'tap'
import { findMarker } from '../../../src/policy/find-marker.js'
import { createMarkerPlan } from '../../../src/policy/marker-plan.js'
import { createTelltales } from '../../../src/policy/telltales.js'

const telltales = createTelltales([{ key: 'mock', values: [true] }, { key: 'source', values: ['mock'] }], ['lorem ipsum'])
const find = (data: unknown, schema: TSchema = Type.Unknown()) => findMarker(data, createMarkerPlan(schema, telltales)!, telltales)

t.test('the path is written as a reader of JavaScript writes it', async t => {
  t.equal(find({ days: [{}, { 'odd key': { source: 'mock' } }] }), 'days[1]["odd key"].source is "mock"')
  t.equal(find([[{ mock: true }]]), '[0][0].mock is true')
  t.equal(find('lorem ipsum'), 'The result is "lorem ipsum"')
})

t.test('a long value is cut', async t => {
  const found = find({ text: `x lorem ipsum${' dolor'.repeat(20)}` })!
  t.match(found, /^text is "lorem ipsum dolor.*…"$/)
  t.equal(found.length, 'text is ""'.length + 60)
})

t.test('what stands nearest to the top is found first, however many rows there are', async t => {
  const rows = Array.from({ length: 5000 }, () => ({ a: 1, source: 'x' }))
  t.equal(find({ rows, mock: true }), 'mock is true')
  t.equal(find({ rows, info: { mock: true } }), 'info.mock is true')
  t.equal(find({ rows: rows.map(row => ({ ...row, mock: true })) }), 'rows[0].mock is true')
})

t.test('the work is bounded', async t => {
  const texts = (marked: number) => Array.from({ length: 5000 }, (_, index) => index === marked ? 'lorem ipsum' : 'x')
  t.equal(find(texts(1900)), '[1900] is "lorem ipsum"')
  t.equal(find(texts(2100)), undefined)
  t.equal(find(Object.assign({}, texts(2100))), undefined)
  t.equal(find({ many: texts(-1), more: [['lorem ipsum']] }), undefined)
  const nested = (levels: number) => Array.from({ length: levels }).reduce<unknown>(inner => ({ inner }), { mock: true })
  t.match(find(nested(63)), /mock is true/)
  t.equal(find(nested(64)), undefined)
  const ring: Record<string, unknown> = {}
  ring.ring = ring
  t.equal(find(ring), undefined)
  t.equal(find(Array.from({ length: 3000 }, (_, index) => index < 2500 ? {} : { mock: true })), undefined, 'objects too')
})

t.test('only places that the schema allows are looked at', async t => {
  let asked = 0
  const row = Object.defineProperty({ source: 'x' }, 'n', { enumerable: true, get () { asked++; return 1 } })
  const schema = Type.Object({ rows: Type.Array(Type.Object({ n: Type.Number(), source: Type.String() })), pair: Type.Tuple([Type.Number(), Type.String()]) })
  t.equal(find({ rows: [row], pair: [1, 'lorem ipsum'] }, schema), 'pair[1] is "lorem ipsum"')
  t.equal(asked, 0)
  t.equal(find({ rows: [{ mock: true }], pair: {} }, schema), undefined)
  t.equal(find({ source: { mock: true } }, Type.Object({ source: Type.String() })), undefined, 'data that does not fit is not our concern')
})

t.test('a value that says what its JSON is, is believed', async t => {
  t.equal(find({ source: { toJSON: (key: string) => key === 'source' ? 'mock' : '' } }), 'source is "mock"')
  t.equal(find({ at: new Date(0), row: { toJSON: () => ({ mock: true }) } }), 'row.mock is true')
})

t.test('data that throws when it is looked at is passed over', async t => {
  const { proxy, revoke } = Proxy.revocable({}, {})
  revoke()
  t.equal(find(proxy), undefined)
  t.equal(find([{ get a () { throw new Error('no') } }, { mock: true }]), '[1].mock is true')
  t.equal(find({ f: () => 1, s: Symbol('x'), n: 1n, u: undefined, z: null, mock: true }), 'mock is true')
})
