import { readAnswer } from './answer.js'
import { attempt, chainOf, get, getText, isPlain, linksOf, namesOf, textOf, type Link } from './evidence.js'
import type { Phase } from './exchange.js'
import { readBody, readHeaders, type ForeignBody, type PlainHeaders } from './foreign-answer.js'
import { knownCode, knownNames, knownTexts, ownMistakes, unsentSteps, type KnownFailure } from './known-failures.js'
import { UpstreamOutcome } from './outcome.js'
import { outcomeForStatus, throttlingWords } from './verdicts.js'

/** What a failure says, and by what it says so: the weaker the proof, the less may be built on it. */
export interface FailureEvidence {
  readonly outcome: UpstreamOutcome
  readonly proof: 'status' | 'code' | 'name' | 'text'
  /** As the upstream sent it. */
  readonly status?: number
  /** The status it is worth, where a word in it says more than the number. */
  readonly countsAs?: number
  readonly headers?: PlainHeaders
  readonly body?: ForeignBody
  /** It is proven that nothing was sent; left out in every case of doubt. */
  readonly unsent?: true
  readonly phase?: Phase
}

/**
 * Reads any thrown value. `undefined` where it carries nothing that is known here.
 * Strongest first: throttling words, status, code, name, then text where there is nothing else.
 */
export function readFailure (error: unknown, now?: number): FailureEvidence | undefined {
  const chain = chainOf(error)
  const links = linksOf(chain)
  const values = links.map(({ value }) => value)
  const answers = values.map(answerIn)
  return throttling(values, answers) ??
    answered(answers, now) ??
    connection(chain, values, answers) ??
    statusInText(values)
}

interface AnswerIn { status?: number, headers: unknown, body: unknown, words: string[] }

/** The parts of a response on one value, wherever its client keeps them. */
function answerIn (value: unknown): AnswerIn {
  const response = get(value, 'response')
  const raw = get(value, '$response')
  const statuses = [
    get(value, 'statusCode'), get(value, 'status'), get(response, 'status'), get(response, 'statusCode'),
    get(get(value, '$metadata'), 'httpStatusCode'), get(raw, 'statusCode'), get(raw, 'status')
  ].map(readStatus)
  // Gaxios keeps the status in `code`. A number below 400 there is an exit code, a DOMException's or a database's.
  const code = readStatus(get(value, 'code'))
  const status = statuses.find(item => item !== undefined) ?? (code !== undefined && code >= 400 && code <= 599 ? code : undefined)
  const headers = [get(response, 'headers'), get(value, 'headers'), get(raw, 'headers'), get(value, 'responseHeaders')].find(item => item !== undefined)
  const bodies = [get(response, 'data'), get(response, 'body'), get(value, 'body'), get(value, 'data'), get(value, 'error'), get(response, 'text')]
  const body = bodies.find(item => (typeof item === 'string' && item !== '') || isPlain(item) || attempt(() => ArrayBuffer.isView(item)) === true)
  return { status, headers, body, words: ['code', 'type', 'name', 'Code'].map(key => getText(value, key)).filter(word => word !== undefined) }
}

function readStatus (value: unknown): number | undefined {
  const status = typeof value === 'string' && /^\d{3}$/.test(value) ? Number(value) : value
  // Under 200 it is an exit code: no client gives up on an interim answer.
  return typeof status === 'number' && Number.isInteger(status) && status >= 200 && status <= 999 ? status : undefined
}

function throttling (values: readonly unknown[], answers: readonly AnswerIn[]): FailureEvidence | undefined {
  const index = values.findIndex((value, at) => answers[at]!.words.some(word => throttlingWords.has(word)) || get(get(value, '$retryable'), 'throttling') === true)
  if (index < 0) return undefined
  const { status, headers, body } = answers.slice(index).find(answer => answer.status !== undefined) ?? answers[index]!
  const plain = readHeaders(headers)
  return { outcome: UpstreamOutcome.rate_limited, proof: 'name', status, countsAs: 429, headers: plain, body: readBody(body, plain) }
}

function answered (answers: readonly AnswerIn[], now: number | undefined): FailureEvidence | undefined {
  const answer = answers.find(({ status }) => status !== undefined && status >= 300)
  if (answer === undefined) return undefined
  return { ...readAnswer({ ...answer, status: answer.status! }, now), proof: 'status' }
}

/** What stands on an error that came without an answer, or with a good one that then went wrong. */
function connection (chain: Link, values: readonly unknown[], answers: readonly AnswerIn[]): FailureEvidence | undefined {
  const found = byCodeOrName(chain, values)
  const answer = answers.find(({ status }) => status !== undefined)
  if (answer === undefined) return found === undefined ? undefined : afterHeaders(found, values)
  const rest = { status: answer.status, headers: readHeaders(answer.headers) }
  if (found === undefined || found.proof === 'text') return { outcome: UpstreamOutcome.invalid_response, proof: 'status', phase: 'body', ...rest }
  const { unsent: _, ...sent } = found
  return { ...sent, ...(found.outcome === UpstreamOutcome.connection_lost && { outcome: UpstreamOutcome.invalid_response, phase: 'body' }), ...rest }
}

/** A lost connection whose error says that the answer had begun. */
function afterHeaders (found: FailureEvidence, values: readonly unknown[]): FailureEvidence {
  if (found.outcome !== UpstreamOutcome.connection_lost) return found
  // Node says `aborted`, fetch `terminated`, got `ReadError`: all with the code of a connection lost at any time.
  const begun = values.some(value => ['aborted', 'terminated'].includes(textOf(value)) || namesOf(value).includes('ReadError'))
  return begun ? { ...found, outcome: UpstreamOutcome.invalid_response, phase: 'body' } : found
}

function byCodeOrName (chain: Link, values: readonly unknown[]): FailureEvidence | undefined {
  const code = codeIn(chain)
  if (code.found !== undefined && code.found.weak !== true) return { ...facts(code.found, code.unsent), proof: 'code' }
  const names = values.flatMap(value => namesOf(value).map(name => knownNames.get(name))).filter(name => name !== undefined)
  const strong = names.find(name => name.weak !== true)
  if (strong !== undefined) return { ...facts(strong), proof: 'name' }
  if (code.found !== undefined) return { ...facts(code.found), proof: 'code' }
  if (names[0] !== undefined) return { ...facts(names[0]), proof: 'name' }
  return byTextOfClient(values)
}

function byTextOfClient (values: readonly unknown[]): FailureEvidence | undefined {
  const texts = values.map(value => knownTexts.get(textOf(value))).filter(text => text !== undefined)
  const text = texts.find(({ weak }) => weak !== true) ?? texts[0]
  if (text !== undefined) return { ...facts(text), proof: 'name' }
  // JSON.parse alone speaks of JSON; any other SyntaxError is a mistake in code.
  const syntax = values.some(value => namesOf(value).includes('SyntaxError') && /\bJSON\b/.test(textOf(value)))
  if (syntax) return { outcome: UpstreamOutcome.invalid_response, proof: 'text', phase: 'body' }
  return values.some(value => namesOf(value).some(name => ownMistakes.has(name))) ? { outcome: UpstreamOutcome.own_mistake, proof: 'name' } : undefined
}

function facts ({ outcome, phase, unsent }: KnownFailure, proven: boolean = unsent === true): Omit<FailureEvidence, 'proof'> {
  return { outcome, ...(phase !== undefined && { phase }), ...(proven && { unsent: true }) }
}

interface CodeIn { found?: KnownFailure, unsent: boolean }

/** The first known code along a chain that is not weak; unsent only if every known code and every child of an aggregate proves it. */
function codeIn ({ value, cause, errors, cut }: Link): CodeIn {
  const own = repeats(value, cause) ? undefined : codeOf(value)
  const below = [...(cause === undefined ? [] : [cause]), ...errors].map(codeIn)
  const all = [...(own === undefined ? [] : [{ found: own, unsent: own.unsent === true }]), ...below]
  const known = all.filter(({ found }) => found !== undefined)
  const found = (known.find(one => one.found?.weak !== true) ?? known[0])?.found
  // Node gives the aggregate of its connection attempts a code of its own; an aggregate without one may hold anything.
  const children = own === undefined ? below.slice(cause === undefined ? 0 : 1) : []
  return { found, unsent: !cut && known.length > 0 && [...known, ...children].every(({ unsent }) => unsent) }
}

/** axios copies the code of what it wraps, but not the system call that tells what the code means. */
function repeats (value: unknown, cause: Link | undefined): boolean {
  const code = getText(value, 'code')
  return code !== undefined && cause !== undefined && getText(cause.value, 'code') === code && getText(value, 'syscall') === undefined
}

function codeOf (value: unknown): KnownFailure | undefined {
  const code = typeof value === 'string' ? value : getText(value, 'code')
  const known = code === undefined ? undefined : knownCode(code, getText(value, 'syscall'))
  if (known?.outcome === UpstreamOutcome.connection_lost && code === 'ECONNABORTED' && namesOf(value).includes('AxiosError')) return { outcome: UpstreamOutcome.timeout }
  const phase = known?.outcome === UpstreamOutcome.timeout ? unsentSteps.get(getText(value, 'event') ?? '') : undefined
  return phase === undefined ? known : { outcome: UpstreamOutcome.timeout, unsent: true, phase }
}

const STATUS_IN_TEXT = /(?<![\w.-])(?:http(?:\/\d(?:\.\d)?)?|status(?:[ _-]?code)?|error|code)["']?\s{0,3}[:=]?\s{0,3}["']?([1-5]\d{2})(?!\w|[.,-]\d)/i

/** A delimited status in a message, only where no field says anything at all. */
function statusInText (values: readonly unknown[]): FailureEvidence | undefined {
  if (values.some(value => ['code', 'status', 'statusCode'].some(key => get(value, key) !== undefined && get(value, key) !== null))) return undefined
  const status = values.map(value => STATUS_IN_TEXT.exec(textOf(value))?.[1]).find(text => text !== undefined)
  return status === undefined ? undefined : { outcome: outcomeForStatus(Number(status)), proof: 'text', status: Number(status) }
}
