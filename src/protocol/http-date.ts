const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

// The second 60 is a leap second.
const TIME = '([01]\\d|2[0-3]):([0-5]\\d):([0-5]\\d|60)'
const IMF = new RegExp(`^[A-Z][a-z]{2}, (\\d{2}) ([A-Z][a-z]{2}) (\\d{4}) ${TIME} GMT$`)
const RFC_850 = new RegExp(`^[A-Z][a-z]{5,8}, (\\d{2})-([A-Z][a-z]{2})-(\\d{2}) ${TIME} GMT$`)
const ASCTIME = new RegExp(`^[A-Z][a-z]{2} ([A-Z][a-z]{2}) ([ \\d]\\d) ${TIME} (\\d{4})$`)

/**
 * An HTTP date in one of its three forms as epoch milliseconds, else `undefined`.
 * Always read as GMT (RFC 9110, 5.6.7): `Date.parse` reads the zone-less form in local time.
 */
export function parseHttpDate (value: string | undefined, nowMs: number = Date.now()): number | undefined {
  const text = value?.trim() ?? ''
  let match = IMF.exec(text)
  if (match) return utc(match[3], match[2], match[1], match[4], match[5], match[6])
  match = ASCTIME.exec(text)
  if (match) return utc(match[6], match[1], match[2], match[3], match[4], match[5])
  match = RFC_850.exec(text)
  return match ? utc(fullYear(Number(match[3]), nowMs), match[2], match[1], match[4], match[5], match[6]) : undefined
}

/** Two digits that seem more than 50 years ahead belong to the past century (RFC 9110, 5.6.7). */
function fullYear (digits: number, nowMs: number): number {
  const thisYear = new Date(nowMs).getUTCFullYear()
  const year = thisYear - thisYear % 100 + digits
  return year > thisYear + 50 ? year - 100 : year
}

type Part = string | number | undefined

function utc (year: Part, month: Part, day: Part, hour: Part, minute: Part, second: Part): number | undefined {
  const index = MONTHS.indexOf(String(month))
  const midnight = Date.UTC(Number(year), index, Number(day))
  // A 31st of February rolls over: not a date anybody meant.
  if (index < 0 || new Date(midnight).getUTCDate() !== Number(day)) return undefined
  return midnight + ((Number(hour) * 60 + Number(minute)) * 60 + Number(second)) * 1000
}
