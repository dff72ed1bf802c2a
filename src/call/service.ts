import type { HonestyRule } from '../capability/honesty-rules.js'
import type { CountCall } from '../policy/rate-counter.js'
import type { Waits } from '../policy/waits.js'
import type { Upstream } from '../upstream/client.js'
import type { Directory } from '../upstream/directory.js'
import type { Tally } from '../upstream/ledger.js'
import type { Prepared } from './prepared.js'

/** What became of one call, for whoever counts. */
export interface CallReport {
  readonly capability: string
  readonly outcome: 'success' | 'failure' | 'caller_gone'
  /** Of a failure. */
  readonly code?: string
  readonly durationMs: number
  /** How its exchanges ended, by upstream. */
  readonly exchanges: ReadonlyMap<string, Tally>
  /** The rules of honesty that it broke, and whether that made it fail. */
  readonly rules: ReadonlyArray<{ readonly rule: HonestyRule, readonly refused: boolean }>
}

/** A running service: what its doors open on. */
export interface Service {
  readonly capabilities: ReadonlyMap<string, Prepared>
  /** Configured ones, by label. */
  readonly upstreams: ReadonlyMap<string, Upstream>
  /** The same, by their addresses. */
  readonly directory: Directory
  /** When those come back that were told to wait. */
  readonly waits: Waits
  /** Is everybody asked who they are? Then nobody is told of more than they may call. */
  readonly isProtected: boolean
  /** Counts each call before it is taken, where limits hold. */
  countCall?: CountCall
  /** Is the process past the bounds it was given? Left out without any. */
  isOverloaded?: () => boolean
  /** Told of every call that ended, once. */
  readonly report?: (report: CallReport) => void
}

const running = new WeakMap<object, Service[]>()

/** Says that a service answers at this server (Fastify's `app.server`). */
export function announceService (server: object, service: Service): void {
  running.set(server, [...servicesAt(server), service])
}

/** The services that answer at a server: for tests, which look behind the door. */
export function servicesAt (server: object): readonly Service[] {
  return running.get(server) ?? []
}
