import { createToolService, defineCapability } from 'candor'
import type { Problem } from 'candor'
import { conditionOf } from './conditions.js'
import { currentAt, dailyAt, findPlace, maxDays } from './open-meteo.js'
import { fullName, splitLocation } from './places.js'
import { Forecast, ForecastInput, Weather, WeatherInput } from './schemas.js'

// `retryable: true` on NOT_FOUND is an opt-in, for exactly this condition. How a place is spelled is the caller's to correct: the
// same wish can be said in words that match, and hint and candidates say how. Its counterpart stands in the currency tool: an
// amount that is not positive is refused, because another amount would be another wish.
const errors = {
  LOCATION_NOT_FOUND: {
    category: 'NOT_FOUND',
    retryable: true,
    description: 'No place matches the location.',
    hint: "Use 'City, Region, Country'."
  }
} as const

// Nothing could be looked up, so "not found" would claim a search that never took place.
function checkLocation ({ location }: { location: string }): Problem[] {
  if (splitLocation(location).name !== '') return []
  return [{ field: 'location', rule: 'place', expected: "a place before the first comma, as in 'City, Region, Country'", received: 'none' }]
}

/** The weather at a place now. */
export const currentWeather = defineCapability({
  name: 'current_weather',
  description: 'Current weather at a place, from the Open-Meteo model. Required: location. Optional: units (metric or imperial, default metric).',
  effect: 'read',
  evidence: 'upstream',
  upstreams: ['geocoding', 'forecast'],
  input: WeatherInput,
  output: Weather,
  examples: [{ input: { location: 'London, United Kingdom' } }, { input: { location: 'Paris, Texas', units: 'imperial' } }],
  errors,
  timeoutMs: 10_000,
  check: checkLocation,
  async handler ({ location, units = 'metric' }, call) {
    const place = await findPlace(location, call)
    const { timezone, current, current_units: unit } = await currentAt(place, units, call)
    return {
      location: fullName(place),
      latitude: place.latitude,
      longitude: place.longitude,
      timezone,
      source: 'Open-Meteo',
      time: current.time,
      temperature: current.temperature_2m,
      apparent_temperature: current.apparent_temperature,
      relative_humidity: current.relative_humidity_2m,
      precipitation: current.precipitation,
      wind_speed: current.wind_speed_10m,
      condition: conditionOf(current.weather_code),
      units: { temperature: unit.temperature_2m, precipitation: unit.precipitation, wind_speed: unit.wind_speed_10m }
    }
  }
})

/** The weather at a place for the next days. */
export const forecast = defineCapability({
  name: 'forecast',
  description: `Daily forecast for a place, from Open-Meteo. Required: location. Optional: units (metric or imperial, default metric), days (1 to ${maxDays}, default 7).`,
  effect: 'read',
  evidence: 'upstream',
  upstreams: ['geocoding', 'forecast'],
  input: ForecastInput,
  output: Forecast,
  examples: [{ input: { location: 'Springfield, Illinois, United States', days: 3 } }],
  errors,
  timeoutMs: 10_000,
  check: checkLocation,
  async handler ({ location, units = 'metric', days = 7 }, call) {
    const place = await findPlace(location, call)
    const { timezone, daily, daily_units: unit } = await dailyAt(place, units, days, call)
    return {
      location: fullName(place),
      latitude: place.latitude,
      longitude: place.longitude,
      timezone,
      source: 'Open-Meteo',
      days: daily.time.map((date, day) => ({
        date,
        temperature_max: daily.temperature_2m_max[day] ?? null,
        temperature_min: daily.temperature_2m_min[day] ?? null,
        precipitation: daily.precipitation_sum[day] ?? null,
        condition: conditionOf(daily.weather_code[day] ?? null)
      })),
      units: { temperature: unit.temperature_2m_max, precipitation: unit.precipitation_sum }
    }
  }
})

/** Where the weather comes from, and how the service is set up. */
export interface WeatherSettings {
  /** Base URL of Open-Meteo's geocoding API. @default 'https://geocoding-api.open-meteo.com' */
  geocodingUrl?: string
  /** Base URL of Open-Meteo's forecast API. @default 'https://api.open-meteo.com' */
  forecastUrl?: string
  /** The providers are a simulation: every answer of theirs is marked `meta.simulated`. @default false */
  simulated?: boolean
  /** How long one exchange with a provider may take, in milliseconds. @default 4000 */
  upstreamTimeoutMs?: number
}

/** The weather tool as a service: a Fastify instance, not listening. */
export function weatherService (settings: WeatherSettings = {}) {
  const { simulated = false, upstreamTimeoutMs: timeoutMs = 4_000 } = settings
  const { geocodingUrl = 'https://geocoding-api.open-meteo.com', forecastUrl = 'https://api.open-meteo.com' } = settings
  return createToolService({
    name: 'weather-tool',
    version: '1.0.0',
    capabilities: [currentWeather, forecast],
    upstreams: {
      geocoding: { baseUrl: geocodingUrl, timeoutMs, simulated },
      forecast: { baseUrl: forecastUrl, timeoutMs, simulated }
    }
  })
}
