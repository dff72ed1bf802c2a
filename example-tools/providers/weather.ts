import { nearestPlace, zeroDegreesPlace } from './places.js'

/** The weather at one place and instant, metric: °C, %, mm, cm, km/h, degrees, hPa. */
export interface Sample {
  temperature: number
  apparent: number
  humidity: number
  dewPoint: number
  precipitation: number
  rain: number
  snowfall: number
  precipitationProbability: number
  /** A WMO code as Open-Meteo documents them: 0 clear, 1 to 3 cloudier, 61 to 65 rain, 71 to 75 snow. */
  weatherCode: number
  cloudCover: number
  pressure: number
  windSpeed: number
  windDirection: number
  windGusts: number
  isDay: 0 | 1
}

const dayMs = 86_400_000
const radians = Math.PI / 180

/** `value` with so many decimals, and never -0. */
export function round (value: number, decimals = 1): number {
  return Math.round(value * 10 ** decimals) / 10 ** decimals + 0
}

/**
 * The weather at a coordinate and an instant: a sample, always the same for the same arguments.
 *
 * The temperature follows latitude, height, season and hour; the rest follows slow waves. Plausible, never a measurement.
 * At `zeroDegreesPlace` it is always exactly 0 °C.
 */
export function weatherAt (latitude: number, longitude: number, at: Date): Sample {
  const { place, degrees } = nearestPlace(latitude, longitude)
  const days = at.getTime() / dayMs
  const wave = (period: number, shift: number) => Math.sin(2 * Math.PI * (days / period + shift + longitude / 90))
  // A place within a quarter of a degree lends its height; elsewhere the ground is taken to be at sea level.
  const height = degrees < 0.25 ? place.elevation : 0
  const zero = place.name === zeroDegreesPlace && degrees < 0.25
  const season = Math.cos(2 * Math.PI * (yearFraction(at) - 0.55)) * (latitude < 0 ? -1 : 1)
  const hour = (days * 24 + longitude / 15) % 24
  const warmth = 27 - 0.0062 * latitude ** 2 - 0.0045 * height +
    season * 0.22 * Math.abs(latitude) + 4 * Math.cos(2 * Math.PI * (hour - 15) / 24) + 2 * wave(5.3, 0)
  const temperature = zero ? 0 : round(warmth)
  const cloudCover = Math.round(50 + 50 * wave(3.7, 0.2))
  const precipitation = cloudCover > 75 ? round((cloudCover - 75) / 10) : 0
  const windSpeed = round(14 + 9 * wave(2.9, 0.5))
  const humidity = Math.round(65 + 0.2 * (cloudCover - 50) - 10 * Math.cos(2 * Math.PI * (hour - 15) / 24))
  const snows = temperature <= 0.5
  return {
    temperature,
    apparent: round(temperature - windSpeed / 8 + (temperature > 20 ? humidity / 40 : 0)),
    humidity,
    dewPoint: round(temperature - (100 - humidity) / 5),
    precipitation,
    rain: snows ? 0 : precipitation,
    snowfall: snows ? round(precipitation * 0.7, 2) : 0,
    precipitationProbability: Math.max(0, Math.min(100, 2 * cloudCover - 90)),
    weatherCode: weatherCode(cloudCover, precipitation, snows),
    cloudCover,
    pressure: round(1013 - 0.2 * (cloudCover - 50)),
    windSpeed,
    windDirection: Math.round(180 + 179 * wave(4.1, 0.7)),
    windGusts: round(windSpeed * 1.8),
    isDay: Math.abs(hour - 12) < daylightHours(latitude, at) / 2 ? 1 : 0
  }
}

/** Hours between sunrise and sunset, from the usual formula without refraction: 0 in a polar night, 24 in a polar day. */
export function daylightHours (latitude: number, at: Date): number {
  const declination = -23.44 * Math.cos(2 * Math.PI * (yearFraction(at) + 10 / 365))
  const cosine = -Math.tan(latitude * radians) * Math.tan(declination * radians)
  return 2 * Math.acos(Math.max(-1, Math.min(1, cosine))) / radians / 15
}

function yearFraction (at: Date): number {
  return (at.getTime() - Date.UTC(at.getUTCFullYear(), 0, 1)) / dayMs / 365.25
}

function weatherCode (cloudCover: number, precipitation: number, snows: boolean): number {
  if (precipitation > 0) return (snows ? 71 : 61) + (precipitation < 1 ? 0 : precipitation < 2 ? 2 : 4)
  return cloudCover < 10 ? 0 : cloudCover < 35 ? 1 : cloudCover < 65 ? 2 : 3
}
