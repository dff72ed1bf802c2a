import t from 'tap'
import { nearestPlace, places, zeroDegreesPlace } from '../../../example-tools/providers/places.js'

t.test('there are at least 60 places in at least 30 countries, every one complete', async t => {
  t.ok(places.length >= 60, `${places.length} places`)
  const countries = new Set(places.map(place => place.country))
  t.ok(countries.size >= 30, `${countries.size} countries`)
  t.notOk(countries.has(undefined as unknown as string), 'every country code has its name')
  t.equal(new Set(places.map(place => place.id)).size, places.length, 'an id belongs to one place')
  // Throws for a zone that there is not.
  const zoneOf = (timezone: string) => new Intl.DateTimeFormat('en', { timeZone: timezone })
  t.same(places.filter(place => Math.abs(place.latitude) > 90 || Math.abs(place.longitude) > 180 || place.population <= 0 || !zoneOf(place.timezone)), [])
})

t.test('several places share a name', async t => {
  const count = (name: string) => places.filter(place => place.name === name).length
  t.equal(count('London'), 4)
  t.equal(count('Paris'), 3)
  t.equal(count('Springfield'), 4)
  t.equal(count(zeroDegreesPlace), 1, 'the place at 0 °C is not ambiguous')
})

t.test('a coordinate has a nearest place, also across the date line', async t => {
  t.equal(nearestPlace(48.85, 2.35).place.country, 'France')
  t.equal(nearestPlace(-41.3, -179).place.name, 'Wellington')
})
