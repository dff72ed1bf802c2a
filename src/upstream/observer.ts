import { AsyncLocalStorage } from 'node:async_hooks'
import type { Exchange } from './exchange.js'
import { Roster } from './roster.js'

/** Whoever is told of the exchanges that are made on its behalf, whatever client makes them: a call, or a plain route's request. */
export interface Observer {
  /** Takes an exchange at its beginning; it is completed in place. Told nothing more once the call has ended. */
  record (exchange: Exchange): void
  /** The upstream that has this origin; of several the one whose base path the path is under. `undefined` for any other. */
  upstreamAt (origin: string, path: string): KnownUpstream | undefined
}

/** What the configuration says of an upstream. */
export interface KnownUpstream {
  readonly label: string
  /** Does the observer declare it? */
  readonly declared: boolean
  /** Is its `x-candor-simulated` believed? */
  readonly simulated: boolean
}

const observers = new AsyncLocalStorage<Observer | undefined>()

/** Runs something on behalf of an observer: what is sent from here on is its own. */
export function observedBy<T> (observer: Observer, run: () => T): T {
  return observers.run(observer, run)
}

/** Runs something that belongs to nobody. */
export function unobserved<T> (run: () => T): T {
  return observers.run(undefined, run)
}

let isOnRecord = false

/** Sends a request whose exchange is on record already: nobody has to look at it, nor at what it leaves behind. */
export function recorded<T> (send: () => T): T {
  const before = isOnRecord
  isOnRecord = true
  try {
    return observers.run(undefined, send)
  } finally {
    isOnRecord = before
  }
}

/** Is what is sent at this moment on record already? */
export function isRecorded (): boolean {
  return isOnRecord
}

/** On whose behalf this code runs. */
export function currentObserver (): Observer | undefined {
  return observers.getStore()
}

const running = new Roster<Observer>()

/** Says that an observer's call runs, until {@link noLongerRunning}: it may be the owner of what nobody can tell. */
export function nowRunning (observer: Observer): void {
  running.add(observer)
}

/** Says that an observer's call has ended. */
export function noLongerRunning (observer: Observer): void {
  running.remove(observer)
}

/** All whose call runs, and who may have asked for what is sent now. */
export function possibleOwners (): readonly Observer[] {
  return running.present
}
