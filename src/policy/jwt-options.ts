import { createPublicKey, type JsonWebKey } from 'node:crypto'
import { isSchema as isObject } from '../schema/walk.js'
import { unknownOptions } from './unknown-options.js'

/** Tokens that an authorization server has signed. */
export interface JwtOptions {
  /** `iss` of the tokens, as the server writes it: an https URL. */
  issuer: string
  /** `aud` of the tokens: one of these has to be in it. */
  audience: string | readonly string[]
  /** The server's public keys: where they are fetched from, or a JSON Web Key Set. */
  jwks: string | { readonly keys: ReadonlyArray<Readonly<Record<string, unknown>>> }
  /** Signatures that are taken, none with a shared secret. @default RS256, PS256, ES256, EdDSA */
  algorithms?: readonly string[]
  /** The claim that holds the scopes: words in a text, or a list. @default scope, else scp */
  scopeClaim?: string
}

/** The signatures that may be taken: with a shared secret, whoever can check a token can make one. */
const ASYMMETRIC = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519']

/** Those that are taken unless the options say otherwise. */
export const DEFAULT_ALGORITHMS: readonly string[] = ['RS256', 'PS256', 'ES256', 'EdDSA']

const OPTIONS = ['issuer', 'audience', 'jwks', 'algorithms', 'scopeClaim'] satisfies Array<keyof JwtOptions>

/** What is wrong with these options, each as a sentence; none quotes a key. */
export function mistakesInJwt (jwt: unknown): string[] {
  if (!isObject(jwt)) return ['Expected `auth.jwt` to be an object with `issuer`, `audience` and `jwks`.']
  const { issuer, audience, jwks, algorithms, scopeClaim } = jwt
  const mistakes = unknownOptions(jwt, OPTIONS, 'auth.jwt')
  if (!isSafeUrl(issuer)) mistakes.push(`Expected \`auth.jwt.issuer\` to be an https URL, ${LOCAL}.`)
  if (!isText(audience) && !isFilled(audience, isText)) mistakes.push('Expected `auth.jwt.audience` to be a non-empty string, or an array of such.')
  if (algorithms !== undefined && !isFilled(algorithms, one => ASYMMETRIC.includes(one as string))) mistakes.push(`Expected \`auth.jwt.algorithms\` to be an array of ${ASYMMETRIC.join(', ')}: none of a shared secret.`)
  if (scopeClaim !== undefined && !isText(scopeClaim)) mistakes.push('Expected `auth.jwt.scopeClaim` to be the name of a claim.')
  return [...mistakes, ...mistakesInKeySet(jwks)]
}

const LOCAL = 'or http at localhost'

function mistakesInKeySet (jwks: unknown): string[] {
  if (typeof jwks === 'string') return isSafeUrl(jwks) ? [] : [`Expected the address \`auth.jwt.jwks\` to be an https URL, ${LOCAL}.`]
  const keys: unknown = isObject(jwks) ? jwks.keys : undefined
  if (!isFilled(keys, isObject)) return ['Expected `auth.jwt.jwks` to be a URL, or a JSON Web Key Set: { keys: [one or more] }.']
  return (keys as JsonWebKey[]).flatMap((key, index) => {
    const wrong = problemOf(key)
    return wrong === undefined ? [] : [`Expected \`auth.jwt.jwks.keys[${index}]\` to be ${wrong}`]
  })
}

/** Can signatures be checked by this key? */
export function isUsableKey (key: unknown): key is JsonWebKey {
  return isObject(key) && problemOf(key) === undefined
}

function problemOf (key: JsonWebKey): string | undefined {
  if (key.kty === 'oct' || 'k' in key) return 'a public key, got a shared secret.'
  if ('d' in key || 'p' in key) return 'a public key, got a private one. Whoever has seen it can make tokens: replace it.'
  try {
    const { asymmetricKeyDetails } = createPublicKey({ key, format: 'jwk' })
    return (asymmetricKeyDetails?.modulusLength ?? 2048) < 2048 ? 'an RSA key of 2048 bits or more.' : undefined
  } catch {
    return 'a public key of type RSA, EC or OKP, got one that cannot be read.'
  }
}

/** What is read from it decides who comes in, so nobody on the way may change it. */
function isSafeUrl (value: unknown): boolean {
  if (typeof value !== 'string' || !URL.canParse(value)) return false
  const { protocol, hostname, username, password } = new URL(value)
  if (username !== '' || password !== '') return false
  return protocol === 'https:' || (protocol === 'http:' && /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname))
}

function isText (value: unknown): boolean {
  return typeof value === 'string' && value !== ''
}

function isFilled (value: unknown, is: (item: unknown) => boolean): boolean {
  return Array.isArray(value) && value.length > 0 && value.every(is)
}
