// The codes Open-Meteo documents under "WMO Weather interpretation codes": a part of WMO's table 4677.

const conditions = new Map<number, string>([
  [0, 'clear sky'],
  [1, 'mainly clear'],
  [2, 'partly cloudy'],
  [3, 'overcast'],
  [45, 'fog'],
  [48, 'fog depositing rime'],
  [51, 'light drizzle'],
  [53, 'moderate drizzle'],
  [55, 'dense drizzle'],
  [56, 'light freezing drizzle'],
  [57, 'dense freezing drizzle'],
  [61, 'slight rain'],
  [63, 'moderate rain'],
  [65, 'heavy rain'],
  [66, 'light freezing rain'],
  [67, 'heavy freezing rain'],
  [71, 'slight snowfall'],
  [73, 'moderate snowfall'],
  [75, 'heavy snowfall'],
  [77, 'snow grains'],
  [80, 'slight rain showers'],
  [81, 'moderate rain showers'],
  [82, 'violent rain showers'],
  [85, 'slight snow showers'],
  [86, 'heavy snow showers'],
  [95, 'thunderstorm'],
  [96, 'thunderstorm with slight hail'],
  [99, 'thunderstorm with heavy hail']
])

/** A WMO weather code as words. A code that is not in the table says so; `null`, no data, stays `null`. */
export function conditionOf (code: number | null): string | null {
  if (code === null) return null
  return conditions.get(code) ?? `unknown (WMO code ${code})`
}
