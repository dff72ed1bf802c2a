import type { Metric, Registry } from 'prom-client'
import { isLabel } from '../protocol/text.js'
import { Durations } from './durations.js'
import type { CallReport } from './service.js'

/** What a service counts, and the page that shows it. */
export interface Metrics {
  /** Counts a call that ended. */
  report: (report: CallReport) => void
  /** All that was counted, in the text format of Prometheus. */
  text: () => Promise<string>
  contentType: string
}

/** How many upstreams are told apart: a source that a capability observes is any word, and each costs memory for good. */
const UPSTREAMS = 200
const RESULTS = ['success', 'failed', 'abandoned', 'open'] as const

/** What was counted of one capability. */
interface Counted {
  readonly durations: Partial<Record<CallReport['outcome'], Durations>>
  /** How many calls, by outcome and code. */
  readonly calls: Map<string, { readonly outcome: string, readonly code: string, count: number }>
  readonly rules: Map<string, { readonly rule: string, readonly result: string, count: number }>
}

/** A line of a metric: labels and value, and its name where it is another than the metric's. */
interface Sample { readonly labels: Record<string, string | number>, readonly value: number, readonly metricName?: string }

/**
 * Counters of one service, in a registry of its own: two services in a process do not mix. Counted in plain fields, and made
 * into samples when somebody asks: every call would pay for labels that are looked at four times a minute.
 * An upstream beyond the first 200, or whose name is not 1 to 64 letters, digits, dots, hyphens or underscores, counts as `other`.
 */
export function createMetrics (): Metrics {
  let registry: Promise<Registry> | undefined
  const capabilities = new Map<string, Counted>()
  const upstreams = new Map<string, Record<typeof RESULTS[number], number>>()
  const each = (samplesOf: (capability: string, counted: Counted) => Sample[]) => () => [...capabilities].flatMap(([capability, counted]) => samplesOf(capability, counted))

  const families: readonly Family[] = [
    ['counter', 'candor_calls_total', 'Calls that ended, by outcome; the code is empty on success.',
      each((capability, { calls }) => [...calls.values()].map(({ outcome, code, count }) => ({ labels: { capability, outcome, code }, value: count })))],
    ['histogram', 'candor_call_duration_seconds', 'How long calls took.',
      each((capability, { durations }) => Object.entries(durations).flatMap(([outcome, one]) => one.samples('candor_call_duration_seconds', { capability, outcome })))],
    ['counter', 'candor_exchanges_total', 'Exchanges with upstreams, by how they had ended when their call did.',
      () => [...upstreams].flatMap(([upstream, counts]) => RESULTS.filter(result => counts[result] > 0).map(result => ({ labels: { upstream, result }, value: counts[result] })))],
    ['counter', 'candor_honesty_total', 'Rules of honest success that calls broke.',
      each((capability, { rules }) => [...rules.values()].map(({ rule, result, count }) => ({ labels: { capability, rule, result }, value: count })))]
  ]

  /** What is counted of an upstream, under its own label or `other`. */
  function countsOf (upstream: string): Record<typeof RESULTS[number], number> {
    const known = upstreams.get(upstream)
    if (known !== undefined) return known
    const label = upstreams.size < UPSTREAMS && isLabel(upstream) ? upstream : 'other'
    const counts = upstreams.get(label) ?? { success: 0, failed: 0, abandoned: 0, open: 0 }
    upstreams.set(label, counts)
    return counts
  }

  return {
    report ({ capability, outcome, code = '', durationMs, exchanges, rules }) {
      let counted = capabilities.get(capability)
      if (counted === undefined) capabilities.set(capability, counted = { durations: {}, calls: new Map(), rules: new Map() })
      const durations = counted.durations[outcome] ??= new Durations()
      durations.add(durationMs / 1000)
      // A success has no code, and an outcome is none.
      const key = code === '' ? outcome : code
      const calls = counted.calls.get(key)
      if (calls === undefined) counted.calls.set(key, { outcome, code, count: 1 })
      else calls.count++
      for (const [upstream, tally] of exchanges) {
        const counts = countsOf(upstream)
        for (const result of RESULTS) counts[result] += tally[result]
      }
      for (const { rule, refused } of rules) {
        const broken = counted.rules.get(`${rule} ${refused}`) ?? { rule, result: refused ? 'refused' : 'warned', count: 0 }
        broken.count++
        counted.rules.set(`${rule} ${refused}`, broken)
      }
    },
    async text () {
      registry ??= createRegistry(families)
      return await (await registry).metrics()
    },
    contentType: 'text/plain; version=0.0.4; charset=utf-8'
  }
}

type Family = readonly [type: 'counter' | 'histogram', name: string, help: string, samples: () => Sample[]]

/** Metrics whose samples are made when they are asked for. prom-client takes whatever can say its name and its values; it is loaded for the first who asks. */
async function createRegistry (families: readonly Family[]): Promise<Registry> {
  const { Registry } = await import('prom-client')
  const registry = new Registry()
  for (const [type, name, help, samples] of families) {
    const metric = { name, help, type, aggregator: 'sum', get: async () => ({ name, help, type, aggregator: 'sum', values: samples() }) }
    registry.registerMetric(metric as unknown as Metric)
  }
  return registry
}
