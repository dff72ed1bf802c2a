import { answering, behaviours, rawResponse, type Behaviour, type BehaviourName } from './rogue-behaviours.js'
import { rows, type Row } from './told.js'

/** One way to break an upstream, and what is to be told of it. */
export interface Break {
  /** What the upstream does, to go behind its name. */
  readonly name: string
  readonly behaviour: Behaviour
  /** Any of these is right: where a race decides, the table has two rows. */
  readonly told: readonly Row[]
  /** What is right besides where another client than ours asked: its errors tell less. */
  readonly toldByOthers: readonly Row[]
  /** Of one that is nothing but an answer. */
  readonly status?: number
  /** The wait that it advises, in seconds. */
  readonly wait?: number
  /** Does it end only because somebody stops waiting? */
  readonly stalls: boolean
  /** Does a read go through it unharmed? So does every request of a client that follows redirects wherever they lead. */
  readonly harmless?: 'read' | 'others'
}

const { lost, invalid, notHttp, unreachable, late, deadline, notConnected, untrusted, redirected, repeatedElsewhere, unavailable, unavailableForNow } = rows

/** A broken connection may show as any of these. */
const ANY_BREAK = [lost, invalid, notHttp, unreachable]
const STALLED = [late, deadline, notConnected]
/** What is broken about the text alone shows to others when they read it. */
const UNREAD = [...ANY_BREAK, rows.unread]

/** The statuses of the table. */
const statuses: ReadonlyArray<readonly [statuses: readonly number[], told: Row]> = [
  [[400, 413, 414, 422, 431], rows.rejected],
  [[401], rows.unauthorized],
  [[402], rows.payment],
  [[403, 451], rows.forbidden],
  [[404, 410], rows.notFound],
  [[405, 418], rows.refusedStatus],
  [[408, 500, 502, 503, 504, 520, 529], unavailable],
  [[409, 412], rows.conflict],
  [[420, 429], rows.limited],
  [[423, 424, 425], rows.locked],
  [[888], rows.strangeStatus]
]

/** Every behaviour with a name; `undefined` for one that breaks nothing. */
const named: Readonly<Record<BehaviourName, Pick<Break, 'told'> & Partial<Break> | undefined>> = {
  well_behaved: undefined,
  refused: { told: [unreachable] },
  silent_connection: { told: [late, deadline] },
  silent_request: { told: [late, deadline] },
  reset_on_connect: { told: [lost, unreachable] },
  close_on_connect: { told: [lost, unreachable] },
  reset_in_request: { told: [lost] },
  reset_after_request: { told: [lost] },
  close_after_request: { told: [lost] },
  half_close: { told: [lost] },
  close_in_status_line: { told: [lost] },
  reset_in_headers: { told: [lost] },
  garbage: { told: [notHttp] },
  bare_lf: { told: [notHttp] },
  bad_header: { told: [notHttp] },
  two_lengths: { told: [invalid] },
  huge_headers: { told: [notHttp] },
  switching_protocols: { told: [lost] },
  cut_by_length: { told: [invalid] },
  cut_in_chunk: { told: [invalid] },
  cut_between_chunks: { told: [invalid] },
  bad_chunk: { told: [notHttp] },
  cut_in_gzip: { told: [invalid], toldByOthers: UNREAD },
  no_gzip: { told: [invalid], toldByOthers: UNREAD },
  reset_in_body: { told: [invalid] },
  stalled_body: { told: [late, deadline] },
  endless_body: { told: [notHttp], toldByOthers: [...ANY_BREAK, ...STALLED] },
  cut_failure: { told: [unavailableForNow], toldByOthers: [...ANY_BREAK, unavailable], wait: 7 },
  page: { told: [invalid], toldByOthers: UNREAD },
  page_in_502: { told: [unavailable] },
  half_json: { told: [invalid], toldByOthers: UNREAD },
  interim_noise: undefined,
  continue_unasked: { told: [lost] },
  redirect_to_itself: { told: [redirected] },
  redirect_onward: { told: [redirected], harmless: 'read' },
  redirect_elsewhere: { told: [redirected], harmless: 'others' },
  redirect_repeated: { told: [repeatedElsewhere], harmless: 'read' },
  tls_trusted: undefined,
  tls_self_signed: { told: [untrusted] },
  tls_wrong_name: { told: [untrusted] },
  tls_expired: { told: [untrusted] },
  tls_to_plain: { told: [untrusted] },
  plain_to_tls: { told: [lost] },
  tls_silent: { told: [notConnected, deadline] },
  tls_reset: { told: [unreachable] }
}

/** All breaks, in the order they are tried. */
export const breaks: readonly Break[] = [
  ...statuses.flatMap(([list, told]) => list.map(status => ofStatus(status, told))).sort((a, b) => a.status! - b.status!),
  advising(429, 7, rows.limited),
  advising(503, 7, unavailableForNow),
  ...[301, 307].map(status => ofBehaviour(loop(status), { told: [status === 301 ? redirected : repeatedElsewhere] })),
  ...[400, 500].map(status => ({ ...ofBehaviour(echo(status), { told: [status === 400 ? rows.rejected : unavailable] }), status })),
  ...Object.entries(named).flatMap(([name, row]) => row === undefined ? [] : [ofBehaviour(behaviours[name as BehaviourName], row)])
]

function ofBehaviour (behaviour: Behaviour, row: Pick<Break, 'told'> & Partial<Break>): Break {
  const [breaks, stalls] = [ANY_BREAK, STALLED].map(group => row.told.some(told => group.includes(told)))
  return { name: behaviour.does, behaviour, stalls: stalls!, toldByOthers: breaks ? ANY_BREAK : stalls ? STALLED : [], ...row }
}

function ofStatus (status: number, told: Row): Break {
  return { ...ofBehaviour(answering(status), { told: [told] }), status }
}

function advising (status: number, wait: number, told: Row): Break {
  const behaviour = { ...answering(status, { 'retry-after': String(wait) }), does: `answers ${status} with Retry-After` }
  return { ...ofBehaviour(behaviour, { told: [told] }), status, wait }
}

function loop (status: number): Behaviour {
  return { does: `redirects to itself with ${status}`, steps: ({ path }) => [{ send: rawResponse(status, { location: path }) }] }
}

/** What it was told comes back, credentials and all, where an upstream's own words are quoted from. */
function echo (status: number): Behaviour {
  return { does: `answers ${status} and repeats the request`, steps: ({ text }) => [{ send: rawResponse(status, {}, JSON.stringify({ message: text })) }] }
}
