import { setTimeout as pause } from 'node:timers/promises'
import type * as jose from 'jose'
import { fetchKeys } from './fetch-keys.js'

type GetKey = jose.JWTVerifyGetKey

/** How a key set is fetched, in milliseconds. */
export interface RemoteKeysOptions {
  /** Between the beginnings of two fetches. @default 1000 */
  coolDownMs?: number
  /** One fetch, from beginning to end. @default 5000 */
  timeoutMs?: number
  /** How long a set is used without asking whether it still holds. @default 600000 */
  maxAgeMs?: number
  /** How long a set that could not be fetched again is used on before the next try. @default 30000 */
  retryMs?: number
}

/** The key set could not be had: nothing can be said of the token. The cause is for the log. */
export class KeysUnavailable extends Error {
  override name = 'KeysUnavailable'
}

/**
 * The public keys at a URL. A key that is not among them, or cannot be used, is looked for in a set that is fetched after it was asked
 * for, so that a new one counts from its first token on; all who wait share that fetch. A set that is there already serves while the
 * other side is down.
 */
export class RemoteKeys {
  readonly #library: typeof jose
  readonly #url: string
  readonly #times: Required<RemoteKeysOptions>
  #set: GetKey | undefined
  #begunAt = -Infinity
  #fetchedAt = -Infinity
  #failed: { error: KeysUnavailable, at: number } | undefined
  #running: Promise<void> | undefined
  #next: Promise<void> | undefined

  constructor (library: typeof jose, url: string, { coolDownMs = 1_000, timeoutMs = 5_000, maxAgeMs = 600_000, retryMs = 30_000 }: RemoteKeysOptions = {}) {
    this.#times = { coolDownMs, timeoutMs, maxAgeMs, retryMs }
    // Not `createRemoteJWKSet`: it answers "no such key" while it cools down, gives up its keys with age, and reads what never ends.
    this.#library = library
    this.#url = url
  }

  /** The key of a token. Throws `KeysUnavailable`, or what jose throws where there is no such key. */
  readonly get: GetKey = async (header, token) => {
    await this.#refresh()
    try {
      return await this.#set!(header, token)
    } catch (error) {
      if (!(error instanceof this.#library.errors.JWKSNoMatchingKey)) throw error
    }
    await this.#fetchLater()
    return await this.#set!(header, token)
  }

  async #refresh (): Promise<void> {
    const now = performance.now()
    if (this.#set === undefined) return await (this.#running ?? this.#fetchLater())
    const isOld = now - this.#fetchedAt > this.#times.maxAgeMs
    if (!isOld || (this.#running === undefined && now - this.#begunAt < this.#times.retryMs)) return
    // The old set serves where no new one is to be had.
    await (this.#running ?? this.#fetchLater()).catch(() => {})
  }

  /** A fetch that has not begun yet: one that runs may bring what stood there a moment ago. */
  async #fetchLater (): Promise<void> {
    // Nobody waits for a fetch that most likely fails like the one before it.
    if (this.#failed !== undefined && performance.now() - this.#failed.at < this.#times.coolDownMs) throw this.#failed.error
    this.#next ??= (async () => {
      await this.#running?.catch(() => {})
      const wait = this.#begunAt + this.#times.coolDownMs - performance.now()
      if (wait > 0) await pause(wait)
      this.#next = undefined
      this.#running = this.#fetch()
      await this.#running
    })()
    await this.#next
  }

  async #fetch (): Promise<void> {
    this.#begunAt = performance.now()
    try {
      this.#set = this.#library.createLocalJWKSet(await fetchKeys(this.#url, this.#times.timeoutMs))
      this.#fetchedAt = performance.now()
      this.#failed = undefined
    } catch (cause) {
      const error = new KeysUnavailable('The public keys of the authorization server could not be fetched.', { cause })
      this.#failed = { error, at: performance.now() }
      throw error
    } finally {
      this.#running = undefined
    }
  }
}
