import { codes, createToolError, nextAction, WriteOutcome } from '../src/protocol/index.js'
import { exchangeOutcome, withOutcome } from '../src/upstream/exchange.js'
import { codePrefixes, knownCodes, knownNames, knownTexts, type KnownFailure } from '../src/upstream/known-failures.js'
import { UpstreamOutcome } from '../src/upstream/outcome.js'
import { badKeyWords, exactStatuses, outcomeForStatus, quotaWords, quotaWordsWithoutWait, statusRanges, throttlingWords, verdicts } from '../src/upstream/verdicts.js'

// What the tables of the code cannot say: what happened, in words, and what an agent does about it.
const explained: Readonly<Record<UpstreamOutcome, readonly [happened: string, agent: string]>> = {
  rejected_input: ['It finds fault with the values', 'Stops: nobody said that other values would do. A capability that knows better declares an error'],
  not_found: ['It has nothing under what it was asked for', 'Stops: another spelling may be found only where a declared error says so'],
  conflict: ['The request contradicts the state it is in', 'Stops. After a create: an earlier attempt may be what it met; looks before it creates again'],
  auth_failed: ["The tool's own credentials are not accepted", "Leaves the input alone; has the tool's operator told"],
  forbidden: ['It knows the tool and does not allow this', 'Stops'],
  payment_required: ['It wants to be paid', 'Stops; has the operator told'],
  quota_exhausted: ['A quota is used up that no waiting lifts', 'Stops; has the operator told'],
  rate_limited: ['It asks for fewer requests', 'Waits as told, then sends the same again'],
  unavailable: ['It answered with trouble of its own', 'Sends a read again after a pause, which `retry_after` names where the upstream did'],
  redirected: ['It pointed elsewhere: a write, another origin, a ring, or a fourth time', 'Stops; has the operator told'],
  refused: ['It answered with a status that nobody can act on', 'Stops'],
  unreachable: ['Nobody was reached: no name, no route, nobody listening, or broken off before anything was sent', 'Sends it again after a pause, a write too: nothing was sent'],
  timeout: ['It took too long to connect, to begin its answer or to end it', 'Sends a read again after a pause; with a write, looks at `outcome` first'],
  connection_lost: ['The connection was lost before its answer began', 'Sends a read again after a pause; with a write, looks at `outcome` first'],
  invalid_response: ['Its answer is cut short, not JSON, or not of the declared shape', 'Sends a read again after a pause; with a write, looks at `outcome` first'],
  protocol_error: ['What came is not HTTP, or more than the tool takes', 'Stops: waiting seldom mends it'],
  tls_failed: ['Its certificate or its TLS cannot be trusted', 'Stops; has the operator told'],
  failed: ['Something failed of which nothing is known', 'Sends a read again after a pause'],
  own_mistake: ["A mistake of the tool's own: a bad URL, header or argument, a bug", 'Stops; reports the request id'],
  client_closed: ['The service is stopping and closed its connections', 'Sends it again: another instance takes it'],
  caller_gone: ['The caller hung up', 'Nothing: it is not there. The log alone has it, and it never counts against the upstream']
}

const outcomes = Object.values(UpstreamOutcome)
const ALL_STATUSES = Array.from({ length: 800 }, (_, index) => 200 + index)
const code = (text: string): string => `\`${text}\``
const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`

function table (head: readonly string[], rows: ReadonlyArray<readonly string[]>): string {
  return [row(head), row(head.map(() => '---')), ...rows.map(row)].join('\n')
}

interface Said { code: string, status: number, category: string, retryable: boolean, action: string }

/** What a read is told. */
function said (outcome: UpstreamOutcome): Said {
  const { code: name } = verdicts[outcome]
  const { category, status, retryable, ...rest } = codes[name]
  const credentials = 'credentials' in rest ? rest.credentials : undefined
  const action = nextAction({ code: name, status, retryable, details: { credentials, retry_after: category === 'RATE_LIMIT' && retryable ? '30s' : undefined } })
  return { code: name, status, category, retryable, action }
}

/** All that may come of a write with this outcome. */
function afterWrite (outcome: UpstreamOutcome): string {
  if (outcome === UpstreamOutcome.caller_gone) return ''
  const statuses = outcome === UpstreamOutcome.quota_exhausted ? [429] : ALL_STATUSES.filter(status => outcomeForStatus(status) === outcome)
  const known = [...knownCodes.values(), ...knownNames.values(), ...codePrefixes.map(([, failure]) => failure)].filter(failure => failure.outcome === outcome)
  const all = new Set([...statuses.map(status => exchangeOutcome({ sent: true, status, complete: false })), ...known.map(({ unsent }) => exchangeOutcome({ sent: unsent !== true, complete: false }))])
  if (all.size === 0) return code(WriteOutcome.unknown)
  return all.size === 1 ? [...all].map(code).join('') : '`not_applied` where that is proven below, else `unknown`'
}

function told (): string {
  return table(['what happened', 'code', 'status', 'category', 'retryable', 'next action', 'after a write', 'what an agent does'], outcomes.map(outcome => {
    const { code: name, status, category, retryable, action } = said(outcome)
    const [happened, agent] = explained[outcome]
    const gone = outcome === UpstreamOutcome.caller_gone
    return [happened, code(name), gone ? '' : String(status), code(category), String(retryable), gone ? '' : code(action), afterWrite(outcome), agent]
  }))
}

function ofStatuses (): string {
  const exact = outcomes.map(outcome => [outcome, [...exactStatuses].filter(([, value]) => value === outcome).map(([status]) => status)] as const).filter(([, statuses]) => statuses.length > 0)
  const rows = exact.map(([outcome, statuses]) => statusRow(statuses.sort((a, b) => a - b).join(', '), outcome, statuses))
  const ranges = [...statusRanges].reverse().map(([from, outcome], index, all) => {
    const next = all[index + 1]?.[0]
    const statuses = ALL_STATUSES.filter(status => status >= from && (next === undefined || status < next) && !exactStatuses.has(status))
    return statusRow(next === undefined ? `${from} and above` : from === 200 ? '200–299, where the body is not what was asked for' : `${from === 400 || from === 500 ? 'every other ' : ''}${from}–${next - 1}`, outcome, statuses)
  })
  return table(['status', 'told as', 'retryable', 'after a write'], [...rows, ...ranges])
}

function statusRow (text: string, outcome: UpstreamOutcome, statuses: readonly number[]): string[] {
  const groups = new Map<string, number[]>()
  for (const status of statuses) {
    const after = exchangeOutcome({ sent: true, status, complete: false })
    groups.set(after, [...groups.get(after) ?? [], status])
  }
  // The shorter list is named, the longer one is the rest.
  const sorted = [...groups].sort(([, a], [, b]) => a.length - b.length)
  const after = sorted.map(([name, of], index) => sorted.length === 1 ? code(name) : index < sorted.length - 1 ? `${code(name)} (${of.join(', ')})` : `else ${code(name)}`).join(', ')
  const { code: name, retryable } = said(outcome)
  return [text, code(name), String(retryable), after === '' ? code(WriteOutcome.unknown) : after]
}

/** Words that share a row of the code share one here. */
function ofWords (words: Iterable<readonly [string, KnownFailure]>, shown: (word: string) => string = code): string {
  const groups = new Map<KnownFailure, string[]>()
  for (const [word, failure] of words) groups.set(failure, [...groups.get(failure) ?? [], shown(word)])
  return table(['seen', 'told as', 'nothing was sent', 'phase'], [...groups].map(([{ outcome, unsent, phase }, list]) => [list.join(' '), code(said(outcome).code), unsent === true ? 'proven' : 'not proven', phase ?? '']))
}

function ofWrites (): string {
  const sample = createToolError({ code: 'UPSTREAM_UNAVAILABLE', category: 'SERVICE_ERROR', status: 502, message: 'x' })
  const rows: Array<[WriteOutcome, string, string]> = [
    [WriteOutcome.unknown, 'any was sent without a conclusive answer: timeout, lost, cut, unreadable, 408, 5xx, 301, 302, 303, any other status that is neither 2xx nor a 4xx', 'Does not send it again. Asks what became of it, or hands it to a person'],
    [WriteOutcome.not_applied, 'all were never sent, or refused with a 4xx other than 408, or with 307 or 308', 'Goes by the table above: this call changed nothing'],
    [WriteOutcome.applied, 'all were answered 2xx', 'Does not send it again: it was carried out, and only its result is missing'],
    [WriteOutcome.partial, 'else', 'Does not send it again. Hands it to a person: some of it was carried out']
  ]
  return table(['of its writes with declared upstreams', '`details.outcome`', 'status', 'retryable', 'next action', 'what an agent does'], rows.map(([outcome, when, agent]) => {
    const { code: name, status, retryable, details } = withOutcome(sample, outcome)
    const kept = outcome === WriteOutcome.not_applied
    return [when, code(outcome), kept ? 'as the table' : String(status), kept ? 'as the table' : String(retryable), kept ? 'as the table' : code(nextAction({ code: name, status, retryable, details })), agent]
  }))
}

const list = (words: Iterable<string>): string => [...words].map(code).join(', ')

/** The page `docs/reference/upstream-failures.md`, from the tables that the classifier itself reads. */
export function failurePage (): string {
  return `# Upstream failures

<!-- Generated from src/upstream and src/protocol: npm run failures. Do not edit. -->

How a failure of a third party is told. Read from names, codes, statuses and headers, never from classes, and from text only where there is no field at all.
The strongest evidence goes first: an adapter of yours, a tool error, a word that says "slow down", a response status, a known code along \`cause\` and \`errors\`, a known name, a delimited status in a message.
*retryable* and *next action* are those of a read.

## What a caller is told

${told()}

## Writes

Of a write, \`details.outcome\` is a statement about the whole call. The first row that holds decides, whatever ended the call; where it says 500 the category is \`SERVICE_ERROR\` and no wait is told.

${ofWrites()}

Complete JSON of another shape under a 2xx is a 2xx: it was carried out. A no that \`refusal\` finds inside a 200 counts as the status it names.
A capability that is \`idempotent\` keeps status and flag of the first table when its outcome is \`unknown\`. A failure of a client whose requests nobody recorded leaves a write \`unknown\`, whatever it says of itself; so does a handler that is still at work when its time is over, as it may yet write. Wait for nothing that \`call.signal\` does not end.

## Statuses

${ofStatuses()}

A 403 with \`Retry-After\`, or with a remaining count of 0, counts as 429. Words in a JSON body say more than the number:

${table(['word', 'makes it'], [
  [list(throttlingWords), `${code(said(UpstreamOutcome.rate_limited).code)}, whatever the status`],
  [list(badKeyWords), `${code(said(UpstreamOutcome.auth_failed).code)}, of a 400 or 403`],
  [list(quotaWords), `${code(said(UpstreamOutcome.quota_exhausted).code)}, of a 429`],
  [list(quotaWordsWithoutWait), `${code(said(UpstreamOutcome.quota_exhausted).code)}, of a 429 that advises no wait`]
])}

## Waits

A 429, a 420 and a 403 that counts as one tell the wait that \`retry-after-ms\`, \`x-ms-retry-after-ms\`, \`retry-after\` or a reset header names, else 30 s with \`retry_after_source: "default"\`; a 5xx only what one of the first three names. Never below 1 s, never above a day, as \`details.retry_after\` and as \`Retry-After\`, and only where \`retryable\` is true.

## Codes

Of Node, undici, axios and got. The system call counts too: with \`connect\`, \`getaddrinfo\` or \`query…\` nothing was sent.

${ofWords([...knownCodes, ...codePrefixes.map(([prefix, failure]) => [`${prefix}…`, failure] as const)])}

## Names and texts

Where there is no known code. An abort counts only if nothing else is known.

${ofWords([...knownNames, ...[...knownTexts].map(([text, failure]) => [`"${text}"`, failure] as const)])}
`
}
