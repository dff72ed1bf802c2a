import { nearestPlace } from './places.js'

/** A time zone as a forecast answers it: one offset for the whole answer, that of the moment of the request. */
export interface LocalTime {
  timezone: string
  abbreviation: string
  offsetSeconds: number
}

/** A time zone by name, or by coordinate for `auto`; undefined when there is none of that name. */
export function localTime (timezone: string, latitude: number, longitude: number, now: Date): LocalTime | undefined {
  const name = timezone === 'auto' ? zoneAt(latitude, longitude) : timezone
  try {
    const parts = new Intl.DateTimeFormat('en-US', { timeZone: name, timeZoneName: 'longOffset' }).formatToParts(now)
    const offset = parts.find(part => part.type === 'timeZoneName')?.value ?? 'GMT'
    const [, sign, hours = '0', minutes = '0'] = /^GMT(?:([+-])(\d+):(\d+))?/.exec(offset) ?? []
    const offsetSeconds = (sign === '-' ? -1 : 1) * (Number(hours) * 3600 + Number(minutes) * 60) + 0
    const short = Number(minutes) === 0 ? `${Number(hours)}` : `${Number(hours)}:${minutes}`
    return { timezone: name, abbreviation: offsetSeconds === 0 ? 'GMT' : `GMT${sign}${short}`, offsetSeconds }
  } catch {
    // Intl throws for a name it does not know: the caller answers with the provider's words for it.
    return undefined
  }
}

/** `2026-11-27T14:15`: local, without an offset, as Open-Meteo writes times. */
export function isoLocal (at: Date, offsetSeconds: number): string {
  return new Date(at.getTime() + offsetSeconds * 1000).toISOString().slice(0, 16)
}

// The nearest place's zone where one is near, else the zone of the longitude. The real service looks at borders.
function zoneAt (latitude: number, longitude: number): string {
  const { place, degrees } = nearestPlace(latitude, longitude)
  if (degrees < 2) return place.timezone
  const hours = Math.round(longitude / 15)
  // The names of this family have the sign reversed: Etc/GMT+5 is five hours behind.
  return hours === 0 ? 'Etc/GMT' : `Etc/GMT${hours > 0 ? '-' : '+'}${Math.abs(hours)}`
}
