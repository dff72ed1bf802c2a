import t from 'tap'
import type { Test } from 'tap'
import { createProviders } from '../../../example-tools/providers/server.js'
import { zeroDegreesPlace } from '../../../example-tools/providers/places.js'
import { weatherService } from '../../../example-tools/weather/tool.js'
import type { WeatherSettings } from '../../../example-tools/weather/tool.js'

const now = () => new Date('2026-11-27T14:20:00Z')

// The weather tool in front of the simulated providers, over real sockets.
async function build (t: Test, settings: WeatherSettings = {}) {
  const providers = createProviders({ now })
  const requests: URL[] = []
  // Before any hook: a fault answers in one.
  providers.server.prependListener('request', ({ url }) => { requests.push(new URL(url ?? '', 'http://providers')) })
  const origin = await providers.listen({ port: 0, host: '127.0.0.1' })
  const service = await weatherService({ geocodingUrl: origin, forecastUrl: origin, ...settings })
  // What fails on purpose would fill the report.
  service.log.level = 'silent'
  t.teardown(async () => {
    await service.close()
    await providers.close()
  })
  return {
    requests,
    paths: () => requests.map(({ pathname }) => pathname),
    fail: async (fault: object) => providers.inject({ method: 'POST', url: '/faults', payload: fault }).then(({ statusCode }) => {
      if (statusCode !== 201) throw new Error('The fault was not accepted.')
      requests.length = 0
    }),
    call: async (name: string, payload: object) => {
      const response = await service.inject({ method: 'POST', url: `/api/capabilities/${name}`, payload })
      return { status: response.statusCode, headers: response.headers, body: response.json() }
    },
    service
  }
}

t.test('the weather in London is that of the London with the most people, and says so', async t => {
  const { call, paths } = await build(t)
  const { status, body } = await call('current_weather', { location: 'London' })
  t.equal(status, 200)
  t.match(body, {
    success: true,
    data: {
      location: 'London, England, United Kingdom',
      latitude: 51.50853,
      timezone: 'Europe/London',
      time: '2026-11-27T14:15',
      source: 'Open-Meteo',
      units: { temperature: '°C', precipitation: 'mm', wind_speed: 'km/h' }
    },
    meta: { sources: ['geocoding', 'forecast'] }
  })
  t.type(body.data.temperature, 'number')
  t.same(paths(), ['/v1/search', '/v1/forecast'], 'one request to each provider')
  t.equal(body.meta.simulated, undefined, 'a simulation nobody configured is not believed')
})

t.test('every word of the answer is declared', async t => {
  const { call } = await build(t)
  const { body } = await call('current_weather', { location: 'London' })
  t.same(Object.keys(body.data).sort(), [
    'apparent_temperature', 'condition', 'latitude', 'location', 'longitude', 'precipitation', 'relative_humidity', 'source',
    'temperature', 'time', 'timezone', 'units', 'wind_speed'
  ])
})

t.test('simulated providers show as simulated', async t => {
  const { call } = await build(t, { simulated: true })
  const { body } = await call('current_weather', { location: 'London' })
  t.equal(body.meta.simulated, true)
})

t.test('region and country narrow the search', async t => {
  const { call } = await build(t)
  for (const [location, found] of [
    ['London, UK', 'London, England, United Kingdom'],
    ['London, GB', 'London, England, United Kingdom'],
    ['London, canada', 'London, Ontario, Canada'],
    ['Paris', 'Paris, Île-de-France, France'],
    ['Paris, Texas', 'Paris, Texas, United States'],
    ['Paris, Ile-de-France', 'Paris, Île-de-France, France'],
    ['Springfield', 'Springfield, Missouri, United States'],
    ['Springfield, Illinois, United States', 'Springfield, Illinois, United States'],
    ['Springfield, USA', 'Springfield, Missouri, United States'],
    ['Flower Mound, Texas, US', 'Flower Mound, Texas, United States'],
    ['sao paulo', 'São Paulo, Brazil'],
    ['London,', 'London, England, United Kingdom'],
    [' London , , U.K. ', 'London, England, United Kingdom']
  ] as const) {
    const { body } = await call('current_weather', { location })
    t.equal(body.data?.location, found, location)
  }
})

t.test('a place that nothing matches can be corrected: hint, candidates, and the words that were sent', async t => {
  const { call, paths } = await build(t)
  const { status, body } = await call('current_weather', { location: 'Flower Mound, TX' })
  t.equal(status, 404)
  t.match(body, {
    success: false,
    error: {
      code: 'LOCATION_NOT_FOUND',
      message: "No place matches 'Flower Mound, TX'.",
      category: 'NOT_FOUND',
      retryable: true,
      details: {
        original_location: 'Flower Mound, TX',
        hint: "Use 'City, Region, Country'.",
        candidates: 'Flower Mound, Texas, United States',
        next_action: 'fix_input'
      }
    }
  })
  t.same(paths(), ['/v1/search'], 'no weather is asked for')
  const corrected = await call('current_weather', { location: body.error.details.candidates })
  t.equal(corrected.body.data.location, 'Flower Mound, Texas, United States', 'the candidate is found')
})

t.test('of many namesakes three candidates are named', async t => {
  const { call } = await build(t)
  const { body } = await call('forecast', { location: 'Springfield, Ruritania' })
  t.equal(body.error.details.candidates, 'Springfield, Missouri, United States; Springfield, Massachusetts, United States; Springfield, Illinois, United States')
})

t.test('a place nobody has heard of has no candidates', async t => {
  const { call } = await build(t)
  const { status, body } = await call('current_weather', { location: 'Xyzzyville' })
  t.equal(status, 404)
  t.equal(body.error.code, 'LOCATION_NOT_FOUND')
  t.notOk('candidates' in body.error.details)
})

t.test('every part must match, not just one of them', async t => {
  const { call } = await build(t)
  const { body } = await call('current_weather', { location: 'Paris, Texas, France' })
  t.equal(body.error.code, 'LOCATION_NOT_FOUND')
})

t.test('a namesake is found although it is not among the ten most likely', async t => {
  const { call, fail, requests } = await build(t)
  const far = { name: 'Springfield', latitude: 1, longitude: 2, admin1: 'Elsewhere', country: 'Farland', country_code: 'FL' }
  const results = [...Array.from({ length: 60 }, (_, index) => ({ ...far, admin1: `Region ${index}` })), far]
  await fail({ path: '/v1/search', status: 200, mode: 'status', body: { results } })
  const { body } = await call('current_weather', { location: 'Springfield, Elsewhere' })
  t.equal(body.data.location, 'Springfield, Elsewhere, Farland')
  t.equal(requests[0]?.searchParams.get('count'), '100')
})

t.test('a location without a place is told what is missing, and nobody is asked', async t => {
  const { call, paths } = await build(t)
  for (const location of [', UK', ',,,', '   ']) {
    const { status, body } = await call('current_weather', { location })
    t.equal(status, 400, location)
    t.match(body.error, { code: 'INVALID_INPUT', category: 'INPUT_ERROR', retryable: true, details: { field: 'location' } })
  }
  t.same(paths(), [])
})

t.test('a location over 200 characters is refused', async t => {
  const { call, paths } = await build(t)
  const { body } = await call('current_weather', { location: 'x'.repeat(201) })
  t.match(body.error, { code: 'INVALID_INPUT', retryable: true, details: { field: 'location' } })
  t.same(paths(), [])
})

t.test('days over 16, and a misspelt unit, are refused', async t => {
  const { call, paths } = await build(t)
  t.match((await call('forecast', { location: 'Oslo', days: 17 })).body.error, { code: 'INVALID_INPUT', details: { field: 'days' } })
  t.match((await call('forecast', { location: 'Oslo', days: 0 })).body.error, { code: 'INVALID_INPUT', details: { field: 'days' } })
  t.match((await call('forecast', { location: 'Oslo', days: 1.5 })).body.error, { code: 'INVALID_INPUT', details: { field: 'days' } })
  t.match((await call('forecast', { location: 'Oslo', units: 'metrics' })).body.error, { code: 'INVALID_INPUT', details: { field: 'units', did_you_mean: 'metric' } })
  t.match((await call('forecast', { location: 'Oslo', unit: 'metric' })).body.error, { code: 'INVALID_INPUT' })
  t.same(paths(), [])
})

t.test('0 degrees is a temperature', async t => {
  const { call } = await build(t)
  const { body } = await call('current_weather', { location: zeroDegreesPlace })
  t.equal(body.data.temperature, 0)
  const { body: daily } = await call('forecast', { location: zeroDegreesPlace, days: 1 })
  t.match(daily.data.days, [{ temperature_max: 0, temperature_min: 0 }])
})

t.test('a coordinate of 0 is a coordinate', async t => {
  const { call, fail, requests } = await build(t)
  await fail({ path: '/v1/search', status: 200, mode: 'status', body: { results: [{ name: 'Null Island', latitude: 0, longitude: 0 }] } })
  const { body } = await call('current_weather', { location: 'Null Island' })
  t.match(body.data, { location: 'Null Island', latitude: 0, longitude: 0 })
  t.equal(requests[1]?.searchParams.get('latitude'), '0')
})

t.test('a coordinate that is missing is a failure, not 0', async t => {
  const { call, fail, paths } = await build(t)
  for (const place of [{ name: 'Oslo', latitude: 59.9 }, { name: 'Oslo', latitude: null, longitude: 10.7 }, { name: 'Oslo', latitude: '59.9', longitude: 10.7 }]) {
    await fail({ path: '/v1/search', status: 200, mode: 'status', body: { results: [place] } })
    const { status, body } = await call('current_weather', { location: 'Oslo' })
    t.equal(status, 502)
    t.match(body.error, { code: 'UPSTREAM_INVALID_RESPONSE', category: 'SERVICE_ERROR', retryable: true, details: { upstream: 'geocoding' } })
    t.same(paths(), ['/v1/search'])
  }
})

t.test('a temperature that is missing is a failure, not 0', async t => {
  const { call, fail } = await build(t)
  for (const temperature of [undefined, null]) {
    const current = { time: '2026-11-27T14:15', temperature_2m: temperature, apparent_temperature: 1, relative_humidity_2m: 1, precipitation: 0, weather_code: 0, wind_speed_10m: 1 }
    const units = { temperature_2m: '°C', precipitation: 'mm', wind_speed_10m: 'km/h' }
    await fail({ path: '/v1/forecast', status: 200, mode: 'status', body: { timezone: 'GMT', current, current_units: units } })
    const { body } = await call('current_weather', { location: 'Oslo' })
    t.match(body.error, { code: 'UPSTREAM_INVALID_RESPONSE', details: { upstream: 'forecast' } })
  }
})

t.test('the forecast has as many days as were asked for, 7 unless said', async t => {
  const { call, requests } = await build(t)
  for (const [input, count] of [[{}, 7], [{ days: 1 }, 1], [{ days: 16 }, 16]] as const) {
    const { body } = await call('forecast', { location: 'Oslo', ...input })
    t.equal(body.data.days.length, count)
    t.same(Object.keys(body.data.days[0]).sort(), ['condition', 'date', 'precipitation', 'temperature_max', 'temperature_min'])
    t.equal(body.data.days[0].date, '2026-11-27')
  }
  t.equal(requests.at(-1)?.searchParams.get('forecast_days'), '16')
})

t.test('imperial units are asked for, and the answer names them', async t => {
  const { call, requests } = await build(t)
  const metric = await call('forecast', { location: 'Madrid', days: 1, units: 'metric' })
  const imperial = await call('forecast', { location: 'Madrid', days: 1, units: 'imperial' })
  t.same(metric.body.data.units, { temperature: '°C', precipitation: 'mm' })
  t.same(imperial.body.data.units, { temperature: '°F', precipitation: 'inch' })
  t.ok(Math.abs(metric.body.data.days[0].temperature_max * 1.8 + 32 - imperial.body.data.days[0].temperature_max) < 0.1)
  const { body } = await call('current_weather', { location: 'Madrid', units: 'imperial' })
  t.match(body.data.units, { temperature: '°F', precipitation: 'inch' })
  t.match(Object.fromEntries(requests.at(-1)!.searchParams), { temperature_unit: 'fahrenheit', wind_speed_unit: 'mph', precipitation_unit: 'inch' })
})

t.test('a day without data is null, never 0', async t => {
  const { call, fail } = await build(t)
  await fail({
    path: '/v1/forecast',
    status: 200,
    mode: 'status',
    body: {
      timezone: 'GMT',
      daily_units: { temperature_2m_max: '°C', precipitation_sum: 'mm' },
      daily: { time: ['2026-11-27'], temperature_2m_max: [null], temperature_2m_min: [0], precipitation_sum: [null], weather_code: [null] }
    }
  })
  const { body } = await call('forecast', { location: 'Oslo', days: 1 })
  t.same(body.data.days, [{ date: '2026-11-27', temperature_max: null, temperature_min: 0, precipitation: null, condition: null }])
})

t.test('lists of unequal length are not patched into a forecast', async t => {
  const { call, fail } = await build(t)
  const daily = { time: ['2026-11-27', '2026-11-28'], temperature_2m_max: [3, 4], temperature_2m_min: [1], precipitation_sum: [0, 0], weather_code: [0, 0] }
  const body = { timezone: 'GMT', daily_units: { temperature_2m_max: '°C', precipitation_sum: 'mm' }, daily }
  await fail({ path: '/v1/forecast', status: 200, mode: 'status', body })
  t.match((await call('forecast', { location: 'Oslo', days: 2 })).body.error, { code: 'UPSTREAM_INVALID_RESPONSE' })
  await fail({ path: '/v1/forecast', status: 200, mode: 'status', body: { ...body, daily: { ...daily, temperature_2m_min: [1, 2] } } })
  t.match((await call('forecast', { location: 'Oslo', days: 3 })).body.error, { code: 'UPSTREAM_INVALID_RESPONSE' }, 'nor is a forecast that is too short')
})

t.test('nothing in a location becomes a parameter or a path', async t => {
  const { call, requests } = await build(t)
  for (const location of ['London&count=1&language=de', '../v1/forecast?latitude=1', 'London#x', 'Lon\r\ndon: x', 'London%26count%3D1', '🌧️ London']) {
    requests.length = 0
    await call('current_weather', { location })
    t.equal(requests.length, 1, location)
    t.equal(requests[0]?.pathname, '/v1/search')
    t.same(Object.fromEntries(requests[0]!.searchParams), { name: location, count: '100', language: 'en', format: 'json' })
  }
})

t.test('a 429 of a provider keeps its Retry-After', async t => {
  const { call, fail, paths } = await build(t)
  await fail({ path: '/v1/forecast', status: 429, headers: { 'retry-after': '17' } })
  const { status, headers, body } = await call('current_weather', { location: 'Oslo' })
  t.equal(status, 429)
  t.equal(headers['retry-after'], '17')
  t.match(body.error, { code: 'UPSTREAM_RATE_LIMITED', category: 'RATE_LIMIT', retryable: true, details: { retry_after: '17s', upstream: 'forecast' } })
  t.same(paths(), ['/v1/search', '/v1/forecast'], 'the tool does not try again by itself')
})

t.test('what a failing provider sends is never an answer', async t => {
  const { call, fail, paths } = await build(t, { upstreamTimeoutMs: 300 })
  for (const [fault, expected] of [
    [{ mode: 'status', status: 503 }, { status: 502, code: 'UPSTREAM_UNAVAILABLE' }],
    [{ mode: 'hang' }, { status: 504, code: 'UPSTREAM_TIMEOUT' }],
    [{ mode: 'html' }, { status: 502, code: 'UPSTREAM_INVALID_RESPONSE' }],
    [{ mode: 'broken-json' }, { status: 502, code: 'UPSTREAM_INVALID_RESPONSE' }],
    [{ mode: 'cut' }, { status: 502, code: 'UPSTREAM_INVALID_RESPONSE' }],
    [{ mode: 'reset-after' }, { status: 502, code: 'UPSTREAM_CONNECTION_LOST' }]
  ] as const) {
    for (const [path, upstream] of [['/v1/search', 'geocoding'], ['/v1/forecast', 'forecast']] as const) {
      await fail({ path, ...fault })
      const { status, body } = await call('current_weather', { location: 'Oslo' })
      t.equal(status, expected.status, `${fault.mode} ${path}`)
      t.match(body.error, { code: expected.code, category: 'SERVICE_ERROR', retryable: true, details: { upstream } }, `${fault.mode} ${path}`)
      t.equal(paths().filter(hit => hit === path).length, 1, 'one request')
    }
  }
})

t.test('discovery says that a place not found may be corrected', async t => {
  const { service } = await build(t)
  const capabilities = (await service.inject('/api/capabilities')).json()
  t.same(capabilities.map(({ name }: { name: string }) => name), ['current_weather', 'forecast'])
  t.ok(capabilities[0].errors.some((error: { code: string, retryable: boolean }) => error.code === 'LOCATION_NOT_FOUND' && error.retryable))
})
