import { boundWait, readRetryAfter, type HeadersLike } from '../protocol/retry-after.js'

const DETAIL = /^(\d{1,9})s$/

/**
 * The wait an answer asks for, in milliseconds, or `undefined` where it asks for none.
 * The header is read first; `details.retry_after` says the same, and is all there is over MCP.
 */
export function advisedWait (status: number, headers: HeadersLike | undefined, details: Readonly<Record<string, string>>, nowMs: number): number | undefined {
  const fromHeaders = headers === undefined ? undefined : readRetryAfter(status, headers, nowMs)
  if (fromHeaders !== undefined) return fromHeaders.ms
  const seconds = DETAIL.exec(details.retry_after ?? '')?.[1]
  return seconds === undefined ? undefined : boundWait(Number(seconds) * 1000).ms
}

/**
 * The wait before the attempt that follows attempt `n`, in milliseconds: doubled each time, then drawn from all of it.
 * Without the draw, everybody who failed together would come back together.
 */
export function backoff (n: number, firstMs: number, maxMs: number, random: () => number): number {
  return Math.floor(random() * Math.min(maxMs, firstMs * 2 ** (n - 1)))
}
