import type { FastifyInstance } from 'fastify'
import type { Place } from './places.js'
import { places } from './places.js'
import { param, refuse } from './open-meteo.js'

// Shapes: "Geocoding API" in Open-Meteo's documentation (sections "API Documentation", "JSON Return Object", "Errors"),
// and its open source (geocoding-api: GeocodingapiController.swift, api.proto). Simplifications: README.md.

/** How the search understands what follows a comma. */
export interface GeocodingOptions {
  /**
   * Whether "Flower Mound, TX" matches as "Flower Mound, Texas" does.
   *
   * Open-Meteo's search learned abbreviations late in 2026. A caller that meets an instance without them gets no results, so
   * that is what the simulation does unless told otherwise.
   *
   * @default false
   */
  abbreviations?: boolean
}

const abbreviations: Record<string, string> = {
  al: 'Alabama',
  ak: 'Alaska',
  az: 'Arizona',
  ca: 'California',
  co: 'Colorado',
  ga: 'Georgia',
  hi: 'Hawaii',
  il: 'Illinois',
  ky: 'Kentucky',
  ma: 'Massachusetts',
  me: 'Maine',
  mo: 'Missouri',
  nh: 'New Hampshire',
  ny: 'New York',
  oh: 'Ohio',
  on: 'Ontario',
  or: 'Oregon',
  tn: 'Tennessee',
  tx: 'Texas'
}

/** Puts `GET /v1/search` on the app: Open-Meteo's Geocoding API. */
export function geocoding (app: FastifyInstance, options: GeocodingOptions = {}): void {
  app.get('/v1/search', async (request, reply) => {
    const started = performance.now()
    const name = param(request.query, 'name')
    if (name === undefined) return refuse(reply, "No value found (expected type 'String') at path 'name'.")
    const asked = param(request.query, 'count') ?? '10'
    if (!/^-?\d+$/.test(asked)) return refuse(reply, "Value was not of type 'Int' at path 'count'.")
    const count = Number(asked)
    if (count < 1 || count > 100) return refuse(reply, 'Parameter count must be between 1 and 100.')
    const format = param(request.query, 'format') ?? 'json'
    if (format !== 'json') return refuse(reply, `This simulation answers in JSON alone, not in ${format}.`)
    const found = search(name, param(request.query, 'countryCode'), options).slice(0, count)
    // The real API leaves `results` out when there is none: a caller that reads `results.length` must meet that here.
    return { ...found.length > 0 && { results: found.map(onTheWire) }, generationtime_ms: performance.now() - started }
  })
}

/** The places a name matches, best first: at two letters the whole name, from three on its beginning; case and accents do not matter. */
export function search (name: string, countryCode?: string, options: GeocodingOptions = {}): Place[] {
  const [wanted = '', area] = name.split(',').map(fold)
  if (wanted.length < 2) return []
  return places
    .filter(place => wanted.length === 2 ? fold(place.name) === wanted : fold(place.name).startsWith(wanted) || place.postcodes.includes(wanted))
    .filter(place => countryCode === undefined || place.countryCode === countryCode.trim().toUpperCase())
    .filter(place => area === undefined || area === '' || isIn(place, area, options))
    .sort((a, b) => Number(fold(b.name) === wanted) - Number(fold(a.name) === wanted) || b.population - a.population)
}

function isIn (place: Place, area: string, options: GeocodingOptions): boolean {
  if (fold(place.country) === area || fold(place.admin1) === area) return true
  if (options.abbreviations !== true) return false
  // A region wins over a country of the same letters: CA is California, not Canada.
  return abbreviations[area] === undefined ? place.countryCode.toLowerCase() === area : place.admin1 === abbreviations[area]
}

function fold (text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').trim().toLowerCase()
}

function onTheWire (place: Place) {
  return {
    id: place.id,
    name: place.name,
    latitude: place.latitude,
    longitude: place.longitude,
    elevation: place.elevation,
    feature_code: place.featureCode,
    country_code: place.countryCode,
    admin1_id: idOf(`${place.countryCode}/${place.admin1}`),
    timezone: place.timezone,
    population: place.population,
    // Empty fields are not returned, says the documentation.
    ...place.postcodes.length > 0 && { postcodes: place.postcodes },
    country_id: idOf(place.countryCode),
    country: place.country,
    admin1: place.admin1
  }
}

// A number that is the same for the same area in every answer; the real ones are GeoNames'.
function idOf (area: string): number {
  let id = 0
  for (const letter of area) id = (id * 31 + letter.codePointAt(0)!) % 8_999_999
  return 1_000_000 + id
}
