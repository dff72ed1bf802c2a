import type { HonestyRule } from '../capability/honesty-rules.js'
import { readEnvelope, readOutcome, type Meta, type ReadError, type Reading } from '../protocol/envelope.js'
import type { AppResponse } from './app.js'
import { parsed } from './call-capability.js'
import { hasApplied, hasWritten, isHarmless, isReached, expectationOf, type Trial } from './expectation.js'
import { declaredProblem } from './declared.js'
import { inWords, type Finding } from './finding.js'
import { leaksIn, textOf } from './leaks.js'
import type { Told } from './told.js'

/** What a user states of one upstream: by break, or for all by `'*'`, the code that is right all the same, or `'success'`. */
export type Expected = Readonly<Record<string, string>>

/** What is wrong with the answer to a trial; no answer is `undefined`. `host` is an address that no failure may show. */
export function judge (trial: Trial, answer: AppResponse | undefined, { host, expected = {} }: { host?: string, expected?: Expected } = {}): Finding[] {
  if (answer === undefined) return [finding(trial, 'misreported', wanted(trial), 'no answer within its time')]
  const reading = readEnvelope(parsed(answer.body))
  const stated = expected[trial.broken.name] ?? expected['*']
  const isStated = stated !== undefined && stated === (reading.success === false ? reading.error.code : 'success')
  const wrong = isStated || !isReached(trial) || isHarmless(trial) ? undefined : wrongIn(trial, answer, reading)
  const leaks = leaksIn(textOf(answer), [...trial.sent.ours, ...trial.sent.others], reading.success === true ? undefined : host)
  return [...(wrong === undefined ? [] : [wrong]), ...leaks.map(leak => finding(trial, 'leaked', 'an answer that shows nothing of the inside', leak))]
}

function wrongIn (trial: Trial, answer: AppResponse, reading: Reading): Finding | undefined {
  if (reading.success === undefined) return finding(trial, 'misreported', wanted(trial), `${answer.statusCode} and no envelope: ${excerpt(answer.body)}`)
  if (reading.success) return isAccepted(trial, reading.meta) ? undefined : finding(trial, 'claimed_success', wanted(trial), `${answer.statusCode} success ${excerpt(JSON.stringify(reading.data))}`)
  const refusedBy = refuserOf(reading.error)
  const told = toldIn(answer.statusCode, reading.error, reading.retryable)
  if (refusedBy !== undefined) return finding(trial, 'claimed_success', wanted(trial), inWords(told), refusedBy)
  const problem = Object.hasOwn(trial.capability.errors, told.code) ? declaredProblem(trial, told) : frameworkProblem(trial, told, reading.error)
  return problem === undefined ? undefined : finding(trial, 'misreported', problem, inWords(told))
}

/** A success that says what is missing, or one of nothing found where the upstream said so. */
function isAccepted (trial: Trial, meta: Meta = {}): boolean {
  const isSaid = meta.partial?.some(({ source }) => source === trial.upstream) === true || meta.cached === true || meta.fallback?.from === trial.upstream
  const isBestEffort = meta.warnings !== undefined && hasApplied(trial) && !hasWritten(trial)
  return isSaid || isBestEffort || trial.broken.status === 404 || trial.broken.status === 410
}

const refusers: Readonly<Record<string, HonestyRule>> = {
  UNSUPPORTED_SUCCESS: 'evidence', MOCK_DATA_REJECTED: 'mock-marker', OUTPUT_INVALID: 'output-schema', EMPTY_HANDLER_RESULT: 'no-result'
}

/** The rule that kept a claim back. */
function refuserOf ({ code = '', details }: ReadError): HonestyRule | undefined {
  if (details.rejected === 'masked_failure') return 'masked-failure'
  return Object.hasOwn(refusers, code) ? refusers[code] : undefined
}

function toldIn (status: number, error: ReadError, retryable: boolean | undefined): Told {
  // What is missing is not what was expected either.
  return { code: error.code, status, category: error.category, retryable, next: error.details.next_action, outcome: readOutcome(error) } as Told
}

/** What was expected of a failure with a code of the framework, where it is not that. */
function frameworkProblem (trial: Trial, told: Told, { details }: ReadError): string | undefined {
  const { broken: { wait = 0 } } = trial
  const canBeAsked = details.operation_id !== undefined || details.status_endpoint !== undefined
  const right = expectationOf(trial).find(one => isSame(canBeAsked ? askable(one) : one, told))
  if (right === undefined) return wanted(trial)
  const waits = right.next !== 'wait_and_retry' || Number.parseInt(details.retry_after ?? '', 10) >= wait
  return waits ? undefined : `${inWords(right)}, after at least ${wait}s`
}

/** Where an operation can be asked about, that is what to do before anybody is troubled. */
function askable (told: Told): Told {
  return told.outcome === 'unknown' && !told.retryable ? { ...told, next: 'query_status' } : told
}

function isSame (a: Told, b: Told): boolean {
  return inWords(a) === inWords(b)
}

function wanted (trial: Trial): string {
  return [...new Set(expectationOf(trial).slice(0, trial.broken.told.length).map(inWords))].join(' or ')
}

function finding ({ upstream, broken }: Trial, kind: Finding['kind'], expected: string, got: string, refusedBy?: HonestyRule): Finding {
  return { upstream, break: broken.name, kind, expected, got, ...(refusedBy !== undefined && { refusedBy }) }
}

function excerpt (text: string): string {
  return text.length > 200 ? `${text.slice(0, 200)}…` : text
}
