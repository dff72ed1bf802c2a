/** What a refused caller is told of how to come in: RFC 6750, and `resource_metadata` of RFC 9728. */
export interface Challenge {
  realm?: string
  error?: 'invalid_token' | 'insufficient_scope'
  /** All that the resource asks for. */
  scopes?: readonly string[]
  resourceMetadata?: string
}

/** The value of `WWW-Authenticate`. A quote is escaped: names and scopes have none, but a serialised URL may have one in its host. */
export function challengeOf ({ realm, error, scopes, resourceMetadata }: Challenge): string {
  const parts = { realm, error, scope: scopes?.join(' '), resource_metadata: resourceMetadata }
  return `Bearer ${Object.entries(parts).filter(([, value]) => value !== undefined).map(([name, value]) => `${name}="${value!.replace(/["\\]/g, '\\$&')}"`).join(', ')}`
}
