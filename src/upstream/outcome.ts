/** All that can have come of one exchange that did not end in success. Each has its row in `verdicts.ts`. */
export const UpstreamOutcome = {
  /** The upstream finds fault with the values it was sent. */
  rejected_input: 'rejected_input',
  not_found: 'not_found',
  /** The request contradicts the state the upstream is in. */
  conflict: 'conflict',
  /** The tool's own credentials are not accepted. */
  auth_failed: 'auth_failed',
  /** Known, but not allowed. */
  forbidden: 'forbidden',
  payment_required: 'payment_required',
  /** A limit that no waiting lifts. */
  quota_exhausted: 'quota_exhausted',
  rate_limited: 'rate_limited',
  /** Answered with trouble of its own. */
  unavailable: 'unavailable',
  redirected: 'redirected',
  /** Answered with a status that nobody here can act on. */
  refused: 'refused',
  /** Nothing was sent: no name, no route, nobody listening. */
  unreachable: 'unreachable',
  timeout: 'timeout',
  /** Lost before the headers of the response. */
  connection_lost: 'connection_lost',
  /** Cut after the headers, not JSON, not the declared shape. */
  invalid_response: 'invalid_response',
  /** Not HTTP, or more of it than this side takes. */
  protocol_error: 'protocol_error',
  tls_failed: 'tls_failed',
  /** Nothing is known about it. */
  failed: 'failed',
  /** Nothing of the upstream's: a bad URL, header or argument of ours. */
  own_mistake: 'own_mistake',
  /** Our own client was closed, as happens while stopping. */
  client_closed: 'client_closed',
  /** Nobody is left to answer; never counted against the upstream. */
  caller_gone: 'caller_gone'
} as const

export type UpstreamOutcome = typeof UpstreamOutcome[keyof typeof UpstreamOutcome]
