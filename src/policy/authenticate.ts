import type { Principal } from '../capability/call.js'
import { isScope } from '../capability/scope.js'
import { isToolError, mistakesIn, type ToolError } from '../protocol/tool-error.js'
import { isSchema as isObject } from '../schema/walk.js'
import { createKeyLookup } from './api-keys.js'
import type { AuthOptions, Credentials } from './auth-options.js'
import type { Bearer } from './bearer.js'
import { createJwtCheck, isJwt, type JwtVerdict } from './jwt.js'
import { createPrincipal } from './principal.js'

/** Why nobody is known: what was sent, as far as a caller may hear it. */
export type Refused = 'missing' | 'malformed' | 'repeated' | 'unknown_key' | 'unknown' | 'expired' | 'not_yet_valid' | 'not_accepted'

/** Who makes a request, or why nobody can say so. */
export type Verdict =
  | { readonly principal: Principal }
  | { readonly refused: Refused }
  /** Credentials cannot be checked at the moment. */
  | { readonly unavailable: unknown }
  /** The team's own function answered with what is no principal. */
  | { readonly broken: unknown }
  /** The team's own function says itself what is wrong. */
  | { readonly failure: ToolError }

/** Finds out who makes a request: by the keys, by the token where it has the form of one, then by the team's own function. */
export function createAuthenticator ({ apiKeys = [], jwt, authenticate }: AuthOptions): (bearer: Bearer, request: Omit<Credentials, 'token'>) => Promise<Verdict> {
  const findKey = createKeyLookup(apiKeys)
  const checkJwt = jwt === undefined ? undefined : createJwtCheck(jwt)
  const ask = async (token: string): Promise<JwtVerdict | { refused: Refused }> => {
    const principal = findKey(token)
    if (principal !== undefined) return { principal }
    if (checkJwt !== undefined && isJwt(token)) return await checkJwt(token)
    return { refused: apiKeys.length > 0 ? 'unknown_key' : 'unknown' }
  }
  return async (bearer, request) => {
    const verdict = 'token' in bearer ? await ask(bearer.token) : { refused: bearer.problem }
    // Two headers: whoever is asked about one of them may be asked about the wrong one.
    if ('principal' in verdict || authenticate === undefined || ('refused' in verdict && verdict.refused === 'repeated')) return verdict
    return await askOwn(authenticate, { token: 'token' in bearer ? bearer.token : undefined, ...request }) ?? verdict
  }
}

/** `undefined` where the function knows nobody. */
async function askOwn (authenticate: NonNullable<AuthOptions['authenticate']>, credentials: Credentials): Promise<Verdict | undefined> {
  let given: unknown
  try {
    given = await authenticate(credentials)
  } catch (error) {
    if (!isToolError(error)) return { unavailable: error }
    return mistakesIn(error).length === 0 ? { failure: error } : { broken: error }
  }
  if (given === undefined) return undefined
  const mistakes = mistakesInPrincipal(given)
  if (mistakes.length > 0) return { broken: new TypeError(`Expected \`authenticate\` to return a principal or undefined: ${mistakes.join(', ')}.`) }
  const { id, scopes, claims } = given as Principal
  return { principal: createPrincipal(id, scopes, claims) }
}

function mistakesInPrincipal (given: unknown): string[] {
  if (!isObject(given)) return ['it is no object']
  const { id, scopes, claims } = given
  return [
    ...typeof id === 'string' && id !== '' ? [] : ['`id` is no non-empty string'],
    ...Array.isArray(scopes) && scopes.every(isScope) ? [] : ['`scopes` is no array of words without spaces or quotes'],
    ...isObject(claims) ? [] : ['`claims` is no object']
  ]
}
