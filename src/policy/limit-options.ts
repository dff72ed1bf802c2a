import type { Capability } from '../capability/define.js'
import type { RateLimit } from '../capability/rate-limit.js'

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

/** What is wrong with these options, each as a sentence; empty where they may be used, and without any. */
export function mistakesInLimits (_limits: unknown, _capabilities: readonly Capability[]): string[] {
  return []
}
