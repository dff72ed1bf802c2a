/** When callers that were told to wait come back, so that they do not all come in the same second. */
export class Waits {
  /** The wait to tell: `ms`, or somewhat more where others of the same key come back then. `nowMs` as `Date.now()` gives it. */
  spread (_key: string, ms: number, _nowMs: number = Date.now()): number {
    return ms
  }
}
