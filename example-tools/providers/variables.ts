import type { Sample } from './weather.js'
import { round } from './weather.js'

/** The units a request chose, as the query spells them. */
export interface UnitChoice {
  temperature: 'celsius' | 'fahrenheit'
  wind: 'kmh' | 'ms' | 'mph' | 'kn'
  precipitation: 'mm' | 'inch'
}

type Kind = 'temperature' | 'wind' | 'precipitation' | 'snow' | 'percent' | 'code' | 'degrees' | 'pressure' | 'flag' | 'time' | 'seconds' | 'hours'

/** One day as the daily variables see it: its hours, its sunrise and sunset (local, ISO 8601) and its daylight. */
export interface Day {
  hours: Sample[]
  sunrise: string
  sunset: string
  daylightSeconds: number
}

/** A variable: of which kind, and how to read it, metric. */
export interface Variable<From> {
  kind: Kind
  read: (from: From) => number | string
}

const of = <From>(kind: Kind, read: Variable<From>['read']): Variable<From> => ({ kind, read })
const most = (key: keyof Sample) => (day: Day) => Math.max(...day.hours.map(hour => hour[key]))
const least = (key: keyof Sample) => (day: Day) => Math.min(...day.hours.map(hour => hour[key]))
const mean = (key: keyof Sample) => (day: Day) => sum(key)(day) / day.hours.length
const sum = (key: keyof Sample) => (day: Day) => day.hours.reduce((total, hour) => total + hour[key], 0)

/** The variables for `current` and `hourly` that the simulation knows: a part of Open-Meteo's, under their names. */
export const hourlyVariables = new Map<string, Variable<Sample>>([
  ['temperature_2m', of('temperature', hour => hour.temperature)],
  ['relative_humidity_2m', of('percent', hour => hour.humidity)],
  ['dew_point_2m', of('temperature', hour => hour.dewPoint)],
  ['apparent_temperature', of('temperature', hour => hour.apparent)],
  ['is_day', of('flag', hour => hour.isDay)],
  ['precipitation', of('precipitation', hour => hour.precipitation)],
  ['precipitation_probability', of('percent', hour => hour.precipitationProbability)],
  ['rain', of('precipitation', hour => hour.rain)],
  ['snowfall', of('snow', hour => hour.snowfall)],
  ['weather_code', of('code', hour => hour.weatherCode)],
  ['cloud_cover', of('percent', hour => hour.cloudCover)],
  ['pressure_msl', of('pressure', hour => hour.pressure)],
  ['wind_speed_10m', of('wind', hour => hour.windSpeed)],
  ['wind_direction_10m', of('degrees', hour => hour.windDirection)],
  ['wind_gusts_10m', of('wind', hour => hour.windGusts)]
])

/** The variables for `daily` that the simulation knows: a part of Open-Meteo's, under their names. */
export const dailyVariables = new Map<string, Variable<Day>>([
  ['weather_code', of('code', most('weatherCode'))],
  ['temperature_2m_max', of('temperature', most('temperature'))],
  ['temperature_2m_mean', of('temperature', mean('temperature'))],
  ['temperature_2m_min', of('temperature', least('temperature'))],
  ['apparent_temperature_max', of('temperature', most('apparent'))],
  ['apparent_temperature_min', of('temperature', least('apparent'))],
  ['sunrise', of('time', day => day.sunrise)],
  ['sunset', of('time', day => day.sunset)],
  ['daylight_duration', of('seconds', day => day.daylightSeconds)],
  ['precipitation_sum', of('precipitation', sum('precipitation'))],
  ['precipitation_hours', of('hours', day => day.hours.filter(hour => hour.precipitation > 0).length)],
  ['precipitation_probability_max', of('percent', most('precipitationProbability'))],
  ['rain_sum', of('precipitation', sum('rain'))],
  ['snowfall_sum', of('snow', sum('snowfall'))],
  ['wind_speed_10m_max', of('wind', most('windSpeed'))],
  ['wind_gusts_10m_max', of('wind', most('windGusts'))]
])

/** The unit of a variable in the units chosen, spelled as Open-Meteo spells it. */
export function unitOf (kind: Kind, units: UnitChoice): string {
  switch (kind) {
    case 'temperature': return units.temperature === 'celsius' ? '°C' : '°F'
    case 'wind': return { kmh: 'km/h', ms: 'm/s', mph: 'mp/h', kn: 'kn' }[units.wind]
    case 'precipitation': return units.precipitation
    case 'snow': return units.precipitation === 'mm' ? 'cm' : 'inch'
    case 'percent': return '%'
    case 'code': return 'wmo code'
    case 'degrees': return '°'
    case 'pressure': return 'hPa'
    case 'time': return 'iso8601'
    case 'seconds': return 's'
    case 'hours': return 'h'
    case 'flag': return ''
  }
}

/** A metric value in the units chosen, rounded as Open-Meteo rounds it. */
export function inUnits (value: number | string, kind: Kind, units: UnitChoice): number | string {
  if (typeof value === 'string') return value
  switch (kind) {
    case 'temperature': return round(units.temperature === 'celsius' ? value : value * 9 / 5 + 32)
    case 'wind': return round(value * { kmh: 1, ms: 1 / 3.6, mph: 1 / 1.609344, kn: 1 / 1.852 }[units.wind])
    case 'precipitation': return units.precipitation === 'mm' ? round(value) : round(value / 25.4, 3)
    case 'snow': return units.precipitation === 'mm' ? round(value, 2) : round(value / 2.54, 3)
    case 'pressure': return round(value)
    default: return Math.round(value)
  }
}
