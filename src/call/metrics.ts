import { Counter, Histogram, Registry } from 'prom-client'
import { isLabel } from '../protocol/text.js'
import type { CallReport } from './service.js'

/** What a service counts, and the page that shows it. */
export interface Metrics {
  /** Counts a call that ended. */
  report: (report: CallReport) => void
  /** All that was counted, in the text format of Prometheus. */
  text: () => Promise<string>
  contentType: string
}

/** In seconds: from an answer out of memory to the longest that a caller waits. */
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]
/** How many upstreams are told apart: a source that a capability observes is any word, and each costs memory for good. */
const UPSTREAMS = 200
const RESULTS = ['success', 'failed', 'abandoned', 'open'] as const

/**
 * Counters of one service, in a registry of its own: two services in a process do not mix.
 * An upstream beyond the first 200, or whose name is not 1 to 64 letters, digits, dots, hyphens or underscores, counts as `other`.
 */
export function createMetrics (): Metrics {
  const registry = new Registry()
  const registers = [registry]
  const calls = new Counter({ name: 'candor_calls_total', help: 'Calls that ended, by outcome; the code is empty on success.', labelNames: ['capability', 'outcome', 'code'], registers })
  const durations = new Histogram({ name: 'candor_call_duration_seconds', help: 'How long calls took.', labelNames: ['capability', 'outcome'], buckets: BUCKETS, registers })
  const exchanges = new Counter({ name: 'candor_exchanges_total', help: 'Exchanges with upstreams, by how they had ended when their call did.', labelNames: ['upstream', 'result'], registers })
  const broken = new Counter({ name: 'candor_honesty_total', help: 'Rules of honest success that calls broke.', labelNames: ['capability', 'rule', 'result'], registers })

  const call = perLabels((capability, outcome, code) => {
    const [counter, duration] = [calls.labels(capability, outcome, code), durations.labels(capability, outcome)]
    return (seconds: number) => {
      counter.inc()
      duration.observe(seconds)
    }
  })
  const exchange = perLabels((upstream, result) => exchanges.labels(upstream, result))
  const honesty = perLabels((capability, rule, result) => broken.labels(capability, rule, result))
  const upstreams = new Set<string>()

  /** The label to count an upstream under. */
  function labelOf (upstream: string): string {
    if (upstreams.has(upstream)) return upstream
    if (upstreams.size >= UPSTREAMS || !isLabel(upstream)) return 'other'
    upstreams.add(upstream)
    return upstream
  }

  return {
    report ({ capability, outcome, code = '', durationMs, exchanges, rules }) {
      call(capability, outcome, code)(durationMs / 1000)
      for (const [upstream, tally] of exchanges) {
        const label = labelOf(upstream)
        for (const result of RESULTS) if (tally[result] > 0) exchange(label, result).inc(tally[result])
      }
      for (const { rule, refused } of rules) honesty(capability, rule, refused ? 'refused' : 'warned').inc()
    },
    text: () => registry.metrics(),
    contentType: registry.contentType
  }
}

/** Makes what belongs to these labels once. None of them has a space: the names are checked at start. */
function perLabels<T> (make: (...labels: [string, string, string]) => T): (first: string, second: string, third?: string) => T {
  const made = new Map<string, T>()
  return (first, second, third = '') => {
    const key = `${first} ${second} ${third}`
    const one = made.get(key) ?? make(first, second, third)
    made.set(key, one)
    return one
  }
}
