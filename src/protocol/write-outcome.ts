/** What a write did, as a statement about the whole call. */
export const WriteOutcome = {
  /** Sent, and no conclusive answer: it may have happened. */
  unknown: 'unknown',
  /** Provably not carried out by this call. */
  not_applied: 'not_applied',
  /** Carried out; the call ended before it could show its result. */
  applied: 'applied',
  /** Some of several writes were carried out. */
  partial: 'partial'
} as const

export type WriteOutcome = typeof WriteOutcome[keyof typeof WriteOutcome]
