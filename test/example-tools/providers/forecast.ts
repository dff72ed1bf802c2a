import t from 'tap'
import { createProviders } from '../../../example-tools/providers/server.js'

const app = createProviders({ now: () => new Date('2026-11-27T12:08:30Z') })
t.teardown(() => app.close())
const get = async (query: Record<string, string | string[]>) => app.inject({ url: '/v1/forecast', query })
const nuuk = { latitude: '64.18347', longitude: '-51.72157' }
const berlin = { latitude: '52.52437', longitude: '13.41053' }

t.test('the current weather comes with its units, its time and its interval', async t => {
  const response = await get({ ...nuuk, current: 'temperature_2m,relative_humidity_2m,weather_code,wind_speed_10m', timezone: 'auto' })
  t.equal(response.statusCode, 200)
  t.match(response.json(), {
    latitude: 64.1875,
    longitude: -51.75,
    generationtime_ms: Number,
    utc_offset_seconds: -7200,
    timezone: 'America/Nuuk',
    timezone_abbreviation: 'GMT-2',
    elevation: 5,
    current_units: { time: 'iso8601', interval: 'seconds', temperature_2m: '°C', relative_humidity_2m: '%', weather_code: 'wmo code', wind_speed_10m: 'km/h' },
    current: { time: '2026-11-27T10:00', interval: 900, temperature_2m: 0, relative_humidity_2m: Number, weather_code: Number, wind_speed_10m: Number }
  })
})

t.test('0 °C is 32 °F', async t => {
  const body = (await get({ ...nuuk, current: ['temperature_2m', 'wind_speed_10m'], temperature_unit: 'fahrenheit', wind_speed_unit: 'mph', precipitation_unit: 'inch' })).json()
  t.equal(body.current.temperature_2m, 32)
  t.same(body.current_units, { time: 'iso8601', interval: 'seconds', temperature_2m: '°F', wind_speed_10m: 'mp/h' })
})

t.test('a daily forecast has a row a day, today first, seven unless said', async t => {
  const daily = 'weather_code,temperature_2m_max,temperature_2m_min,sunrise,sunset,precipitation_sum'
  const body = (await get({ ...berlin, daily, timezone: 'Europe/Berlin' })).json()
  t.equal(body.daily.time.length, 7)
  t.equal(body.daily.time[0], '2026-11-27')
  t.match(body.daily.sunrise[0], /^2026-11-27T0[78]:\d\d$/)
  t.match(body.daily.sunset[0], /^2026-11-27T1[56]:\d\d$/)
  for (const [day, high] of body.daily.temperature_2m_max.entries()) t.ok(high > body.daily.temperature_2m_min[day])
  t.same(Object.keys(body.daily_units), Object.keys(body.daily))
  t.equal((await get({ ...berlin, daily, forecast_days: '16' })).json().daily.time.length, 16)
  t.same((await get({ ...berlin, daily: 'sunrise', forecast_days: '0' })).json().daily, { time: [], sunrise: [] })
})

t.test('an hourly forecast begins at midnight, local', async t => {
  const body = (await get({ ...berlin, hourly: 'temperature_2m', timezone: 'Europe/Berlin', forecast_days: '2' })).json()
  t.equal(body.hourly.time.length, 48)
  t.equal(body.hourly.time[0], '2026-11-27T00:00')
  t.equal(body.hourly.temperature_2m.length, 48)
  t.same(body.hourly_units, { time: 'iso8601', temperature_2m: '°C' })
})

t.test('without a variable there is only the frame, in GMT', async t => {
  const body = (await get({ latitude: '-50', longitude: '-30' })).json()
  t.same(Object.keys(body), ['latitude', 'longitude', 'generationtime_ms', 'utc_offset_seconds', 'timezone', 'timezone_abbreviation', 'elevation'])
  t.equal(body.timezone, 'GMT')
  t.equal(body.elevation, 0)
})

t.test('without coordinates the answer is 200 and empty, as the real one', async t => {
  const response = await get({ current: 'temperature_2m' })
  t.equal(response.statusCode, 200)
  t.equal(response.body, '')
})

t.test('a request that makes no sense is 400 with error and reason', async t => {
  for (const [query, reason] of [
    [{ latitude: '1' }, "Parameter 'latitude' and 'longitude' must have the same number of elements"],
    [{ longitude: '1' }, "Parameter 'latitude' and 'longitude' must have the same number of elements"],
    [{ latitude: 'north', longitude: '1' }, "Data corrupted at path ''. Cannot initialize Float from invalid String value north."],
    [{ latitude: '', longitude: '1' }, "Data corrupted at path ''. Cannot initialize Float from invalid String value ."],
    [{ latitude: '999', longitude: '1' }, 'Latitude must be in range of -90 to 90°. Given: 999.0.'],
    [{ latitude: '1', longitude: '-522.52' }, 'Longitude must be in range of -180 to 180°. Given: -522.52.'],
    [{ ...berlin, forecast_days: '17' }, 'Forecast days is invalid. Allowed range 0 to 16.'],
    [{ ...berlin, forecast_days: '-1' }, 'Forecast days is invalid. Allowed range 0 to 16.'],
    [{ ...berlin, forecast_days: 'all' }, "Value was not of type 'Int' at path 'forecast_days'."],
    [{ ...berlin, timezone: 'Mars/Olympus' }, 'Invalid timezone'],
    [{ ...berlin, temperature_unit: 'kelvin' }, "Data corrupted at path ''. Cannot initialize TemperatureUnit from invalid String value kelvin."],
    [{ ...berlin, daily: 'sunrise,moonrise' }, "Data corrupted at path ''. Cannot initialize ForecastVariableDaily from invalid String value sunrise,moonrise."]
  ] as [Record<string, string>, string][]) {
    const response = await get(query)
    t.equal(response.statusCode, 400, reason)
    t.same(response.json(), { error: true, reason })
  }
  t.match((await get({ ...berlin, current: 'temperature' })).json(), { error: true, reason: /^Data corrupted at path ''\. Cannot initialize Surface.* temperature\.$/ })
})
