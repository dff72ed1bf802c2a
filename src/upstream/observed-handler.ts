import { attempt, get } from './evidence.js'
import type { ForeignExchange } from './foreign-exchange.js'
import { isGivenUp, reasonOf } from './given-up.js'
import { observedBy, unobserved, type Observer } from './observer.js'
import { pairsOf } from './raw-headers.js'

type Callback = (...args: unknown[]) => unknown
type Note = (watch: HandlerWatch, args: readonly unknown[]) => void

// What each callback says of the exchange, in both generations of handlers: the older one is what the fetch of Node 20 and 22 has.
const notes: Readonly<Record<string, Note>> = {
  onHeaders: ({ record }, [status, headers]) => record.answered(status as number, pairsOf(headers)),
  onUpgrade: ({ record }, [status, headers]) => record.answered(status as number, pairsOf(headers)),
  onResponseStart: ({ record }, [, status, headers]) => record.answered(status as number, headers),
  onRequestUpgrade: ({ record }, [, status, headers]) => record.answered(status as number, headers),
  onComplete: ({ record }) => record.completed(),
  onResponseEnd: ({ record }) => record.completed(),
  onError: (watch, [error]) => watch.broken(error),
  onResponseError: (watch, [, error]) => watch.broken(error)
}

/** Callbacks that undici does without, and the record does not. */
const WANTED = new Set(['onResponseStart', 'onResponseEnd'])

/** A handler as its author has it, whose callbacks run on behalf of the observer and complete the record before they do. */
export function observeHandler<T extends object> (observer: Observer, record: ForeignExchange, handler: T): T {
  const watch = new HandlerWatch(observer, record, handler)
  const isNew = typeof get(handler, 'onRequestStart') === 'function'
  return new Proxy(handler, {
    get (target, key) {
      const value: unknown = Reflect.get(target, key)
      if (typeof value === 'function') return (...args: unknown[]) => watch.call(String(key), value.bind(target), args)
      return isNew && WANTED.has(String(key)) ? (...args: unknown[]) => watch.call(String(key), () => {}, args) : value
    }
  })
}

class HandlerWatch {
  readonly record: ForeignExchange
  readonly #observer: Observer
  readonly #steered = new WeakMap<object, object>()
  readonly #handler: object
  #stopped = false

  constructor (observer: Observer, record: ForeignExchange, handler: object) {
    this.#observer = observer
    this.record = record
    this.#handler = handler
  }

  call (name: string, callback: Callback, args: unknown[]): unknown {
    attempt(() => notes[name]?.(this, args))
    const steered = args.map((value, index) => this.#steer(name, value, index))
    const returned = this.#run(() => callback(...steered))
    // Aborted as it starts, undici writes nothing.
    if ((name === 'onConnect' || name === 'onRequestStart') && !this.#stopped) this.record.begun()
    return returned
  }

  #run (callback: () => unknown): unknown {
    try {
      return observedBy(this.#observer, callback)
    } catch (error) {
      // undici takes it for the reason of an abort.
      this.#stopped = true
      throw error
    }
  }

  broken (said: unknown): void {
    const error = this.#stopped ? reasonOf(said, this.#handler) : said
    if (this.#stopped && isGivenUp(error)) this.record.givenUp(error)
    else this.record.failed(error)
  }

  /** What the handler may do to its connection frees it for others, whose requests must not be taken for the observer's. */
  #steer (name: string, value: unknown, index: number): unknown {
    if (name === 'onConnect' && index === 0) return this.#stopping(value as Callback)
    if (name === 'onHeaders' && index === 2) return () => unobserved(value as Callback)
    const isController = index === 0 && /^on(?:Request|Response)[A-Z]/.test(name) && typeof value === 'object' && value !== null
    return isController ? this.#controlled(value) : value
  }

  #stopping (abort: Callback): Callback {
    return (...reason) => {
      this.#stopped = true
      return unobserved(() => abort(...reason))
    }
  }

  #controlled (controller: object): object {
    const known = this.#steered.get(controller)
    if (known !== undefined) return known
    const steered = new Proxy(controller, {
      get: (target, key) => {
        const value: unknown = Reflect.get(target, key)
        if (typeof value !== 'function') return value
        const bound: Callback = value.bind(target)
        return key === 'abort' ? this.#stopping(bound) : (...args: unknown[]) => unobserved(() => bound(...args))
      },
      set: (target, key, value) => Reflect.set(target, key, value)
    })
    this.#steered.set(controller, steered)
    return steered
  }
}
