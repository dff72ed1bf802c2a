import { readRetryAfter, type Wait } from '../protocol/index.js'
import { readBody, readHeaders, wordsOf, type ForeignBody, type PlainHeaders } from './foreign-answer.js'
import { UpstreamOutcome } from './outcome.js'
import { badKeyWords, outcomeForStatus, quotaWords, quotaWordsWithoutWait, throttlingWords } from './verdicts.js'

/** An answer of an upstream, in the shape any client has it. */
export interface ForeignAnswer {
  status: number
  headers?: unknown
  /** Text, bytes or parsed JSON. */
  body?: unknown
  /** Codes that the client has taken out of the body. */
  words?: readonly string[]
}

/** What an answer says. */
export interface AnswerReading {
  readonly outcome: UpstreamOutcome
  readonly status: number
  /** The status it is worth, where a word in it says more than the number. */
  readonly countsAs: number
  readonly headers: PlainHeaders
  readonly body: ForeignBody
}

/** Reads an answer: the status, and what headers and body add to it. */
export function readAnswer (answer: ForeignAnswer, now?: number): AnswerReading {
  const headers = readHeaders(answer.headers)
  const body = readBody(answer.body, headers)
  const { status } = answer
  const words = [...answer.words ?? [], ...wordsOf(body.json)]
  if (status >= 400 && words.some(word => throttlingWords.has(word))) return { outcome: UpstreamOutcome.rate_limited, status, countsAs: 429, headers, body }
  return { outcome: outcomeOf(status, headers, words, now), status, countsAs: status, headers, body }
}

function outcomeOf (status: number, headers: PlainHeaders, words: readonly string[], now: number | undefined): UpstreamOutcome {
  if ((status === 400 || status === 403) && words.some(word => badKeyWords.has(word))) return UpstreamOutcome.auth_failed
  if (status === 403 && isRateLimit(headers, now)) return UpstreamOutcome.rate_limited
  if (status === 429) {
    if (words.some(word => quotaWords.has(word))) return UpstreamOutcome.quota_exhausted
    if (words.some(word => quotaWordsWithoutWait.has(word)) && readRetryAfter(429, headers, now) === undefined) return UpstreamOutcome.quota_exhausted
  }
  return outcomeForStatus(status)
}

/** A 403 with `Retry-After`, or with nothing left to spend. Reset headers alone stand on every answer of many APIs. */
function isRateLimit (headers: PlainHeaders, now: number | undefined): boolean {
  // Read as of a 503: there reset headers do not count.
  if (readRetryAfter(503, headers, now) !== undefined) return true
  const counts = ['ratelimit-remaining', 'x-ratelimit-remaining', 'x-rate-limit-remaining'].map(name => headers[name]?.[0])
  return counts.some(count => count !== undefined && /^\s*0+\s*$/.test(count)) || /(?:^|[;,\s])r=0+(?![\d.])/.test(headers.ratelimit?.[0] ?? '')
}

/** The wait an answer advises; a rate limit may say it in ways that mean nothing on other answers. */
export function waitOf (outcome: UpstreamOutcome, status: number | undefined, headers: PlainHeaders, now?: number): Wait | undefined {
  const readAs = outcome === UpstreamOutcome.rate_limited ? 429 : status
  return readAs === undefined ? undefined : readRetryAfter(readAs, headers, now)
}
