import type { Awaitable, Principal } from '../capability/call.js'
import type { Capability } from '../capability/define.js'

/** One key that callers may send as `Authorization: Bearer …`. */
export interface ApiKey {
  /** Who sends it. Several keys may have one id: the old and the new one, while callers change over. */
  id: string
  /** SHA-256 of the key, in 64 hexadecimal digits: `hashApiKey(key)`. The key itself stands in no configuration. */
  sha256: string
  scopes?: readonly string[]
  /** From when on it is not valid any more, ISO 8601. @default never */
  expiresAt?: string
}

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

/** A request, as far as a team's own authentication may look at it. */
export interface Credentials {
  /** What follows `Bearer`, where the request has one. */
  readonly token: string | undefined
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  /** Address of the caller. */
  readonly ip: string
}

/** Who may call a service. A caller is known by a key, a token, or a team's own function; they are asked in this order. */
export interface AuthOptions {
  apiKeys?: readonly ApiKey[]
  jwt?: JwtOptions
  /**
   * Finds out who calls; `undefined` for nobody who is known here. A `ToolError` that it throws is the answer; anything else
   * is 503 `AUTH_PROVIDER_UNAVAILABLE`.
   */
  authenticate?: (credentials: Credentials) => Awaitable<Principal | undefined>
  /** Routes that need no credentials beside `/health` and `/ready`, as they are registered: `['/metrics', '/docs/*']`. @default none */
  public?: readonly string[]
  /** URL that callers know `/mcp` by, for OAuth's protected-resource metadata. @default what the request was sent to */
  resource?: string
}

/** What is wrong with these options, each as a sentence; empty where they may be used. Without any, no capability may ask for scopes. */
export function mistakesInAuth (_auth: unknown, _capabilities: readonly Capability[]): string[] {
  return []
}
