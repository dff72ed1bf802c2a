// Every way a provider fails, and that the tool says so: in CI, the weather tool against the drill.
import t from 'tap'
import { drill, fakeUpstreams } from 'candor/testing'
import { weatherService } from '../../example-tools/weather/tool.js'

const place = { name: 'London', admin1: 'England', country: 'United Kingdom', country_code: 'GB', latitude: 51.5, longitude: -0.1, population: 8_900_000 }
const now = {
  timezone: 'Europe/London',
  current_units: { temperature_2m: '°C', precipitation: 'mm', wind_speed_10m: 'km/h' },
  current: { time: '2026-11-27T14:15', temperature_2m: 8.1, apparent_temperature: 5, relative_humidity_2m: 80, precipitation: 0, weather_code: 3, wind_speed_10m: 12 }
}
const days = {
  timezone: 'Europe/London',
  daily_units: { temperature_2m_max: '°C', precipitation_sum: 'mm' },
  daily: { time: ['2026-11-27'], temperature_2m_max: [9], temperature_2m_min: [4], precipitation_sum: [0], weather_code: [3] }
}

for (const [capability, input] of [['current_weather', { location: 'London' }], ['forecast', { location: 'London', days: 1 }]] as const) {
  t.test(`${capability} tells the truth about every failure of its providers`, async t => {
    const app = await weatherService()
    app.log.level = 'silent'
    t.teardown(() => app.close())
    const fake = fakeUpstreams(app, {
      geocoding: { 'GET /v1/search': { json: { results: [place] } } },
      forecast: { 'GET /v1/forecast': ({ query }) => ({ json: query.daily === undefined ? now : days }) }
    })
    const report = await drill(app, { capability, input, timeoutMs: 200 })
    t.ok(report.passed, String(report))
    fake.restore()
    t.ok(fake.requests.length > 50, 'the one that is well was asked while the other was broken')
  })
}
