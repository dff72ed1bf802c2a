/** One thing wrong with an input, in the four parts an agent needs to correct it. */
export interface Problem {
  /** Where: `days[3].hours.from`; empty for the input as a whole. */
  readonly field: string
  /** Which rule: the JSON Schema keyword, or a word of the author's. */
  readonly rule: string
  /** What would be right, as text that follows "expected": `an integer from 1 to 16`. */
  readonly expected: string
  /** What came, as text that follows "got": its type, and the value where it is short and not secret. */
  readonly received?: string
  /** The nearest legal spelling of a misspelt field or value; a value that is no string as JSON. */
  readonly nearest?: string
}

/** A problem with what only the service knows of its field. */
export interface FoundProblem extends Problem {
  /** `expected` in its parts, so that a list of values can be shortened by values. */
  readonly list?: { readonly lead: string, readonly items: readonly string[] }
  /** `nearest` as it is written: a field's name bare, a value as JSON. */
  readonly spelling?: string
  /** An array or object was sent as text that contains JSON. */
  readonly quoted?: true
  /** The author's code for a wrong value here. */
  readonly code?: string
  /** A wrong value here is what somebody meant: no model may invent another. */
  readonly uncorrectable?: true
}

/** What is wrong with an input: the first few problems, and what is known of the rest. */
export interface Report {
  /** The most useful first. */
  readonly problems: readonly FoundProblem[]
  /** How many fields are wrong in all, as far as was looked. */
  readonly total: number
  /** `false` where not all of the input was looked at. */
  readonly complete?: boolean
  /** Are missing fields all that is wrong? Where it is not said, the problems tell. */
  readonly onlyMissing?: boolean
}
