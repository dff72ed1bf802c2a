import { createRedactor, type Redactor } from '../protocol/redact.js'
import type { Task } from './ending.js'
import { unobserved } from './observer.js'

/** Gives the bearer token of an upstream. */
export type TokenSource = () => string | Promise<string>

/** Tokens that were in use may still be echoed by an answer under way. */
const MAX_KNOWN = 8

/** The token of one upstream: asked for on first use, shared by all calls, kept until a 401 refuses it. */
export class Auth {
  readonly #source: TokenSource
  readonly #known: string[] = []
  /** Takes the last tokens out of a text. */
  redact: Redactor = text => text
  #asking: Promise<string> | undefined
  #kept: string | undefined

  constructor (source: TokenSource) {
    this.#source = source
  }

  /** A token other than `refused`, unless the source insists on it. */
  token (refused?: string): Task<string> {
    if (this.#kept !== undefined && this.#kept !== refused) return { result: Promise.resolve(this.#kept), cancel: () => {} }
    const asking = this.#asking ?? this.#begin()
    let cancel!: (reason: Error) => void
    const result = new Promise<string>((resolve, reject) => {
      asking.then(resolve, reject)
      cancel = reason => {
        // Whoever comes next asks anew: this answer may never come.
        if (this.#asking === asking) this.#asking = undefined
        reject(reason)
      }
    })
    return { result, cancel }
  }

  #begin (): Promise<string> {
    const asking = this.#ask()
    this.#asking = asking
    const done = (): void => { if (this.#asking === asking) this.#asking = undefined }
    asking.then(done, done)
    return asking
  }

  async #ask (): Promise<string> {
    // Shared by all calls, so that what it sends belongs to none of them.
    const token: unknown = await unobserved(() => this.#source())
    if (typeof token !== 'string' || !/^[\x21-\x7e]+$/.test(token)) throw new TypeError('Expected `auth` to return a token without spaces or control characters.')
    this.#known.unshift(token)
    this.#known.splice(MAX_KNOWN)
    this.redact = createRedactor(this.#known)
    this.#kept = token
    return token
  }
}
