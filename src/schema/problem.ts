/** One thing wrong with an input, in the four parts an agent needs to correct it. */
export interface Problem {
  /** Where: `days[3].hours.from`; empty for the input as a whole. */
  readonly field: string
  /** Which rule: the JSON Schema keyword, or a word of the author's. */
  readonly rule: string
  /** What would be right, as text. */
  readonly expected: string
  /** What came: its type, and the value where it is short and not secret. */
  readonly received?: string
  /** The nearest legal spelling. */
  readonly nearest?: string
}
