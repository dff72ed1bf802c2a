import type { Place } from './open-meteo.js'

/** A location as the caller wrote it, taken apart. */
export interface Sought {
  /** What is looked up: the part before the first comma. Empty if there is none. */
  name: string
  /** Every further part: each must be the region or the country of a match. */
  areas: string[]
}

/** Splits a location at its commas. An empty part after the first one narrows nothing and is left out: "London," is "London". */
export function splitLocation (location: string): Sought {
  const [name = '', ...areas] = location.split(',').map(part => part.trim())
  return { name, areas: areas.filter(area => fold(area) !== '') }
}

// What people write for a country beside its name and ISO 3166 code.
const countryCodes = new Map([['uk', 'gb'], ['usa', 'us']])

/** Is the place in this area? An area is its region's name, or its country's name or ISO 3166 code; case and accents do not matter. */
export function isIn (place: Place, area: string): boolean {
  const wanted = fold(area)
  const names = [place.admin1, place.country].flatMap(name => name === undefined ? [] : [name, ...name.split(',')])
  return names.some(name => fold(name) === wanted) || place.country_code?.toLowerCase() === (countryCodes.get(wanted) ?? wanted)
}

/**
 * The matches of a name, the likeliest first: the most populous; one without a population counts as uninhabited.
 *
 * Open-Meteo's search also finds names that only begin with what was asked: "Bath" finds Bathinda, which has three times the
 * people of Bath. Those come last. A match under quite another name stays where it is: "Wien" is answered with Vienna.
 */
export function likeliestFirst (places: readonly Place[], name: string): Place[] {
  const wanted = fold(name)
  const isLonger = (place: Place) => Number(fold(place.name) !== wanted && fold(place.name).startsWith(wanted))
  return places.toSorted((a, b) => isLonger(a) - isLonger(b) || (b.population ?? 0) - (a.population ?? 0))
}

/** "Paris, Texas, United States": name, region and country, without what is missing or says the same again. Finds the place again. */
export function fullName (place: Place): string {
  const parts: string[] = []
  for (const part of [place.name, place.admin1, place.country]) {
    if (part !== undefined && part !== '' && !parts.some(earlier => fold(earlier) === fold(part))) parts.push(part)
  }
  return parts.join(', ')
}

// Letters that Unicode does not take apart into a base letter and a mark.
const plain = new Map([['ø', 'o'], ['ł', 'l'], ['đ', 'd'], ['ð', 'd'], ['þ', 'th'], ['ß', 'ss'], ['æ', 'ae'], ['œ', 'oe'], ['ı', 'i']])

// "São Paulo", "sao paulo" and "SAO  PAULO" are one text, and so are "U.S." and "US".
function fold (text: string): string {
  return text.normalize('NFD').toLowerCase()
    .replace(/[\p{M}.'’]/gu, '')
    .replace(/[^a-z]/g, letter => plain.get(letter) ?? letter)
    .replace(/\s+/g, ' ').trim()
}
