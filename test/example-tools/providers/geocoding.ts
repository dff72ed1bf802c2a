import t from 'tap'
import { search } from '../../../example-tools/providers/geocoding.js'
import { createProviders } from '../../../example-tools/providers/server.js'

const app = createProviders()
t.teardown(() => app.close())
const get = async (query: Record<string, string>) => app.inject({ url: '/v1/search', query })

t.test('a place is found with all the fields of the real answer', async t => {
  const response = await get({ name: 'Flower Mound' })
  t.equal(response.statusCode, 200)
  const body = response.json()
  t.same(Object.keys(body), ['results', 'generationtime_ms'])
  t.match(body.results, [{
    id: Number,
    name: 'Flower Mound',
    latitude: 33.01457,
    longitude: -97.09696,
    elevation: 203,
    feature_code: 'PPL',
    country_code: 'US',
    admin1_id: Number,
    timezone: 'America/Chicago',
    population: 75956,
    postcodes: ['75022', '75027', '75028'],
    country_id: Number,
    country: 'United States',
    admin1: 'Texas'
  }])
  t.equal(body.results.length, 1)
})

t.test('empty fields are left out', async t => {
  t.notOk('postcodes' in (await get({ name: 'Oslo' })).json().results[0])
})

t.test('nothing found is 200 without results', async t => {
  for (const name of ['Atlantis', 'Flower Mound, TX', 'Paris, Narnia', 'P', '', 'Pa', ', Texas']) {
    const response = await get({ name })
    t.equal(response.statusCode, 200, name)
    t.same(Object.keys(response.json()), ['generationtime_ms'], name)
  }
})

t.test('a name is matched from its beginning, whatever its case and accents, the whole name first', async t => {
  t.same(search('sao PAULO').map(place => place.name), ['São Paulo'])
  t.same(search('san jose').map(place => place.country), ['United States', 'Costa Rica'])
  t.same([...new Set(search('london').map(place => place.name))], ['London', 'Londonderry'])
  t.equal(search('london')[0]?.country, 'United Kingdom', 'the largest first')
  t.same(search('ee').map(place => place.name), ['Ee'], 'two letters are the whole name')
  t.same(search('75028').map(place => place.name), ['Flower Mound'], 'a postcode is a name')
})

t.test('a country or region after a comma narrows the search', async t => {
  t.same(search('Paris, Texas').map(place => place.admin1), ['Texas'])
  t.same(search('London, England').map(place => place.name), ['London'])
  t.ok(search('London, United Kingdom').every(place => place.country === 'United Kingdom'))
  t.equal(search('Springfield,').length, 4)
  t.same(search('London, Kentucky, Narnia').map(place => place.admin1), ['Kentucky'], 'what follows a second comma is ignored')
})

t.test('abbreviations narrow it where the search knows them', async t => {
  const options = { abbreviations: true }
  t.same(search('Flower Mound, TX', undefined, options).map(place => place.admin1), ['Texas'])
  t.same(search('San Jose, CA', undefined, options).map(place => place.admin1), ['California'])
  t.same(search('Cambridge, GB', undefined, options).map(place => place.country), ['United Kingdom'])
})

t.test('countryCode and count limit the results', async t => {
  const found = (await get({ name: 'London', countryCode: 'us', count: '1' })).json().results
  t.equal(found.length, 1)
  t.equal(found[0].country_code, 'US')
})

t.test('a request that makes no sense is 400 with error and reason', async t => {
  for (const [query, reason] of [
    [{}, "No value found (expected type 'String') at path 'name'."],
    [{ name: 'Oslo', count: '0' }, 'Parameter count must be between 1 and 100.'],
    [{ name: 'Oslo', count: '101' }, 'Parameter count must be between 1 and 100.'],
    [{ name: 'Oslo', count: 'many' }, "Value was not of type 'Int' at path 'count'."],
    [{ name: 'Oslo', format: 'protobuf' }, 'This simulation answers in JSON alone, not in protobuf.']
  ] as [Record<string, string>, string][]) {
    const response = await get(query)
    t.equal(response.statusCode, 400)
    t.same(response.json(), { error: true, reason })
  }
})
