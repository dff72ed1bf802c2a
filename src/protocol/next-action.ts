/** What an agent does after a failure, in one word; always computed, never written by hand. */
export const NextAction = {
  query_status: 'query_status',
  escalate: 'escalate',
  fix_credentials: 'fix_credentials',
  stop: 'stop',
  wait_and_retry: 'wait_and_retry',
  retry: 'retry',
  fix_input: 'fix_input'
} as const

export type NextAction = typeof NextAction[keyof typeof NextAction]

/** What the next action is computed from. */
export interface NextActionEvidence {
  code: string
  status: number
  retryable: boolean
  details: Readonly<Record<string, string | undefined>>
}

/** May the same request be sent again, by somebody who reads the status alone? */
export function isTransientStatus (status: number): boolean {
  return status === 408 || status === 429 || status >= 500
}

/** The next action: the first rule that holds. */
export function nextAction ({ code, status, retryable, details }: NextActionEvidence): NextAction {
  const { outcome } = details
  if (outcome === 'unknown' && !retryable) {
    return details.operation_id !== undefined || details.status_endpoint !== undefined ? NextAction.query_status : NextAction.escalate
  }
  if (outcome === 'applied' || outcome === 'partial' || code === 'CORRUPT_STATE') return NextAction.escalate
  if (details.credentials !== undefined) return NextAction.fix_credentials
  if (!retryable) return NextAction.stop
  if (details.retry_after !== undefined) return NextAction.wait_and_retry
  return isTransientStatus(status) ? NextAction.retry : NextAction.fix_input
}

/** Does this action mean that the same request may be sent again? The value of `x-should-retry`. */
export function isResend (action: NextAction): boolean {
  return action === NextAction.retry || action === NextAction.wait_and_retry
}
