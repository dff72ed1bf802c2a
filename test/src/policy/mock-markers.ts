import { Type, type TSchema } from '@sinclair/typebox'
import t from 'tap'
import { createMarkerSearch, defaultMarkers, defaultTexts, type MockMarker } from '../../../src/policy/mock-markers.js'

const find = (data: unknown, schema: TSchema = Type.Unknown(), more?: MockMarker[]) => createMarkerSearch(schema, more)?.(data)

t.test('a flag that says mock, fake, dummy or placeholder is a marker, in any spelling', async t => {
  const keys = ['mock', 'is_mock', 'isMock', 'is-mock', 'IS_MOCK', '_mock', 'mocked', 'fake', 'isFake', 'dummy', 'is_dummy', 'placeholder', 'is_placeholder', 'mock_data', 'fakeData', 'dummy-data', 'sample_data']
  for (const key of keys) t.match(find({ [key]: true }), / is true$/, key)
})

t.test('a source that says it is none is a marker', async t => {
  for (const key of ['source', 'provider', 'data_source', 'dataSource', 'origin']) t.equal(find({ [key]: 'mock' }), `${key} is "mock"`)
  const values = ['Mock', 'mock-data', 'mock data', 'MOCK_DATA', 'mockData', 'fake', 'dummy', 'placeholder', 'stub', 'sample-data', 'Sample data', 'mocked', 'mock provider', 'mock service', 'mock-api', 'mock source', ' mock ']
  for (const value of values) t.equal(find({ source: value }), `source is ${JSON.stringify(value)}`)
})

t.test('a text that contains lorem ipsum is a marker, wherever it stands', async t => {
  t.equal(find({ items: [{ body: 'So: Lorem Ipsum dolor' }] }), 'items[0].body is "Lorem Ipsum dolor"')
  t.equal(find('lorem\nipsum'), 'The result is "lorem\\nipsum"')
})

t.test('what only looks like a marker passes', async t => {
  const real = [
    { mock_exam: true }, { sample_size: 40 }, { placeholder: 'Your name' }, { title: 'Mockingbird Weekly' }, { source: 'Mockingbird Weekly' }, { source: 'Sample' }, { fake: false }, { origin: 'LHR' },
    { mock: 1 }, { mock: 'true' }, { sample: true }, { mock_data: [1] }, { title: 'mock' }, { source: 'a mock' }, { source: ['mock'] }, { source: true }, { text: 'lorem, ipsum' }, { mock: null }, 'mock', true, null, undefined
  ]
  for (const data of real) t.equal(find(data), undefined, JSON.stringify(data))
})

t.test('the first marker is told with its path and its value', async t => {
  const day = Type.Object({ source: Type.String(), low: Type.Number() })
  t.equal(find({ days: [{ source: 'Open-Meteo', low: 1 }, { source: 'mock', low: 1 }] }, Type.Object({ days: Type.Array(day) })), 'days[1].source is "mock"')
})

t.test('a service adds its own markers to the list', async t => {
  const more = [{ key: 'station_id', values: ['TEST-0', 0] }, { key: 'source', values: ['Lab'] }]
  const schema = Type.Object({ stationId: Type.Union([Type.String({ format: 'uuid' }), Type.Integer()]), source: Type.String() })
  t.equal(find({ stationId: 'test-0', source: 'x' }, schema, more), 'stationId is "test-0"')
  t.equal(find({ stationId: 0, source: 'x' }, schema, more), 'stationId is 0')
  t.equal(find({ stationId: 'TEST-01', source: 'LAB' }, schema, more), 'source is "LAB"')
  t.equal(find({ stationId: 1, source: 'fake' }, schema, more), 'source is "fake"', 'the list stays')
  t.equal(find({ stationId: 0, source: 'lab' }, schema, []), undefined, 'and another service has its own')
})

t.test('nothing is searched where the schema allows no marker', async t => {
  const city = Type.Object({ population: Type.Integer(), source: Type.Literal('Open-Meteo'), mock: Type.Literal(false), at: Type.String({ format: 'date-time' }) })
  t.equal(createMarkerSearch(Type.Array(city)), undefined)
  t.type(createMarkerSearch(Type.Array(Type.Object({ ...city.properties, fake: Type.Boolean() }))), 'function')
  t.equal(find({ placeholder: true, mock: true }, Type.Object({ placeholder: Type.String({ maxLength: 9 }), mock: Type.Boolean() })), 'mock is true')
})

t.test('with the JSON at hand the same is found in an object of texts and numbers', async t => {
  const schema = Type.Object({ city: Type.String(), source: Type.String(), isMock: Type.Optional(Type.Boolean()), low: Type.Number() })
  const texts = Type.Object({ city: Type.String(), low: Type.Number() })
  const open = Type.Object({ city: Type.String() }, { additionalProperties: true })
  const city = 'Oslo, Norway'
  const cases: Array<[TSchema, Record<string, unknown>, string | undefined]> = [
    [schema, { city, source: 'Open-Meteo', low: 1 }, undefined], [schema, { city, source: 'mock', low: 1 }, 'source is "mock"'], [schema, { city, source: 'x', isMock: true, low: 1 }, 'isMock is true'],
    [schema, { city: 'LOREM\n ipsum', source: 'x', low: 1 }, 'city is "LOREM\\n ipsum"'], [schema, { city: 'lorem', source: 'x', low: 1 }, undefined],
    [texts, { city, low: 1 }, undefined], [texts, { city: `${'x'.repeat(3_000)} lorem ipsum`, low: 1 }, 'city is "lorem ipsum"'], [texts, { city: `${'x'.repeat(3_995)}lorem ipsum${'y'.repeat(200)}`, low: 1 }, undefined],
    [texts, { city, low: 1, source: 'mock' }, undefined], [Type.Object({ city: Type.Literal('lorem ipsum'), low: Type.Number() }), { city: 'lorem ipsum', low: 1 }, 'city is "lorem ipsum"'], [open, { city, source: 'mock' }, 'source is "mock"'], [open, { city, more: [{ fake: true }] }, 'more[0].fake is true']
  ]
  for (const [given, data, marker] of cases) {
    const search = createMarkerSearch(given)!
    for (const json of [JSON.stringify(data), undefined]) t.match(String(search(data, json)), marker === undefined ? 'undefined' : marker, `${JSON.stringify(data).slice(0, 80)} ${json === undefined ? 'without' : 'with'} JSON`)
  }
})

t.test('the list can be read, for documentation', async t => {
  t.strictSame(defaultMarkers.find(({ key }) => key === 'is_mock'), { key: 'is_mock', values: [true] })
  t.ok(defaultMarkers.find(({ key }) => key === 'origin')!.values.includes('stub'))
  t.strictSame(defaultTexts, ['lorem ipsum'])
})
