const BEARER = 'bearer'

/** How a document says that callers are asked who they are: for all operations that do not say otherwise. */
export const security = [{ [BEARER]: [] }] as const

/** What `security` speaks of. */
export const securitySchemes = {
  [BEARER]: { type: 'http', scheme: 'bearer', description: 'An API key, or a token of the authorization server.' }
} as const

/** What one operation says otherwise: the scopes it needs, or that nobody is asked. */
export function securityOf (scopes: readonly string[], isPublic: boolean): { security?: Array<Record<string, readonly string[]>> } {
  if (isPublic) return { security: [] }
  return scopes.length > 0 ? { security: [{ [BEARER]: scopes }] } : {}
}
