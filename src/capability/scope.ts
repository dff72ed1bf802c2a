// The characters of RFC 6749: a scope stands between quotes in `WWW-Authenticate`, and between spaces in a token.
const SCOPE = /^[\x21\x23-\x5b\x5d-\x7e]{1,100}$/

/** Is this a scope: a word of printable ASCII without quotes and backslashes? */
export function isScope (value: unknown): value is string {
  return typeof value === 'string' && SCOPE.test(value)
}
