import type { HonestyModes, HonestyRule } from '../capability/honesty-rules.js'
import { createToolError, withFields, type ToolError } from '../protocol/tool-error.js'
import { classifyUpstreamError } from '../upstream/classify.js'
import { accountedFailures, countedWrites, exchangeOutcome, hasFailed, type Exchange } from '../upstream/exchange.js'

/** What a handler said of its own answer; each names the sources whose failures it accounts for. */
export interface Declarations {
  readonly partial: Set<string>
  readonly cached: Set<string>
  readonly fallbacks: Array<{ readonly from: string, readonly to: string }>
  readonly expected: Set<string>
  /** Why no upstream had to be asked. */
  derived: string | undefined
}

/** Nothing said yet. */
export function noDeclarations (): Declarations {
  return { partial: new Set(), cached: new Set(), fallbacks: [], expected: new Set(), derived: undefined }
}

/** Of a call whose handler says nothing: shared, to be read only. */
export const nothingSaid: Declarations = noDeclarations()

/** A success that somebody is about to claim, and all that is known about it. */
export interface Claim {
  /** Who claims it, for the log. */
  readonly name: string
  readonly effect: 'read' | 'write'
  /** Must a declared upstream stand behind it? */
  readonly needsEvidence: boolean
  readonly modes: HonestyModes
  readonly exchanges: readonly Exchange[]
  readonly said: Declarations
  /** What is wrong with the data itself. */
  readonly broken?: BrokenData
  /** Where the data says that it is made up. */
  readonly marker?: string
}

/** Data that is none, or not what was declared. */
export interface BrokenData {
  readonly rule: Extract<HonestyRule, 'output-schema' | 'no-result'>
  readonly error: ToolError
  /** There is no JSON for it, whatever the mode. */
  readonly unsendable?: boolean
}

/** What a rule has against a success. */
export interface Objection {
  readonly rule: HonestyRule
  readonly error: ToolError
  readonly exchange?: Exchange
}

/** What is to be said instead of the success, if it may not be claimed, and what is said beside it, if it may. */
export interface Judgement {
  readonly refusal?: Objection
  readonly warnings: readonly Objection[]
}

interface Weighed extends Objection { readonly refuses: boolean }

const HONEST: Judgement = { warnings: [] }

/** May this success be claimed? Pure; one look at every rule of the protocol's "honest success". */
export function judge (claim: Claim): Judgement {
  if (claim.exchanges.length === 0 && !claim.needsEvidence && claim.broken === undefined && claim.marker === undefined) return HONEST
  const failures = unaccounted(claim.exchanges, claim.said)
  const objections = [...masked(claim, failures), ...broken(claim), ...unsupported(claim), ...marked(claim, failures)]
  if (objections.length === 0) return HONEST
  const refusal = objections.find(({ refuses }) => refuses)
  return { refusal, warnings: objections.filter(({ refuses }) => !refuses) }
}

/** Failed exchanges that neither a later success nor anything the handler said accounts for, in the order they began. */
export function unaccounted (exchanges: readonly Exchange[], said: Declarations): Exchange[] {
  const failed = exchanges.filter(exchange => hasFailed(exchange) && exchange.ownerUncertain !== true && exchange.followed !== true)
  if (failed.length === 0) return failed
  const accounted = accountedFailures(exchanges)
  return failed.filter(exchange => !accounted.has(exchange) && !isSaid(exchange, exchanges, said))
}

function isSaid ({ upstream }: Exchange, exchanges: readonly Exchange[], { partial, cached, expected, fallbacks }: Declarations): boolean {
  if (partial.has(upstream) || cached.has(upstream) || expected.has(upstream)) return true
  return fallbacks.some(({ from, to }) => from === upstream && exchanges.some(other => other.upstream === to && other.success && other.ownerUncertain !== true))
}

/**
 * Is this answer of a foreign client one that its handler may well have wanted? What our own client did not accept is a
 * failure; another client hands every status to its handler, and only some of them never are an answer.
 */
export function isAnswer ({ foreign, status }: Exchange): boolean {
  return foreign === true && status !== undefined && status >= 300 && status <= 499 && ![401, 403, 429].includes(status)
}

/** "It is not there" is an answer to a question; to a write it is not. */
function isWanted ({ foreign, effect, status }: Exchange): boolean {
  return foreign === true && effect === 'read' && (status === 404 || status === 410)
}

function masked (claim: Claim, failures: readonly Exchange[]): Weighed[] {
  const mode = claim.modes['masked-failure']
  if (mode === 'off' || failures.length === 0) return []
  const written = hasWritten(claim)
  const objections = failures.filter(exchange => !isWanted(exchange)).map(exchange => {
    const mild = !exchange.declared || isAnswer(exchange) || (written && exchange.effect === 'read')
    return { rule: 'masked-failure' as const, error: failureOf(exchange), exchange, refuses: mode === 'refuse' && !mild }
  })
  const last = objections.findLast(({ refuses }) => refuses)
  if (last === undefined) return perSource(objections)
  const error = withFields(last.error, { details: { ...last.error.details, rejected: 'masked_failure' } })
  return [{ ...last, error }]
}

/** Did a write of this call take place? Then the call as a whole did not fail, whatever came after. */
function hasWritten ({ effect, exchanges }: Claim): boolean {
  return effect === 'write' && countedWrites(exchanges).some(exchange => exchangeOutcome(exchange) === 'applied' || wasAnswered(exchange))
}

/** Did another client's upstream say yes, although nobody read all it said? Open, or given up after its headers. */
function wasAnswered ({ foreign, status, failure, ownerUncertain }: Exchange): boolean {
  return foreign === true && status !== undefined && status >= 200 && status <= 299 && failure === undefined && ownerUncertain !== true
}

/** One of each kind: a hundred failures of one source say no more than one. */
function perSource (objections: readonly Weighed[]): Weighed[] {
  const kinds = new Map(objections.map(objection => [`${objection.exchange!.upstream} ${objection.error.code}`, objection]))
  return [...kinds.values()].slice(-MAX_WARNINGS)
}

const MAX_WARNINGS = 8

/** Only what was given up has no failure of its own: no answer came in the time that it was given. */
function failureOf ({ failure, upstream, phase, sent }: Exchange): ToolError {
  return failure ?? classifyUpstreamError({ name: 'TimeoutError' }, { upstream, phase, sent })
}

function broken ({ broken: data, modes }: Claim): Weighed[] {
  if (data === undefined || (modes[data.rule] === 'off' && data.unsendable !== true)) return []
  return [{ rule: data.rule, error: data.error, refuses: modes[data.rule] === 'refuse' || data.unsendable === true }]
}

function unsupported ({ name, needsEvidence, modes: { evidence: mode }, exchanges, said }: Claim): Weighed[] {
  if (!needsEvidence || mode === 'off' || said.cached.size > 0 || said.derived !== undefined) return []
  if (exchanges.some(exchange => exchange.declared && (exchange.success || wasAnswered(exchange)) && exchange.ownerUncertain !== true)) return []
  const cause = new Error(`${name} declares evidence: 'upstream', and none of its upstreams answered this call with success.`)
  return [{ rule: 'evidence', refuses: mode === 'refuse', error: ownFault('UNSUPPORTED_SUCCESS', 'The tool has an answer that no source stands behind, so it is not shown.', cause) }]
}

function marked (claim: Claim, failures: readonly Exchange[]): Weighed[] {
  const { marker, name, modes: { 'mock-marker': mode }, exchanges } = claim
  if (marker === undefined || mode === 'off') return []
  // Beside a source that answered, the word may well be the source's own.
  const suspicious = failures.some(exchange => !isWanted(exchange)) || !exchanges.some(({ success, ownerUncertain }) => success && ownerUncertain !== true)
  const cause = new Error(`The answer of ${name} is marked as made up: ${marker}.`)
  const error = ownFault('MOCK_DATA_REJECTED', 'The tool has an answer that is marked as made up, so it is not shown.', cause, { rule: `mock-marker: ${marker}` })
  return [{ rule: 'mock-marker', error, refuses: mode === 'refuse' && suspicious && !hasWritten(claim) }]
}

/** A failure that is the tool's own fault: fixed text for the caller, the cause for the log. */
export function ownFault (code: 'UNSUPPORTED_SUCCESS' | 'MOCK_DATA_REJECTED' | 'OUTPUT_INVALID' | 'EMPTY_HANDLER_RESULT', message: string, cause: Error, details: Readonly<Record<string, string>> = {}): ToolError {
  return createToolError({ code, category: 'SERVICE_ERROR', status: 500, message, details: { hint: 'Report the request id to the people who run this tool.', ...details }, cause })
}
