import { watchHttp } from './watch-http.js'
import { watchUndici } from './watch-undici.js'

export { observed } from './observed.js'
export { observedBy, unobserved, type KnownUpstream, type Observer } from './observer.js'

let watchers = 0
let stops: Array<() => void> = []

/**
 * Watches the requests of every undici, the one in Node too, and of `node:http`: those made on behalf of an observer are
 * recorded. Several may watch at once, and each stops by what is returned here.
 */
export function watchClients (): () => void {
  if (watchers++ === 0) stops = [watchUndici(), watchHttp()]
  let watches = true
  return () => {
    if (!watches) return
    watches = false
    if (--watchers === 0) for (const stop of stops) stop()
  }
}
