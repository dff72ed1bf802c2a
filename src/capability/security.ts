const BEARER = 'bearer'

/** How a document says that callers are asked who they are: for all operations that do not say otherwise. */
export const security = [{ [BEARER]: [] }] as const

/** What `security` speaks of. */
export const securitySchemes = {
  [BEARER]: { type: 'http', scheme: 'bearer', description: 'An API key, or a token of the authorization server.' }
} as const

/** What one operation says otherwise: the scopes it needs, at an address that is open to all too, or that nobody is asked. */
export function securityOf (scopes: readonly string[], isPublic: boolean): { security?: Array<Record<string, readonly string[]>> } {
  if (scopes.length > 0) return { security: [{ [BEARER]: scopes }] }
  return isPublic ? { security: [] } : {}
}
