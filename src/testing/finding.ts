import type { HonestyRule } from '../capability/honesty-rules.js'
import type { Told } from './told.js'

/** One thing that a drill found. */
export interface Finding {
  readonly upstream: string
  /** What the upstream did: `answers 503`. */
  readonly break: string
  /**
   * `claimed_success`: the tool claimed a success that the broken upstream had no part in. `misreported`: the failure is told
   * as another than it was. `leaked`: the answer shows what no caller may see.
   */
  readonly kind: 'claimed_success' | 'misreported' | 'leaked'
  readonly expected: string
  readonly got: string
  /** The rule of honest success that kept the claim from the caller. */
  readonly refusedBy?: HonestyRule
}

/** What came of a drill. `String(report)` has a line for each finding. */
export interface DrillReport {
  /** Nothing was found, and every upstream was reached. */
  readonly passed: boolean
  readonly calls: number
  readonly findings: readonly Finding[]
  /** Upstreams that no call asked while they were broken: nothing is known of how the tool takes their failures. */
  readonly unreached: readonly string[]
  toString (): string
}

/** A report of a capability's drill. */
export function createReport (capability: string, { calls, findings, unreached }: Pick<DrillReport, 'calls' | 'findings' | 'unreached'>): DrillReport {
  const passed = findings.length === 0 && unreached.length === 0
  const lines = [
    `${capability} ${passed ? 'passed' : 'did not pass'} its drill of ${calls} calls.`,
    ...findings.map(lineOf),
    ...unreached.map(label => `- ${label} was never asked while it was broken, so nothing is known of how its failures are taken.`)
  ]
  return { passed, calls, findings, unreached, toString: () => lines.join('\n') }
}

function lineOf ({ upstream, break: name, kind, expected, got, refusedBy }: Finding): string {
  const refused = refusedBy === undefined ? '' : `, which the rule '${refusedBy}' refused`
  return `- ${upstream} ${name}: ${kind}. Expected ${expected}, got ${got}${refused}.`
}

/** A failure as one text. */
export function inWords ({ status, code, category, retryable, next, outcome }: Told): string {
  return `${status} ${code} (${category}, retryable: ${retryable}, next_action: ${next}${outcome === undefined ? '' : `, outcome: ${outcome}`})`
}
