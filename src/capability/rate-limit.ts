/** How many calls within how much time. */
export interface RateLimit {
  /** A whole number, 1 or more. */
  max: number
  /** Milliseconds; told in whole seconds. */
  windowMs: number
}

/** Is this a limit that can be kept? A window of less than a second could not be told to a caller. */
export function isRateLimit (given: unknown): given is RateLimit {
  const { max, windowMs } = (given ?? {}) as Partial<RateLimit>
  return Number.isSafeInteger(max) && max! >= 1 && Number.isFinite(windowMs) && windowMs! >= 1_000 && windowMs! < 2 ** 31 &&
    Object.keys(given!).every(key => key === 'max' || key === 'windowMs')
}
