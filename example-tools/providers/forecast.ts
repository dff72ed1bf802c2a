import type { FastifyInstance } from 'fastify'
import type { LocalTime } from './local-time.js'
import type { Day, UnitChoice, Variable } from './variables.js'
import { isoLocal, localTime } from './local-time.js'
import { param, refuse } from './open-meteo.js'
import { nearestPlace } from './places.js'
import { dailyVariables, hourlyVariables, inUnits, unitOf } from './variables.js'
import { daylightHours, weatherAt } from './weather.js'

// Shapes: "Weather Forecast API" in Open-Meteo's documentation (sections "API Documentation", "JSON Return Object", "Errors"), and
// its open source (open-meteo: ForecastapiQuery.swift) for what the page does not say. Simplifications: README.md.

interface Asked {
  latitude: number
  longitude: number
  units: UnitChoice
  local: LocalTime
  now: Date
}

const hourMs = 3_600_000
const currentIntervalSeconds = 900
// Spelled by the real API in every refusal of a variable; the type names are those of its source.
const hourlyType = 'SurfacePressureAndHeightVariable<VariableAndPreviousDay, VariableOrSpread<ForecastPressureVariable>, ForecastHeightVariable>'
const dailyType = 'ForecastVariableDaily'
const unitParameters = {
  temperature_unit: { type: 'TemperatureUnit', values: ['celsius', 'fahrenheit'] },
  wind_speed_unit: { type: 'WindspeedUnit', values: ['kmh', 'ms', 'mph', 'kn'] },
  precipitation_unit: { type: 'PrecipitationUnit', values: ['mm', 'inch'] }
}

/** Puts `GET /v1/forecast` on the app: Open-Meteo's Weather Forecast API. */
export function forecast (app: FastifyInstance, now: () => Date): void {
  app.get('/v1/forecast', async (request, reply) => {
    const started = performance.now()
    const latitudeText = param(request.query, 'latitude')
    const longitudeText = param(request.query, 'longitude')
    // Observed, not documented: without coordinates the real API answers 200 and not one byte.
    if (latitudeText === undefined && longitudeText === undefined) return reply.type('application/json; charset=utf-8').send('')
    if (latitudeText === undefined || longitudeText === undefined) {
      return refuse(reply, "Parameter 'latitude' and 'longitude' must have the same number of elements")
    }
    const problem = problemOf(request.query, latitudeText, longitudeText)
    if (problem !== undefined) return refuse(reply, problem)
    const latitude = Number(latitudeText)
    const longitude = Number(longitudeText)
    const at = now()
    const local = localTime(param(request.query, 'timezone') ?? 'GMT', latitude, longitude, at)
    if (local === undefined) return refuse(reply, 'Invalid timezone')
    const asked: Asked = { latitude, longitude, units: unitsOf(request.query), local, now: at }
    const days = Number(param(request.query, 'forecast_days') ?? '7')
    const { place, degrees } = nearestPlace(latitude, longitude)
    return {
      // The centre of a grid cell, not the coordinate asked for: as in the real answer, close to it and not the same.
      latitude: Math.round(latitude * 16) / 16,
      longitude: Math.round(longitude * 16) / 16,
      generationtime_ms: performance.now() - started,
      utc_offset_seconds: local.offsetSeconds,
      timezone: local.timezone,
      timezone_abbreviation: local.abbreviation,
      elevation: degrees < 0.25 ? place.elevation : 0,
      ...currentBlock(list(request.query, 'current'), asked),
      ...hourlyBlock(list(request.query, 'hourly'), asked, days),
      ...dailyBlock(list(request.query, 'daily'), asked, days)
    }
  })
}

function problemOf (query: unknown, latitude: string, longitude: string): string | undefined {
  for (const text of [latitude, longitude]) {
    if (text.trim() === '' || !Number.isFinite(Number(text))) return `Data corrupted at path ''. Cannot initialize Float from invalid String value ${text}.`
  }
  if (Math.abs(Number(latitude)) > 90) return `Latitude must be in range of -90 to 90°. Given: ${float(latitude)}.`
  if (Math.abs(Number(longitude)) > 180) return `Longitude must be in range of -180 to 180°. Given: ${float(longitude)}.`
  for (const [name, known, type] of [['current', hourlyVariables, hourlyType], ['hourly', hourlyVariables, hourlyType], ['daily', dailyVariables, dailyType]] as const) {
    // One unknown name and the real API repeats the whole list, the good names too.
    if (list(query, name).some(variable => !known.has(variable))) return cannotInitialize(type, param(query, name)!)
  }
  for (const [name, { type, values }] of Object.entries(unitParameters)) {
    const given = param(query, name)
    if (given !== undefined && !values.includes(given)) return cannotInitialize(type, given)
  }
  const days = param(query, 'forecast_days') ?? '7'
  if (!/^-?\d+$/.test(days)) return "Value was not of type 'Int' at path 'forecast_days'."
  if (Number(days) < 0 || Number(days) > 16) return 'Forecast days is invalid. Allowed range 0 to 16.'
}

function cannotInitialize (type: string, value: string): string {
  return `Data corrupted at path ''. Cannot initialize ${type} from invalid String value ${value}.`
}

function float (text: string): string {
  return Number.isInteger(Number(text)) ? Number(text).toFixed(1) : String(Number(text))
}

function list (query: unknown, name: string): string[] {
  return (param(query, name) ?? '').split(',').filter(item => item !== '')
}

function unitsOf (query: unknown): UnitChoice {
  return {
    temperature: (param(query, 'temperature_unit') ?? 'celsius') as UnitChoice['temperature'],
    wind: (param(query, 'wind_speed_unit') ?? 'kmh') as UnitChoice['wind'],
    precipitation: (param(query, 'precipitation_unit') ?? 'mm') as UnitChoice['precipitation']
  }
}

function currentBlock (names: string[], { latitude, longitude, units, local, now }: Asked) {
  if (names.length === 0) return {}
  const at = new Date(Math.floor(now.getTime() / 1000 / currentIntervalSeconds) * currentIntervalSeconds * 1000)
  const sample = weatherAt(latitude, longitude, at)
  return {
    current_units: { time: 'iso8601', interval: 'seconds', ...unitsBlock(names, hourlyVariables, units) },
    current: {
      time: isoLocal(at, local.offsetSeconds),
      interval: currentIntervalSeconds,
      ...values(names, hourlyVariables, units, variable => variable.read(sample))
    }
  }
}

function hourlyBlock (names: string[], asked: Asked, days: number) {
  if (names.length === 0) return {}
  const hours = instants(asked, days * 24, hourMs)
  const samples = hours.map(at => weatherAt(asked.latitude, asked.longitude, at))
  return {
    hourly_units: { time: 'iso8601', ...unitsBlock(names, hourlyVariables, asked.units) },
    hourly: {
      time: hours.map(at => isoLocal(at, asked.local.offsetSeconds)),
      ...series(names, hourlyVariables, asked.units, samples)
    }
  }
}

function dailyBlock (names: string[], asked: Asked, days: number) {
  if (names.length === 0) return {}
  const starts = instants(asked, days, 24 * hourMs)
  return {
    daily_units: { time: 'iso8601', ...unitsBlock(names, dailyVariables, asked.units) },
    daily: {
      time: starts.map(at => isoLocal(at, asked.local.offsetSeconds).slice(0, 10)),
      ...series(names, dailyVariables, asked.units, starts.map(start => dayFrom(start, asked)))
    }
  }
}

// Both series begin at 00:00 of today, local.
function instants ({ local, now }: Asked, count: number, stepMs: number): Date[] {
  const offsetMs = local.offsetSeconds * 1000
  const start = Math.floor((now.getTime() + offsetMs) / (24 * hourMs)) * 24 * hourMs - offsetMs
  return Array.from({ length: count }, (_, index) => new Date(start + index * stepMs))
}

function dayFrom (start: Date, { latitude, longitude, local }: Asked): Day {
  const daylightMs = daylightHours(latitude, start) * hourMs
  // Solar noon of the local date: at 12:00 minus four minutes for each degree east, in UTC.
  const noon = start.getTime() + local.offsetSeconds * 1000 + (12 - longitude / 15) * hourMs
  return {
    hours: Array.from({ length: 24 }, (_, hour) => weatherAt(latitude, longitude, new Date(start.getTime() + hour * hourMs))),
    sunrise: isoLocal(new Date(noon - daylightMs / 2), local.offsetSeconds),
    sunset: isoLocal(new Date(noon + daylightMs / 2), local.offsetSeconds),
    daylightSeconds: daylightMs / 1000
  }
}

function unitsBlock<From> (names: string[], known: Map<string, Variable<From>>, units: UnitChoice): Record<string, string> {
  return Object.fromEntries(names.map(name => [name, unitOf(known.get(name)!.kind, units)]))
}

function values<From> (names: string[], known: Map<string, Variable<From>>, units: UnitChoice, read: (variable: Variable<From>) => number | string) {
  return Object.fromEntries(names.map(name => [name, inUnits(read(known.get(name)!), known.get(name)!.kind, units)]))
}

function series<From> (names: string[], known: Map<string, Variable<From>>, units: UnitChoice, moments: From[]) {
  return Object.fromEntries(names.map(name => {
    const variable = known.get(name)!
    return [name, moments.map(moment => inUnits(variable.read(moment), variable.kind, units))]
  }))
}
