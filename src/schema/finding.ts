import { describeValue, quote, typeOf } from './describe-value.js'
import type { FieldPolicy } from './field-policy.js'
import { isSecretName } from '../protocol/redact.js'
import { nearest } from './nearest.js'
import type { FoundProblem } from './problem.js'
import { expectationText, isMissingRule, isValueRule, type Expectation } from './rules.js'

/** Something wrong, before it is put into words: of thousands only a few are. */
export interface Finding {
  readonly field: string
  readonly rule: string
  readonly value: unknown
  readonly policy: FieldPolicy
  readonly expectation: () => Expectation
  /** What came, where more can be said of it than its type and value. */
  readonly received?: string
  /** The declared field that a misspelt one most likely meant. */
  readonly near?: string
  /** The values that are allowed here, where they can be listed. */
  readonly allowed?: readonly unknown[]
  /** Is anything secret in a value of this schema? Then nothing that came in its place is echoed. */
  readonly holdsSecret?: () => boolean
  /** The types that are accepted here. */
  readonly types?: () => readonly string[]
  /** Would this value be right here? */
  readonly accepts?: ((value: unknown) => boolean) | undefined
}

/** Text of a detail is not longer than this. */
const MAX_TEXT = 480

/** Is this a wrong value that no model may correct? */
export function isUncorrectable ({ policy, rule }: Finding): boolean {
  return policy.uncorrectable && isValueRule(rule)
}

/** A finding in words, without what is secret. */
export function toProblem (finding: Finding): FoundProblem {
  const { field, rule, policy, near } = finding
  const expectation = finding.expectation()
  const { lead, items } = expectation
  const isSecret = policy.sensitive || isSecretName(field) || finding.holdsSecret?.() === true
  const quoted = rule === 'type' && isQuoted(finding)
  const meant = near !== undefined ? near : isSecret || quoted || isUncorrectable(finding) ? undefined : nearestValue(finding)
  return {
    field,
    rule,
    expected: expectationText(expectation, MAX_TEXT),
    received: received(finding, isSecret, quoted),
    ...(meant !== undefined && { nearest: typeof meant === 'string' ? meant : quote(meant), spelling: near ?? quote(meant) }),
    ...(items !== undefined && { list: { lead, items } }),
    ...(quoted && { quoted }),
    ...(policy.code !== undefined && isValueRule(rule) && { code: policy.code }),
    ...(isUncorrectable(finding) && { uncorrectable: true as const })
  }
}

function received ({ rule, value, received }: Finding, isSecret: boolean, quoted: boolean): string {
  if (isMissingRule(rule)) return 'nothing'
  // The value of an unknown field may be the secret of the one it is meant for.
  if (rule === 'additionalProperties') return describeValue(value, true)
  if (received !== undefined && !isSecret) return received
  return quoted ? 'a string that contains JSON' : describeValue(value, isSecret)
}

/** Models often send arrays and objects as text. */
function isQuoted ({ value, types }: Finding): boolean {
  if (typeof value !== 'string' || types === undefined || !/^\s*[[{]/.test(value)) return false
  return types().includes(typeOf(parse(value)))
}

/** The allowed value that was most likely meant: near in spelling, or the same in another type. */
function nearestValue ({ value, rule, allowed, accepts }: Finding): unknown {
  const isText = typeof value === 'string'
  const twins = isText ? [parse(value.trim())] : typeof value === 'number' ? [String(value)] : []
  const isAllowed = allowed !== undefined ? (twin: unknown) => allowed.includes(twin) : (twin: unknown) => rule === 'type' && accepts?.(twin)
  // `null` is no spelling of anything, and a container is told as text that contains JSON.
  const twin = twins.find(twin => twin !== undefined && typeof twin !== 'object' && typeOf(twin) !== typeOf(value) && isAllowed(twin))
  if (twin !== undefined || !isText || allowed === undefined) return twin
  return nearest(value, allowed.filter(item => typeof item === 'string'))
}

function parse (text: string): unknown {
  try { return JSON.parse(text) } catch { return undefined }
}
