import { stringify, type ParsedUrlQueryInput } from 'node:querystring'
import type { Dispatcher } from 'undici'
import { attempt, get, getText } from './evidence.js'
import { ForeignExchange, targetOf } from './foreign-exchange.js'
import { observeBody } from './observed-body.js'
import { observeHandler } from './observed-handler.js'
import { currentObserver, unobserved, type Observer } from './observer.js'

/**
 * An undici dispatcher whose exchanges are recorded where they are asked for, so that each goes to its own call even where
 * connections are shared and limited. What it does by itself, as redirects and retries, is one exchange. Put it outermost:
 * around what `compose` gives, and then into `setGlobalDispatcher` or a client's `dispatcher`.
 */
export function observed<T extends Dispatcher> (dispatcher: T): T {
  const ownOrigin = originOf(dispatcher)
  const dispatch: Dispatcher['dispatch'] = (options, handler) => {
    const observer = currentObserver()
    const record = observer === undefined || typeof handler !== 'object' ? undefined : attempt(() => begin(observer, options, ownOrigin))
    if (observer === undefined || record === undefined) return dispatcher.dispatch(options, handler)
    return unobserved(() => {
      try {
        // Sockets that are opened here, and what waits for them, belong to nobody.
        return dispatcher.dispatch({ ...options, body: observeBody(observer, options.body) }, observeHandler(observer, record, handler))
      } catch (error) {
        record.failed(error)
        throw error
      }
    })
  }
  // Not through `compose`: its wrapper joins several cookies into one under the fetch of Node 20 and 22.
  return new Proxy(dispatcher, {
    get (target, key) {
      if (key === 'dispatch') return dispatch
      const value: unknown = Reflect.get(target, key)
      // Some dispatchers keep what they close in private fields, which no proxy has.
      return (key === 'close' || key === 'destroy') && typeof value === 'function' ? value.bind(target) : value
    }
  })
}

function begin (observer: Observer, options: Dispatcher.DispatchOptions, ownOrigin: unknown): ForeignExchange | undefined {
  const method = getText(options, 'method')
  const path = getText(options, 'path')
  // A tunnel is no request to an upstream: what goes through it is.
  if (method === undefined || path === undefined || method === 'CONNECT') return undefined
  const query = get(options, 'query')
  const target = targetOf(options.origin ?? ownOrigin, query === undefined ? path : `${path}?${stringify(query as ParsedUrlQueryInput)}`)
  return new ForeignExchange(observer, method, target)
}

/** A client or a pool has one origin, and need not be told it with each request. */
function originOf (dispatcher: Dispatcher): unknown {
  const symbol = Object.getOwnPropertySymbols(dispatcher).find(({ description }) => description === 'url')
  return symbol === undefined ? undefined : get(dispatcher, symbol)
}
