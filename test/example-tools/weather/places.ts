import t from 'tap'
import { fullName, isIn, likeliestFirst, splitLocation } from '../../../example-tools/weather/places.js'

const at = { latitude: 1, longitude: 2 }
const paris = { ...at, name: 'Paris', admin1: 'Texas', country: 'United States', country_code: 'US', population: 24782 }

t.test('a location is split at its commas, and empty parts narrow nothing', async t => {
  t.same(splitLocation('Paris'), { name: 'Paris', areas: [] })
  t.same(splitLocation(' Paris ,Texas, US'), { name: 'Paris', areas: ['Texas', 'US'] })
  t.same(splitLocation('London,'), { name: 'London', areas: [] })
  t.same(splitLocation('London, . ,,UK'), { name: 'London', areas: ['UK'] })
  t.same(splitLocation(', UK'), { name: '', areas: ['UK'] })
  t.same(splitLocation(',,,'), { name: '', areas: [] })
})

t.test('an area is a region, a country, or its code', async t => {
  for (const area of ['Texas', 'TEXAS', 'United States', 'united  states', 'US', 'us', 'USA', 'U.S.A.', 'U.S.']) t.ok(isIn(paris, area), area)
  for (const area of ['TX', 'Tex', 'United', 'FR', 'UK', 'Paris', 'constructor', '?']) t.notOk(isIn(paris, area), area)
  const london = { ...at, name: 'London', admin1: 'England', country: 'United Kingdom', country_code: 'GB' }
  for (const area of ['UK', 'gb', 'u.k.', 'England']) t.ok(isIn(london, area), area)
})

t.test('accents do not matter, nor do letters without a base letter', async t => {
  const place = { ...at, name: 'x', admin1: 'Île-de-France', country: 'Türkiye' }
  t.ok(isIn(place, 'ile-de-france'))
  t.ok(isIn(place, 'Turkiye'))
  t.ok(isIn({ ...at, name: 'x', admin1: 'Łódź' }, 'lodz'))
  t.ok(isIn({ ...at, name: 'x', admin1: 'Østfold' }, 'ostfold'))
})

t.test('a region whose name has a comma is found by its parts', async t => {
  const washington = { ...at, name: 'Washington', admin1: 'Washington, D.C.', country: 'United States' }
  const { areas } = splitLocation(fullName(washington))
  t.ok(areas.every(area => isIn(washington, area)))
  t.ok(isIn(washington, 'DC'))
})

t.test('the most populous comes first; nobody counted is nobody', async t => {
  const [small, none, large] = [{ ...paris }, { ...paris, population: undefined }, { ...paris, population: 2138551 }]
  t.same(likeliestFirst([none, small, large], 'Paris'), [large, small, none])
})

t.test('a longer name comes last, however many live there', async t => {
  const bath = { ...at, name: 'Bath', population: 94092 }
  const bathinda = { ...at, name: 'Bathinda', population: 285788 }
  t.same(likeliestFirst([bathinda, bath], 'bath'), [bath, bathinda])
  t.same(likeliestFirst([bath, bathinda], 'Bat'), [bathinda, bath], 'where all are longer, people count')
})

t.test('a translated name stays where its people put it', async t => {
  const vienna = { ...at, name: 'Vienna', population: 1691468 }
  const wien = { ...at, name: 'Wien', population: 50 }
  t.same(likeliestFirst([wien, vienna], 'Wien'), [vienna, wien])
})

t.test('a full name says nothing twice and leaves out what is missing', async t => {
  t.equal(fullName(paris), 'Paris, Texas, United States')
  t.equal(fullName({ ...at, name: 'Singapore', country: 'Singapore' }), 'Singapore')
  t.equal(fullName({ ...at, name: 'São Paulo', admin1: 'Sao Paulo', country: 'Brazil' }), 'São Paulo, Brazil')
  t.equal(fullName({ ...at, name: 'Nowhere', admin1: '', country: '' }), 'Nowhere')
})
