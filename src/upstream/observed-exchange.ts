import { classifyUpstreamError, readFailure } from './classify.js'
import type { Exchange } from './exchange.js'

/** The exchange that an author reports of a source which speaks no HTTP. */
export function observedExchange ({ source, ok, effect = 'read', error }: { source: string, ok: boolean, effect?: 'read' | 'write', error?: unknown }): Exchange {
  const now = performance.now()
  return {
    upstream: source,
    declared: true,
    origin: `observed:${source}`,
    method: effect,
    path: '',
    effect,
    sent: ok || readFailure(error)?.unsent !== true,
    phase: 'body',
    // What was carried out is what the author says was.
    ...(ok && { status: 200 }),
    complete: ok,
    success: ok,
    ...(!ok && { error, failure: classifyUpstreamError(error, { upstream: source, quote: false }) }),
    startedAt: now,
    endedAt: now
  }
}
