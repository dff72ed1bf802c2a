import type { Decision } from 'candor/agent'
import type { Exchange } from './agent.js'

/** What the protocol says of one exchange. Fields left out are not looked at. */
export interface Expected {
  status: number
  action: Decision['action']
  waitMs?: number
  /** Of a failure. */
  code?: string
  category?: string
  retryable?: boolean
  next_action?: string
  details?: Readonly<Record<string, string>>
  /** Of a success: fields of its data. */
  data?: Readonly<Record<string, unknown>>
}

/** What came out otherwise than expected, each as a line; empty where all is as the protocol says. */
export function differences (exchanges: readonly Exchange[], expected: readonly Expected[]): string[] {
  const count = exchanges.length === expected.length ? [] : [`Expected ${expected.length} requests, got ${exchanges.length}.`]
  return [...count, ...exchanges.flatMap((exchange, index) => {
    const wanted = expected[index]
    return wanted === undefined ? [] : differencesIn(exchange, wanted).map(line => `Request ${index + 1}: ${line}`)
  })]
}

function differencesIn ({ attempt, reading, decision }: Exchange, expected: Expected): string[] {
  const { status, action, waitMs, data = {}, ...failure } = expected
  const lines = [
    ...compare('status', attempt.status, status),
    ...compare('decision', decision.action, action),
    ...(waitMs === undefined ? [] : compare('wait', 'waitMs' in decision ? decision.waitMs : undefined, waitMs))
  ]
  if (status < 300) {
    if (reading.success !== true) return [...lines, 'expected a success.']
    // Nothing the demo shows is measured: a success that does not say so would be a lie.
    lines.push(...compare('meta.simulated', reading.meta?.simulated, true))
    return [...lines, ...Object.entries(data).flatMap(([key, value]) => compare(`data.${key}`, (reading.data as Record<string, unknown>)[key], value))]
  }
  if (reading.success !== false) return [...lines, 'expected a failure in the envelope.']
  const { details, ...error } = reading.error
  const headers = attempt.headers as Headers
  const wait = details.retry_after
  const got: Record<string, unknown> = { ...error, retryable: reading.retryable, next_action: details.next_action }
  return [
    ...lines,
    ...(['code', 'category', 'retryable', 'next_action'] as const).flatMap(key => compare(key, got[key], failure[key])),
    ...Object.entries(failure.details ?? {}).flatMap(([key, value]) => compare(`details.${key}`, details[key], value)),
    ...compare('details.request_id', details.request_id, headers.get('x-request-id')),
    ...compare('x-should-retry', headers.get('x-should-retry'), String(details.next_action === 'retry' || details.next_action === 'wait_and_retry')),
    ...compare('retry-after', headers.get('retry-after'), wait === undefined ? null : wait.slice(0, -1))
  ]
}

function compare (what: string, got: unknown, expected: unknown): string[] {
  return got === expected ? [] : [`expected ${what} to be ${JSON.stringify(expected)}, got ${JSON.stringify(got)}.`]
}
