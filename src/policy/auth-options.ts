import type { Awaitable, Principal } from '../capability/call.js'
import type { Capability } from '../capability/define.js'
import { isSchema as isObject } from '../schema/walk.js'
import { mistakesInKeys, type ApiKey } from './api-keys.js'
import { mistakesInJwt, type JwtOptions } from './jwt-options.js'
import { isResource } from './protected-resource.js'
import { isPublicEntry } from './public-routes.js'
import { unknownOptions } from './unknown-options.js'

export type { ApiKey } from './api-keys.js'
export type { JwtOptions } from './jwt-options.js'

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
  /**
   * Routes that need no credentials beside `/health` and `/ready`, as they are registered: `['/metrics', '/docs/*']`. Whoever sends
   * none sees and may call there what asks for no scopes; those that are sent count. @default none
   */
  public?: readonly string[]
  /** URL that callers know `/mcp` by, for OAuth's protected-resource metadata. @default what the request was sent to */
  resource?: string
}

const OPTIONS = ['apiKeys', 'jwt', 'authenticate', 'public', 'resource'] satisfies Array<keyof AuthOptions>

/** What is wrong with these options, each as a sentence; empty where they may be used. Without any, no capability may ask for scopes. */
export function mistakesInAuth (auth: unknown, capabilities: readonly Capability[]): string[] {
  if (auth === undefined) return unasked(capabilities)
  if (!isObject(auth)) return ['Expected `auth` to be an object with `apiKeys`, `jwt` or `authenticate`.']
  const { apiKeys, jwt, authenticate, public: open, resource } = auth
  const mistakes = unknownOptions(auth, OPTIONS, 'auth')
  const isNone = (jwt ?? authenticate) === undefined && (apiKeys === undefined || (Array.isArray(apiKeys) && apiKeys.length === 0))
  if (isNone) mistakes.push('Expected `auth` to name a way to know callers: `apiKeys`, `jwt` or `authenticate`; without one nobody could call.')
  if (apiKeys !== undefined) mistakes.push(...mistakesInKeys(apiKeys))
  if (jwt !== undefined) mistakes.push(...mistakesInJwt(jwt))
  if (authenticate !== undefined && typeof authenticate !== 'function') mistakes.push('Expected `auth.authenticate` to be a function.')
  if (open !== undefined && !(Array.isArray(open) && open.every(isPublicEntry))) mistakes.push("Expected `auth.public` to be an array of paths below `/`, as routes are registered, as in ['/metrics', '/docs/*'].")
  if (resource !== undefined && !isResource(resource)) mistakes.push('Expected `auth.resource` to be an http(s) URL without query and fragment, as in https://tools.example.com/mcp.')
  return mistakes
}

/** Scopes that nobody would be asked for. What is no capability at all is somebody else's to say. */
function unasked (capabilities: unknown): string[] {
  const asking = Array.isArray(capabilities) ? capabilities.filter(one => isObject(one) && Array.isArray(one.scopes) && one.scopes.length > 0) : []
  return asking.map(({ name }) => `Capability '${String(name)}': expected \`auth\` of the service beside \`scopes\`; without it nobody is asked who calls.`)
}
