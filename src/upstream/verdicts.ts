import type { FrameworkCode } from '../protocol/index.js'
import { UpstreamOutcome } from './outcome.js'

/** What an agent is told about one outcome. Category, status and `retryable` are the code's, in `protocol/codes.ts`. */
export interface Verdict {
  readonly code: FrameworkCode
  /**
   * The text for the agent; `upstream` is a name such as `Upstream 'forecast'`, `within` a time such as `within 50 ms`.
   * It says what was seen, never that something did not happen: a write with this outcome may have.
   */
  readonly message: (upstream: string, within: string) => string
  readonly hint?: string
}

const OPERATOR = 'Only the operator of this tool can mend that.'

const REPORT = 'Report the request id to the people who run this tool.'

/** The table: one row for each outcome. An outcome without a row does not compile. */
export const verdicts = {
  rejected_input: { code: 'UPSTREAM_REJECTED_INPUT', message: upstream => `${upstream} does not accept the values it was sent.` },
  not_found: { code: 'UPSTREAM_NOT_FOUND', message: upstream => `${upstream} knows nothing under what it was asked for.` },
  conflict: { code: 'UPSTREAM_CONFLICT', message: upstream => `${upstream} says that the request conflicts with its current state.` },
  auth_failed: { code: 'UPSTREAM_AUTH_FAILED', message: upstream => `${upstream} does not accept this tool's credentials.`, hint: OPERATOR },
  forbidden: { code: 'UPSTREAM_FORBIDDEN', message: upstream => `${upstream} knows this tool and does not allow the request.` },
  payment_required: { code: 'UPSTREAM_PAYMENT_REQUIRED', message: upstream => `${upstream} asks for payment first.`, hint: OPERATOR },
  quota_exhausted: { code: 'UPSTREAM_QUOTA_EXHAUSTED', message: upstream => `${upstream} says that this tool's quota is used up.`, hint: OPERATOR },
  rate_limited: { code: 'UPSTREAM_RATE_LIMITED', message: upstream => `${upstream} asks for fewer requests.` },
  unavailable: { code: 'UPSTREAM_UNAVAILABLE', message: upstream => `${upstream} is not available at the moment.` },
  redirected: { code: 'UPSTREAM_REDIRECTED', message: upstream => `${upstream} pointed to another address instead of answering.`, hint: OPERATOR },
  refused: { code: 'UPSTREAM_REFUSED', message: upstream => `${upstream} answered with a status this tool cannot act on.` },
  unreachable: { code: 'UPSTREAM_UNREACHABLE', message: upstream => `${upstream} could not be reached.` },
  timeout: { code: 'UPSTREAM_TIMEOUT', message: (upstream, within) => `${upstream} gave no complete answer ${within}.` },
  connection_lost: { code: 'UPSTREAM_CONNECTION_LOST', message: upstream => `${upstream} ended the connection before it answered.` },
  invalid_response: { code: 'UPSTREAM_INVALID_RESPONSE', message: upstream => `${upstream} gave an answer that is incomplete or not of the expected form.` },
  protocol_error: { code: 'UPSTREAM_PROTOCOL_ERROR', message: upstream => `${upstream} gave an answer that is not proper HTTP or larger than this tool takes.` },
  tls_failed: { code: 'UPSTREAM_TLS_FAILED', message: upstream => `${upstream} offered no secure connection that this tool can trust.`, hint: OPERATOR },
  failed: { code: 'UPSTREAM_FAILED', message: upstream => `${upstream} gave no usable answer.` },
  own_mistake: { code: 'INTERNAL_ERROR', message: () => 'The tool ran into an error of its own. Your input is not the reason.', hint: REPORT },
  client_closed: { code: 'SERVICE_STOPPING', message: () => 'This tool is stopping and ended its requests.' },
  caller_gone: { code: 'CALLER_GONE', message: () => 'The caller went away before the call ended.' }
} as const satisfies Record<UpstreamOutcome, Verdict>

const { rejected_input: rejectedInput, not_found: notFound, conflict, auth_failed: authFailed, forbidden, payment_required: paymentRequired } = UpstreamOutcome
const { rate_limited: rateLimited, unavailable, redirected, refused, protocol_error: protocolError, invalid_response: invalidResponse, failed } = UpstreamOutcome

/** Statuses with a meaning of their own; a body or a header may say something more exact, see `answer.ts`. */
export const exactStatuses: ReadonlyMap<number, UpstreamOutcome> = new Map([
  [400, rejectedInput], [422, rejectedInput], [413, rejectedInput], [414, rejectedInput], [431, rejectedInput],
  [404, notFound], [410, notFound],
  [409, conflict], [412, conflict],
  [401, authFailed],
  [403, forbidden], [451, forbidden],
  [402, paymentRequired],
  [429, rateLimited], [420, rateLimited],
  [408, unavailable], [423, unavailable], [424, unavailable], [425, unavailable]
])

/** The rest, by range: from this status on. */
export const statusRanges: ReadonlyArray<readonly [from: number, outcome: UpstreamOutcome]> = [
  [600, refused],
  [500, unavailable],
  [400, refused],
  [300, redirected],
  // Asked about as a failure, so it is the answer itself that is wrong.
  [200, invalidResponse],
  // Not a final answer at all.
  [100, protocolError]
]

/** What a status says by itself; `failed` for what is no status. */
export function outcomeForStatus (status: number): UpstreamOutcome {
  return exactStatuses.get(status) ?? statusRanges.find(([from]) => status >= from)?.[1] ?? failed
}

/** Names, codes and JSON words by which clients and services say "slow down", whatever the status. */
export const throttlingWords: ReadonlySet<string> = new Set([
  'ThrottlingException', 'Throttling', 'TooManyRequestsException', 'ProvisionedThroughputExceededException', 'RequestLimitExceeded', 'SlowDown'
])

/** JSON words that make a 400 or 403 a refused key: the caller's input was fine. */
export const badKeyWords: ReadonlySet<string> = new Set(['API_KEY_INVALID', 'invalid_api_key'])

/** JSON words that make a 429 a limit which no waiting lifts. */
export const quotaWords: ReadonlySet<string> = new Set(['insufficient_quota', 'billing_hard_limit_reached'])

/** JSON words that do the same, unless the answer advises a wait. */
export const quotaWordsWithoutWait: ReadonlySet<string> = new Set(['usage_limit_reached', 'quota_exceeded'])
