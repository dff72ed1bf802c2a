import { chainOf, get, getText, linksOf } from './evidence.js'
import { UpstreamOutcome } from './outcome.js'
import { readFailure } from './read-failure.js'

// What a client itself ends a request with, and no author: protocol errors, wrong lengths, bodies that cannot be unpacked.
const OF_CLIENT = /^(?:UND_ERR_(?!ABORT)|ERR_HTTP2_|HPE_|Z_)/

/**
 * Does an error that ended a request from this side say that its author gave it up? Any value may be the reason of an
 * abort; a time that ran out is the upstream's failure all the same.
 */
export function isGivenUp (error: unknown): boolean {
  if (isTimeout(error)) return false
  return !linksOf(chainOf(error)).some(({ value }) => OF_CLIENT.test(getText(value, 'code') ?? ''))
}

/** Is it what Node says where a connection went away, whoever ended it? */
export function isHangUp (error: unknown): boolean {
  return getText(error, 'code') === 'ECONNRESET' && getText(error, 'syscall') === undefined && ['socket hang up', 'aborted'].includes(getText(error, 'message')!)
}

/** Is it an error of a connection, and no reason that an author made up? */
export function isOfConnection (error: unknown): boolean {
  if (getText(error, 'syscall') !== undefined) return true
  const evidence = readFailure(error)
  return evidence?.outcome === UpstreamOutcome.timeout || (evidence?.proof === 'code' && evidence.outcome !== UpstreamOutcome.caller_gone)
}

/** What undici ended a request with: once there is a body it aborts without a reason, which its own handler keeps. */
export function reasonOf (error: unknown, handler: unknown): unknown {
  if (getText(error, 'code') !== 'UND_ERR_ABORTED') return error
  return get(handler, 'reason') ?? get(get(handler, 'res'), 'errored') ?? error
}

/** Did a time run out? axios throws an error of its own for a signal, whose reason stands in its configuration. */
export function isTimeout (error: unknown): boolean {
  const reason = get(get(get(error, 'config'), 'signal'), 'reason')
  return [error, reason].some(one => readFailure(one)?.outcome === UpstreamOutcome.timeout)
}
