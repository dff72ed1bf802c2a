import t from 'tap'
import { daylightHours, round, weatherAt } from '../../../example-tools/providers/weather.js'
import { places, zeroDegreesPlace } from '../../../example-tools/providers/places.js'

const winter = new Date('2026-01-15T12:00:00Z')
const summer = new Date('2026-07-15T12:00:00Z')

t.test('the same place at the same instant always has the same weather', async t => {
  t.same(weatherAt(51.5, -0.13, winter), weatherAt(51.5, -0.13, winter))
  t.not(weatherAt(51.5, -0.13, winter).temperature, weatherAt(51.5, -0.13, summer).temperature)
})

t.test('in Nuuk it is exactly 0 °C in every season', async t => {
  const nuuk = places.find(place => place.name === zeroDegreesPlace)!
  for (const at of [winter, summer]) t.equal(weatherAt(nuuk.latitude, nuuk.longitude, at).temperature, 0)
})

t.test('the weather everywhere, all year, is weather that there is', async t => {
  const odd: unknown[] = []
  for (const { name, latitude, longitude } of places) {
    for (let day = 0; day < 365; day += 9) {
      const sample = weatherAt(latitude, longitude, new Date(Date.UTC(2026, 0, 1, day % 24) + day * 86_400_000))
      const plausible = sample.temperature > -45 && sample.temperature < 50 && sample.windSpeed >= 0 && sample.precipitation >= 0 &&
        sample.humidity >= 0 && sample.humidity <= 100 && sample.cloudCover >= 0 && sample.cloudCover <= 100 &&
        sample.windDirection >= 0 && sample.windDirection < 360 && Number.isInteger(sample.weatherCode) &&
        (sample.rain === 0 || sample.snowfall === 0)
      if (!plausible) odd.push([name, day, sample])
    }
  }
  t.same(odd, [])
})

t.test('summer is the other way round in the south', async t => {
  t.ok(weatherAt(52, 13, summer).temperature > weatherAt(52, 13, winter).temperature)
  t.ok(weatherAt(-34, 151, summer).temperature < weatherAt(-34, 151, winter).temperature)
})

t.test('days are long in summer, and endless or missing at the poles', async t => {
  t.ok(daylightHours(52, summer) > 15)
  t.ok(daylightHours(52, winter) < 9)
  t.equal(round(daylightHours(85, summer)), 24)
  t.equal(round(daylightHours(85, winter)), 0)
})

t.test('a number that rounds to nothing is 0, not minus 0', async t => {
  t.ok(Object.is(round(-0.01), 0))
})
