import type * as jose from 'jose'
import type { Principal } from '../capability/call.js'
import { isScope } from '../capability/scope.js'
import { DEFAULT_ALGORITHMS, type JwtOptions } from './jwt-options.js'
import { createPrincipal } from './principal.js'
import { RemoteKeys, type RemoteKeysOptions } from './remote-keys.js'

/** What became of a token: who sent it, why it is not taken, or why nobody can say. */
export type JwtVerdict =
  | { readonly principal: Principal }
  | { readonly refused: 'expired' | 'not_yet_valid' | 'not_accepted' }
  | { readonly unavailable: unknown }

/** How far the clocks of two machines may be apart, in seconds. */
const SKEW_SECONDS = 60

const FORM = /^[\w-]+\.[\w-]+\.[\w-]*$/

/** Has this token the form of a signed JWT, whatever is in it? */
export function isJwt (token: string): boolean {
  return FORM.test(token)
}

/** Errors of jose that speak of the token; all others speak of the keys, and say nothing about who calls. */
const REFUSALS = new Set<unknown>(['ERR_JWT_CLAIM_VALIDATION_FAILED', 'ERR_JWT_INVALID', 'ERR_JWS_INVALID', 'ERR_JWS_SIGNATURE_VERIFICATION_FAILED', 'ERR_JOSE_ALG_NOT_ALLOWED', 'ERR_JOSE_NOT_SUPPORTED', 'ERR_JWKS_NO_MATCHING_KEY'])

/**
 * Checks tokens by the keys of one issuer alone. Where a token's own header says its keys are (`jku`, `x5u`, `jwk`) is never looked at.
 */
export function createJwtCheck ({ issuer, audience, jwks, algorithms = DEFAULT_ALGORITHMS, scopeClaim }: JwtOptions, times?: RemoteKeysOptions): (token: string) => Promise<JwtVerdict> {
  const options = { issuer, audience: [audience].flat(), algorithms: [...algorithms], clockTolerance: SKEW_SECONDS, requiredClaims: ['exp', 'sub'] }
  // It takes longer to load than most services to start: only those that need it do.
  const ready = import('jose').then(library => ({ library, getKey: typeof jwks === 'string' ? new RemoteKeys(library, jwks, times).get : library.createLocalJWKSet(jwks as unknown as jose.JSONWebKeySet) }))
  return async token => {
    try {
      const { library, getKey } = await ready
      const claims = await verify(library, token, getKey, options)
      const { sub, exp } = claims
      // JSON has numbers that are read as infinite.
      if (typeof sub !== 'string' || sub === '' || !Number.isFinite(exp)) return { refused: 'not_accepted' }
      return { principal: createPrincipal(`jwt:${sub}`, scopesIn(claims, scopeClaim), claims) }
    } catch (error) {
      return verdictOf(error)
    }
  }
}

async function verify ({ jwtVerify, errors }: typeof jose, token: string, getKey: jose.JWTVerifyGetKey, options: jose.JWTVerifyOptions): Promise<jose.JWTPayload> {
  try {
    return (await jwtVerify(token, getKey, options)).payload
  } catch (error) {
    if (!(error instanceof errors.JWKSMultipleMatchingKeys)) throw error
    // A token that does not say which key: any of them may be the one.
    for await (const key of error) {
      try {
        return (await jwtVerify(token, key, options)).payload
      } catch (failed) {
        if (!(failed instanceof errors.JWSSignatureVerificationFailed)) throw failed
      }
    }
    throw new errors.JWSSignatureVerificationFailed()
  }
}

function verdictOf (error: unknown): JwtVerdict {
  const { code, claim, reason } = Object(error) as { code?: unknown, claim?: unknown, reason?: unknown }
  if (code === 'ERR_JWT_EXPIRED') return { refused: 'expired' }
  if (!REFUSALS.has(code)) return { unavailable: error }
  return { refused: claim === 'nbf' && reason === 'check_failed' ? 'not_yet_valid' : 'not_accepted' }
}

/** Words in a text, or a list of words; what is no scope is left out. */
function scopesIn (claims: jose.JWTPayload, scopeClaim: string | undefined): string[] {
  const read = (name: string): unknown => Object.hasOwn(claims, name) ? claims[name] : undefined
  const given = scopeClaim === undefined ? read('scope') ?? read('scp') : read(scopeClaim)
  const words: unknown = typeof given === 'string' ? given.split(' ') : given
  return Array.isArray(words) ? words.filter(isScope) : []
}
