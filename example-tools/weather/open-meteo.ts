import { Type } from '@sinclair/typebox'
import type { Call, Infer } from 'candor'
import { fullName, isIn, likeliestFirst, splitLocation } from './places.js'

// What Open-Meteo answers with, as far as it is read here. The objects are open: a provider adds fields without notice. A field
// that is read is required: a coordinate or a temperature that is missing is a failure of the provider, and never 0.

/** How far Open-Meteo looks ahead, today included. */
export const maxDays = 16

// `null` is Open-Meteo's word for "no data here", and stays `null` in our answers.
const Measured = Type.Union([Type.Number(), Type.Null()])

const PlaceSchema = Type.Object({
  name: Type.String({ minLength: 1 }),
  latitude: Type.Number({ minimum: -90, maximum: 90 }),
  longitude: Type.Number({ minimum: -180, maximum: 180 }),
  admin1: Type.Optional(Type.String()),
  country: Type.Optional(Type.String()),
  country_code: Type.Optional(Type.String()),
  population: Type.Optional(Type.Number())
})

/** One match of the geocoding search. */
export type Place = Infer<typeof PlaceSchema>

// `results` is left out when nothing matches: that is an answer, not a malformed one.
const Search = Type.Object({ results: Type.Optional(Type.Array(PlaceSchema)) })

const Current = Type.Object({
  timezone: Type.String(),
  current_units: Type.Object({ temperature_2m: Type.String(), precipitation: Type.String(), wind_speed_10m: Type.String() }),
  current: Type.Object({
    time: Type.String(),
    temperature_2m: Type.Number(),
    apparent_temperature: Measured,
    relative_humidity_2m: Measured,
    precipitation: Measured,
    weather_code: Measured,
    wind_speed_10m: Measured
  })
})

// Open-Meteo sends a day as one place in several lists. A list that is too short would shift or invent days, so the schema counts:
// one schema for each number of days, each compiled when it is first used.
const dailySchemas = Array.from({ length: maxDays }, (_, index) => daily(index + 1))

function daily (days: number) {
  const exactly = { minItems: days, maxItems: days }
  return Type.Object({
    timezone: Type.String(),
    daily_units: Type.Object({ temperature_2m_max: Type.String(), precipitation_sum: Type.String() }),
    daily: Type.Object({
      time: Type.Array(Type.String(), exactly),
      temperature_2m_max: Type.Array(Measured, exactly),
      temperature_2m_min: Type.Array(Measured, exactly),
      precipitation_sum: Type.Array(Measured, exactly),
      weather_code: Type.Array(Measured, exactly)
    })
  })
}

/** Metric or imperial, as the caller chooses. */
export type Units = 'metric' | 'imperial'

const unitParameters = {
  metric: { temperature_unit: 'celsius', wind_speed_unit: 'kmh', precipitation_unit: 'mm' },
  imperial: { temperature_unit: 'fahrenheit', wind_speed_unit: 'mph', precipitation_unit: 'inch' }
} satisfies Record<Units, Record<string, string>>

/** The place that a location names: the likeliest match of its first part that lies in all its further parts. */
export async function findPlace (location: string, call: Call<'LOCATION_NOT_FOUND', 'geocoding'>): Promise<Place> {
  const { name, areas } = splitLocation(location)
  const { data } = await call.upstream('geocoding').get('/v1/search', {
    // 100 is the most there is. Of the ten that are the default, none may lie in the region that is asked for.
    query: { name, count: 100, language: 'en', format: 'json' },
    schema: Search
  })
  const matches = likeliestFirst(data.results ?? [], name)
  const place = matches.find(match => areas.every(area => isIn(match, area)))
  if (place !== undefined) return place
  const candidates = [...new Set(matches.map(fullName))].slice(0, 3)
  throw call.error('LOCATION_NOT_FOUND', {
    message: `No place matches '${location}'.`,
    details: { original_location: location, candidates: candidates.length > 0 ? candidates : undefined }
  })
}

/** The weather at a place now: Open-Meteo's model, to the quarter of an hour. */
export async function currentAt ({ latitude, longitude }: Place, units: Units, call: Call<never, 'forecast'>): Promise<Infer<typeof Current>> {
  const current = 'temperature_2m,apparent_temperature,relative_humidity_2m,precipitation,weather_code,wind_speed_10m'
  const query = { latitude, longitude, timezone: 'auto', current, ...unitParameters[units] }
  const { data } = await call.upstream('forecast').get('/v1/forecast', { query, schema: Current })
  return data
}

/** The weather at a place for so many days, today included. */
export async function dailyAt ({ latitude, longitude }: Place, units: Units, days: number, call: Call<never, 'forecast'>): Promise<Infer<ReturnType<typeof daily>>> {
  const query = {
    latitude,
    longitude,
    timezone: 'auto',
    forecast_days: days,
    daily: 'temperature_2m_max,temperature_2m_min,precipitation_sum,weather_code',
    ...unitParameters[units]
  }
  const { data } = await call.upstream('forecast').get('/v1/forecast', { query, schema: dailySchemas[days - 1] })
  return data
}
