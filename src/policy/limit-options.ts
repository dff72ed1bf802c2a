import type { Capability } from '../capability/define.js'
import { isRateLimit, type RateLimit } from '../capability/rate-limit.js'
import { describeOption } from '../schema/describe-option.js'
import { isSchema as isObject } from '../schema/walk.js'
import { unknownOptions } from './unknown-options.js'

/** The part of an ioredis client that counting needs; the client is the team's own. */
export interface RedisClient {
  defineCommand (name: string, definition: { numberOfKeys?: number, lua: string }): void
}

/** How much a caller may ask, and all together. */
export interface LimitOptions {
  /** Calls of one principal (or address) to one capability. A capability may say otherwise. @default none */
  rate?: RateLimit
  /** Counts for all instances of the service together. @default each instance counts for itself */
  redis?: RedisClient
  /** Are calls taken while Redis does not answer? `closed`: 503 `SERVICE_UNAVAILABLE`. @default 'open' */
  whenRedisIsGone?: 'open' | 'closed'
  /** Refuses requests with `OVERLOADED` while the process is past one of these. @default none */
  overload?: OverloadOptions
}

/** From when on a process takes no more. */
export interface OverloadOptions {
  /** Delay of the event loop, in milliseconds. */
  maxEventLoopDelayMs?: number
  maxHeapUsedBytes?: number
  maxRssBytes?: number
}

const OPTIONS = ['rate', 'redis', 'whenRedisIsGone', 'overload'] satisfies Array<keyof LimitOptions>
const THRESHOLDS = ['maxEventLoopDelayMs', 'maxHeapUsedBytes', 'maxRssBytes'] satisfies Array<keyof OverloadOptions>

/** What is wrong with these options, each as a sentence; empty where they may be used, and without any. */
export function mistakesInLimits (limits: unknown, capabilities: readonly Capability[]): string[] {
  if (limits === undefined) return []
  if (!isObject(limits)) return [`Expected \`limits\` to be an object, as in { rate: { max: 100, windowMs: 60000 } }, got ${describeOption(limits)}.`]
  const { rate, redis, whenRedisIsGone, overload } = limits
  const mistakes = unknownOptions(limits, OPTIONS, 'limits')
  if (rate !== undefined && !isRateLimit(rate)) mistakes.push(`Expected \`limits.rate\` to be { max: 100, windowMs: 60000 }, \`max\` a whole number of 1 or more, \`windowMs\` 1000 or more and below 2147483648, got ${describeOption(rate)}.`)
  if (redis !== undefined && !isClient(redis)) mistakes.push('Expected `limits.redis` to be a client of ioredis.')
  if (redis !== undefined && rate === undefined && !hasRate(capabilities)) mistakes.push('Expected `limits.rate`, or `rateLimit` of a capability, beside `limits.redis`; without one nothing is counted.')
  if (whenRedisIsGone !== undefined && whenRedisIsGone !== 'open' && whenRedisIsGone !== 'closed') mistakes.push(`Expected \`limits.whenRedisIsGone\` to be 'open' or 'closed', got ${describeOption(whenRedisIsGone)}.`)
  else if (whenRedisIsGone !== undefined && redis === undefined) mistakes.push('Expected `limits.redis` beside `limits.whenRedisIsGone`.')
  return overload === undefined ? mistakes : [...mistakes, ...mistakesInOverload(overload)]
}

function mistakesInOverload (overload: unknown): string[] {
  if (!isObject(overload)) return [`Expected \`limits.overload\` to be an object, as in { maxEventLoopDelayMs: 1000 }, got ${describeOption(overload)}.`]
  const given = THRESHOLDS.filter(option => overload[option] !== undefined)
  const mistakes = unknownOptions(overload, THRESHOLDS, 'limits.overload')
  if (given.length === 0) mistakes.push(`Expected \`limits.overload\` to name a bound: ${THRESHOLDS.map(option => `\`${option}\``).join(', ')}.`)
  const wrong = given.filter(option => !(Number.isFinite(overload[option]) && overload[option] > 0))
  return [...mistakes, ...wrong.map(option => `Expected \`limits.overload.${option}\` to be a positive number, got ${describeOption(overload[option])}.`)]
}

/** A client of any class: a project may hold several copies of ioredis. */
function isClient (redis: unknown): boolean {
  return typeof redis === 'object' && redis !== null && typeof (redis as Partial<RedisClient>).defineCommand === 'function'
}

/** What is no capability at all is somebody else's to say. */
function hasRate (capabilities: unknown): boolean {
  return Array.isArray(capabilities) && capabilities.some(one => isObject(one) && typeof one.rateLimit === 'object')
}
