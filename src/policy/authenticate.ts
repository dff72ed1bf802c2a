import type { Principal } from '../capability/call.js'
import { isScope } from '../capability/scope.js'
import { isToolError, withFields, type ToolError } from '../protocol/tool-error.js'
import { isSchema as isObject } from '../schema/walk.js'
import { attempt } from '../upstream/evidence.js'
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
  /** The team's own function answered with what is no principal, or threw what is no legal tool error. */
  | { readonly broken: unknown }
  /** The team's own function says itself what is wrong. What a write did is not its to say. */
  | { readonly failure: ToolError }

/** How long the team's own function may take. A caller that waits longer for its first answer has gone. */
const OWN_TIMEOUT_MS = 10_000

/** Finds out who makes a request: by the keys, by the token where it has the form of one, then by the team's own function, which has `ownTimeoutMs`. */
export function createAuthenticator ({ apiKeys = [], jwt, authenticate }: AuthOptions, ownTimeoutMs: number = OWN_TIMEOUT_MS): (bearer: Bearer, request: Omit<Credentials, 'token'>) => Promise<Verdict> {
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
    const credentials = { token: 'token' in bearer ? bearer.token : undefined, ...request }
    return await askOwn(() => authenticate(credentials), ownTimeoutMs) ?? verdict
  }
}

/** `undefined` where the function knows nobody. */
async function askOwn (ask: () => unknown, timeoutMs: number): Promise<Verdict | undefined> {
  let given: unknown
  try {
    given = await inTime(ask, timeoutMs)
  } catch (error) {
    return thrownBy(error)
  }
  if (given === undefined) return undefined
  try {
    return { principal: principalIn(given) }
  } catch (broken) {
    return { broken }
  }
}

/** What comes too late is dropped, a failure too: whoever asked has been answered. */
async function inTime (ask: () => unknown, timeoutMs: number): Promise<unknown> {
  let timer: NodeJS.Timeout | undefined
  const tooLate = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`\`authenticate\` did not answer in ${timeoutMs} ms.`)), timeoutMs)
  })
  try {
    return await Promise.race([ask(), tooLate])
  } finally {
    clearTimeout(timer)
  }
}

function thrownBy (error: unknown): Verdict {
  if (attempt(() => isToolError(error)) !== true) return { unavailable: error }
  // A copy: what is read of it later is what was looked at here.
  const failure = attempt(() => {
    const { outcome: _, ...details } = { ...(error as ToolError).details }
    return withFields(error as ToolError, { details })
  })
  return failure === undefined ? { broken: error } : { failure }
}

/** Throws where it is none, or throws when it is looked at: a mistake of the function either way. */
function principalIn (given: unknown): Principal {
  const { id, scopes, claims } = (isObject(given) ? given : {}) as Partial<Principal>
  const mistakes = !isObject(given)
    ? ['it is no object']
    : [
        ...typeof id === 'string' && id !== '' ? [] : ['`id` is no non-empty string'],
        ...Array.isArray(scopes) && scopes.every(isScope) ? [] : ['`scopes` is no array of words without spaces or quotes'],
        ...isObject(claims) ? [] : ['`claims` is no object']
      ]
  if (mistakes.length > 0) throw new TypeError(`Expected \`authenticate\` to return a principal or undefined: ${mistakes.join(', ')}.`)
  return createPrincipal(id!, scopes!, claims!)
}
