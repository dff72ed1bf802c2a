import type { AuthOptions } from '../policy/auth-options.js'
import type { Refused, Verdict } from '../policy/authenticate.js'
import { refuseCaller } from '../protocol/caller-refused.js'
import { rowOf, type FrameworkCode } from '../protocol/codes.js'
import type { ToolError } from '../protocol/tool-error.js'
import { fromRow } from './framework-error.js'
import { refusalOf, type Effect } from './plain.js'
import { internalError } from './thrown.js'

/** Where a caller is one of many, it is told one short reason: nothing that helps to make a better guess. */
const MESSAGES: Readonly<Record<Refused, string>> = {
  missing: 'The request carries no credentials.',
  malformed: 'The Authorization header is not one that is read here.',
  repeated: 'The request has more than one Authorization header.',
  unknown_key: 'The API key is not valid here.',
  unknown: 'The credentials are not known here.',
  expired: 'The token has expired.',
  not_yet_valid: 'The token is not valid yet.',
  not_accepted: 'The token is not accepted here.'
}

/** The failure of a request that nobody is known to have made. What is wrong on the service's own side is never the caller's 401. */
export function notKnown (verdict: Exclude<Verdict, { principal: unknown }>, auth: AuthOptions, effect: Effect): ToolError {
  if ('refused' in verdict) return refused(verdict.refused, auth)
  if ('failure' in verdict) return ofTeam(verdict.failure, effect)
  if ('broken' in verdict) return internalError(verdict.broken)
  return refusalOf(fromRow('AUTH_PROVIDER_UNAVAILABLE', 'Credentials cannot be checked at the moment.', undefined, verdict.unavailable), effect)
}

/** A 401 leads the caller to credentials whatever its code, but for those that speak of the service's own. */
function ofTeam (failure: ToolError, effect: Effect): ToolError {
  const error = refusalOf(failure, effect)
  return error.status === 401 && rowOf(error.code)?.credentials === undefined ? refuseCaller(error) : error
}

/** Was a token sent, and refused? */
export function isTokenRefused (verdict: Verdict): boolean {
  return 'refused' in verdict && !['missing', 'malformed', 'repeated'].includes(verdict.refused)
}

/** The failure of a caller who is known, but may not use this route. */
export function notAllowed (missing: readonly string[]): ToolError {
  return fromRow('FORBIDDEN', 'These credentials do not allow this request.', { expected: `the scope${missing.length === 1 ? '' : 's'} ${missing.join(' ')}` })
}

function refused (why: Refused, { apiKeys = [], jwt, authenticate }: AuthOptions): ToolError {
  const keysOnly = apiKeys.length > 0 && jwt === undefined && authenticate === undefined
  const isSent = !['missing', 'malformed', 'repeated'].includes(why)
  const code: FrameworkCode = why === 'unknown_key' ? 'API_KEY_INVALID' : !isSent && keysOnly ? 'API_KEY_MISSING' : 'UNAUTHORIZED'
  return fromRow(code, MESSAGES[why], isSent ? undefined : { expected: `one header Authorization: Bearer <${keysOnly ? 'API key' : 'token'}>` })
}
