// Beside the errors: an author's details cannot claim it, and no code of a team's own has a row that says so.
const refused = new WeakSet<object>()

/** Says of a failure that the caller's credentials are what has to be mended, whatever its code. */
export function refuseCaller<T extends object> (error: T): T {
  refused.add(error)
  return error
}

/** Was that said of it? */
export function isCallerRefused (error: object): boolean {
  return refused.has(error)
}
