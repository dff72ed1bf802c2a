/** What `Authorization` says: a token, or why there is none. */
export type Bearer = { readonly token: string } | { readonly problem: 'missing' | 'malformed' | 'repeated' }

// The scheme in any letter case; a token of printable ASCII without spaces, so that nothing is decoded or guessed.
const BEARER = /^bearer +([\x21-\x7e]+) *$/i

/** Reads the bearer token of a request. `rawHeaders` are names and values in turn, as Node has them. */
export function readBearer (header: string | undefined, rawHeaders: readonly string[]): Bearer {
  // Node keeps the first of two, a proxy may have looked at the last: neither is taken.
  if (rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'authorization').length > 1) return { problem: 'repeated' }
  if (header === undefined || header === '') return { problem: 'missing' }
  const token = BEARER.exec(header)?.[1]
  return token === undefined ? { problem: 'malformed' } : { token }
}
