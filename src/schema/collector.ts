import type { Sink } from './add-finding.js'
import { isUncorrectable, toProblem, type Finding } from './finding.js'
import type { FoundProblem } from './problem.js'
import { isMissingRule } from './rules.js'

/** Keeps the most useful findings, and counts the others. */
export class Collector implements Sink {
  readonly #kept: Finding[][] = [[], [], [], []]
  readonly #fields = new Set<string>()
  readonly #most: number
  readonly #firstOnly: boolean
  onlyMissing = true

  constructor (most: number, firstOnly: boolean) {
    this.#most = most
    this.#firstOnly = firstOnly
  }

  get total (): number { return this.#fields.size }

  get enough (): boolean { return this.#firstOnly && this.#fields.size > 0 }

  /** Two rules broken by one value are one wrong field; what no model may correct is told, whatever else is wrong there. */
  add (finding: Finding): void {
    const rank = rankOf(finding)
    if (this.#fields.has(finding.field) && rank > 0) return
    this.#fields.add(finding.field)
    this.onlyMissing &&= isMissingRule(finding.rule)
    const kept = this.#kept[rank]!
    if (kept.length < this.#most) kept.push(finding)
  }

  /** The most useful first. */
  problems (): FoundProblem[] {
    const fields = new Set<string>()
    const problems: FoundProblem[] = []
    for (const kept of this.#kept) {
      for (const finding of kept) {
        if (fields.has(finding.field) || problems.length === this.#most) continue
        fields.add(finding.field)
        problems.push(toProblem(finding))
      }
    }
    return problems
  }
}

/**
 * What stops the call comes first, as the answer's code is about it; then misspelt fields, which need no thought;
 * then all that is missing or wrong; last the fields nobody asked for.
 */
function rankOf (finding: Finding): number {
  if (isUncorrectable(finding)) return 0
  if (finding.rule !== 'additionalProperties') return 2
  return finding.near === undefined ? 3 : 1
}
