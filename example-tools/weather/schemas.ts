import { Type } from '@sinclair/typebox'
import { maxDays } from './open-meteo.js'

const Location = Type.String({
  minLength: 1,
  maxLength: 200,
  description: "A place: 'City', or 'City, Region, Country'. Regions by name, countries by name or ISO code.",
  examples: ['London, United Kingdom', 'Paris, Texas, United States']
})
const UnitsChoice = Type.Optional(Type.Union([Type.Literal('metric'), Type.Literal('imperial')], {
  default: 'metric',
  description: 'metric: °C, km/h, mm. imperial: °F, mph, inch.',
  examples: ['metric']
}))

/** Input of `current_weather`. */
export const WeatherInput = Type.Object({ location: Location, units: UnitsChoice })

/** Input of `forecast`. */
export const ForecastInput = Type.Object({
  location: Location,
  units: UnitsChoice,
  days: Type.Optional(Type.Integer({ minimum: 1, maximum: maxDays, default: 7, description: 'How many days, today included.', examples: [3] }))
})

const nullable = (description: string) => Type.Union([Type.Number(), Type.Null()], { description: `${description} null: no data.` })
const Condition = Type.Union([Type.String(), Type.Null()], { description: 'The weather in words. null: no data.', examples: ['slight rain'] })
const where = {
  location: Type.String({ description: 'The place that was found, by its full name: check that it is the one that was meant.', examples: ['London, England, United Kingdom'] }),
  latitude: Type.Number({ description: 'Degrees north.', examples: [51.50853] }),
  longitude: Type.Number({ description: 'Degrees east.', examples: [-0.12574] }),
  timezone: Type.String({ description: 'The time zone of all times and dates here.', examples: ['Europe/London'] }),
  source: Type.String({ description: 'Who says so.', examples: ['Open-Meteo'] })
}

/** Output of `current_weather`. */
export const Weather = Type.Object({
  ...where,
  time: Type.String({ description: 'Local time of the values, ISO 8601.', examples: ['2026-11-27T14:15'] }),
  temperature: Type.Number({ description: 'Air temperature, 2 m above the ground.', examples: [22.5] }),
  apparent_temperature: nullable('What it feels like.'),
  relative_humidity: nullable('In percent.'),
  precipitation: nullable('Of the quarter of an hour before.'),
  wind_speed: nullable('10 m above the ground.'),
  condition: Condition,
  units: Type.Object({
    temperature: Type.String({ description: 'Unit of both temperatures, as the source says it.', examples: ['°C'] }),
    precipitation: Type.String({ description: 'Unit of precipitation.', examples: ['mm'] }),
    wind_speed: Type.String({ description: 'Unit of wind_speed.', examples: ['km/h'] })
  }, { description: 'The units of the numbers above.' })
})

/** Output of `forecast`. */
export const Forecast = Type.Object({
  ...where,
  days: Type.Array(Type.Object({
    date: Type.String({ description: 'Local date, ISO 8601.', examples: ['2026-11-27'] }),
    temperature_max: nullable('Highest air temperature.'),
    temperature_min: nullable('Lowest air temperature.'),
    precipitation: nullable('Sum of the day.'),
    condition: Condition
  }), { description: 'One entry a day, today first.' }),
  units: Type.Object({
    temperature: Type.String({ description: 'Unit of the temperatures, as the source says it.', examples: ['°C'] }),
    precipitation: Type.String({ description: 'Unit of precipitation.', examples: ['mm'] })
  }, { description: 'The units of the numbers above.' })
})
