import { parseHttpDate } from './http-date.js'

/** The shortest wait that is ever told, in milliseconds. */
export const MIN_WAIT_MS = 1_000
/** The longest wait that is ever told, in milliseconds: a day. */
export const MAX_WAIT_MS = 86_400_000
/** The wait told on a rate limit whose length nobody said, in milliseconds. */
export const DEFAULT_WAIT_MS = 30_000

/** Response headers in any of the shapes HTTP clients give them; names in any letter case. */
export type HeadersLike = Readonly<Record<string, unknown>> | Iterable<readonly [string, unknown]>

/** How long an upstream asked us to wait. */
export interface Wait {
  /** Between `MIN_WAIT_MS` and `MAX_WAIT_MS`. */
  ms: number
  /** Did the upstream ask for more than `MAX_WAIT_MS`? */
  capped: boolean
}

/** A wait as both of its spellings, always equal: header `60`, detail `60s`. */
export function formatWait (ms: number): { header: string, detail: string } {
  const seconds = Math.ceil(boundWait(ms).ms / 1000)
  return { header: String(seconds), detail: `${seconds}s` }
}

/** A wait within the floor and the cap. */
export function boundWait (ms: number): Wait {
  return { ms: Math.min(Math.max(ms, MIN_WAIT_MS), MAX_WAIT_MS), capped: ms > MAX_WAIT_MS }
}

/**
 * The wait that a response advises, or `undefined` where it says nothing that can be trusted.
 * On 429, 420 and 403 reset headers count too; on a 5xx only those that speak of this answer; never on a 2xx.
 */
export function readRetryAfter (status: number, headers: HeadersLike, nowMs: number = Date.now()): Wait | undefined {
  const limited = status === 429 || status === 420 || status === 403
  if (!limited && !(status >= 500 && status <= 599)) return undefined
  const values = headerValues(headers)
  // The upstream's clock may differ from ours: what it says in dates is measured against its own.
  const theirNow = (): number => parseHttpDate(values('date')[0], nowMs) ?? nowMs
  const ms = readAdvice(values, theirNow) ?? (limited ? readReset(values, theirNow) : undefined)
  return ms === undefined ? undefined : boundWait(ms)
}

type HeaderValues = (name: string) => string[]

function readAdvice (values: HeaderValues, now: () => number): number | undefined {
  return first(values('retry-after-ms'), milliseconds) ??
    first(values('x-ms-retry-after-ms'), milliseconds) ??
    largest(values('retry-after').flatMap(splitTwice), value => seconds(value) ?? untilDate(value, now()))
}

function readReset (values: HeaderValues, now: () => number): number | undefined {
  return first(values('ratelimit-reset'), value => untilReset(value, now())) ??
    first(values('ratelimit'), value => seconds(/(?:^|[;,\s])t=([^;,\s]*)/.exec(value)?.[1])) ??
    first(values('x-ratelimit-reset'), value => untilReset(value, now())) ??
    first(values('x-ratelimit-reset-after'), seconds)
}

const NUMBER = /^\d+(?:\.\d+)?$/

/** Digits with an optional fraction; everything else is absent, never 0 and never NaN. */
function number (value: string | undefined): number | undefined {
  const text = value?.trim() ?? ''
  return NUMBER.test(text) ? Number(text) : undefined
}

function seconds (value: string | undefined): number | undefined {
  const parsed = number(value)
  return parsed === undefined ? undefined : Math.ceil(parsed) * 1000
}

function milliseconds (value: string): number | undefined {
  const parsed = number(value)
  return parsed === undefined ? undefined : Math.ceil(parsed)
}

function untilReset (value: string, nowMs: number): number | undefined {
  const parsed = number(value)
  if (parsed === undefined) return undefined
  if (parsed > 1e12) return until(parsed, nowMs)
  return parsed > 1e9 ? until(parsed * 1000, nowMs) : Math.ceil(parsed) * 1000
}

function untilDate (value: string, nowMs: number): number | undefined {
  const at = parseHttpDate(value, nowMs)
  return at === undefined ? undefined : until(at, nowMs)
}

const DAY_MS = 86_400_000

/** A moment just past means "now"; one more than a day past is somebody's mistake. */
function until (at: number, nowMs: number): number | undefined {
  return at < nowMs - DAY_MS ? undefined : Math.max(at - nowMs, MIN_WAIT_MS)
}

/** `5, 120`: what fetch makes of a header sent twice. The comma inside a date follows the name of a day. */
function splitTwice (value: string): string[] {
  return value.split(/(?<![a-z]),/)
}

function first (values: string[], parse: (value: string) => number | undefined): number | undefined {
  return values.map(parse).find(value => value !== undefined)
}

function largest (values: string[], parse: (value: string) => number | undefined): number | undefined {
  const parsed = values.map(parse).filter(value => value !== undefined)
  return parsed.length === 0 ? undefined : Math.max(...parsed)
}

/** All others say nothing here. */
const NAMES = new Set(['date', 'retry-after-ms', 'x-ms-retry-after-ms', 'retry-after', 'ratelimit-reset', 'ratelimit', 'x-ratelimit-reset', 'x-ratelimit-reset-after'])

function headerValues (headers: HeadersLike): HeaderValues {
  const found = new Map<string, string[]>()
  const entries = Symbol.iterator in headers ? headers as Iterable<readonly [string, unknown]> : Object.entries(headers)
  for (const [name, value] of entries) {
    const key = String(name).toLowerCase()
    if (!NAMES.has(key)) continue
    const texts = (Array.isArray(value) ? value : [value]).filter(item => typeof item === 'string' || typeof item === 'number').map(String)
    const known = found.get(key)
    if (known === undefined) found.set(key, texts)
    else known.push(...texts)
  }
  return name => found.get(name) ?? []
}
