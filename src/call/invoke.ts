import type { Log } from '../capability/call.js'
import { judge, type Objection } from '../policy/honesty.js'
import type { Answer } from '../protocol/answer.js'
import type { Meta } from '../protocol/envelope.js'
import { createToolError, type ToolError } from '../protocol/tool-error.js'
import type { WriteOutcome } from '../protocol/write-outcome.js'
import type { UpstreamCall } from '../upstream/client.js'
import { callOutcome, withOutcome } from '../upstream/exchange.js'
import { nowRunning, observedBy, type Observer } from '../upstream/observer.js'
import { answerFailure, answerSuccess } from './answer.js'
import { createCall, declaredError } from './context.js'
import type { Door } from './door.js'
import { logFailure, logObjection, logRefusal } from './log.js'
import { withoutSensitive, withWarnings } from './meta.js'
import type { Prepared } from './prepared.js'
import { RunningCall } from './running-call.js'
import type { CallReport, Service } from './service.js'
import { spreadFor } from './spread.js'
import type { CallState } from './state.js'
import { classifyThrown } from './thrown.js'
import { queueFull } from './untaken.js'

/**
 * One call of one capability: input checked, handler run within its time, success checked before it is claimed.
 * Never throws. `undefined` where the caller went away and nothing can be answered.
 */
export async function invoke (prepared: Prepared, service: Service, input: unknown, door: Door): Promise<Answer | undefined> {
  const { capability, checkInput } = prepared
  const { requestId, log } = door
  const startedAt = performance.now()
  const untaken = checkInput(input, door.bodyBytes) ?? (prepared.queue?.isFull === true ? queueFull(capability) : undefined)
  const sensitive = prepared.keepSensitive(input)
  if (untaken !== undefined) {
    sensitive?.release()
    const failure = capability.effect === 'write' ? withOutcome(untaken, 'not_applied') : untaken
    logFailure(log, failure, capability.name)
    service.report?.({ capability: capability.name, outcome: 'failure', code: failure.code, durationMs: performance.now() - startedAt, exchanges: NO_EXCHANGES, rules: [] })
    return answerFailure(failure, requestId, spreadFor(service.waits, failure, capability.name), sensitive?.redact)
  }
  const state = new RunningCall(capability, door, sensitive)
  const takeBack = door.onGone?.(() => state.deadline.end('caller_gone'))
  const result = await run(prepared, service, input, state)
  takeBack?.()
  state.end()
  const gone = state.deadline.ended === 'caller_gone'
  service.report?.(reportOf(state, gone ? undefined : result, performance.now() - startedAt))
  if (gone) {
    logGone(log, state)
    return undefined
  }
  if ('text' in result) {
    for (const warning of result.warnings) logObjection(log, warning, capability.name)
    return answerSuccess(result.text, metaOf(state, result.warnings), requestId)
  }
  if (result.refusal === undefined) logFailure(log, result.error, capability.name)
  else logRefusal(log, result.refusal, result.error, capability.name)
  return answerFailure(result.error, requestId, spreadFor(service.waits, result.error, capability.name), sensitive?.redact)
}

/** Nobody is told what a write did: the log must know. */
function logGone (log: Log, state: CallState): void {
  const { capability: { name, effect } } = state
  const outcome = effect === 'write' ? outcomeOf(state, 'declared') : undefined
  const level = outcome === undefined || outcome === 'not_applied' ? 'info' : 'warn'
  log[level]({ capability: name, code: 'CALLER_GONE', ...(outcome !== undefined && { outcome }) }, 'The caller went away before the call ended.')
}

const NO_EXCHANGES: CallReport['exchanges'] = new Map()

type Result = { text: string, warnings: readonly Objection[] } | { error: ToolError, refusal?: Objection }

/** The handler, when it is its turn, against its deadline; whichever ends first is the result. */
function run (prepared: Prepared, service: Service, input: unknown, state: RunningCall): Promise<Result> {
  const { deadline, log, capability } = state
  const { queue } = prepared
  state.queued = queue !== undefined
  const handle = (): Promise<Result> => {
    state.queued = false
    return runHandler(prepared, service, input, state)
  }
  return new Promise<Result>(resolve => {
    // A turn later every request of ours that was cancelled has said how far it had come.
    deadline.onEnd(() => setImmediate(() => resolve({ error: withCallOutcome(state, timedOut(state), 'declared') })))
    const handled: Promise<Result | undefined> = queue === undefined ? handle() : queue.inTurn(deadline, handle)
    handled.then(result => {
      state.sensitive?.release()
      if (result === undefined) return
      if (deadline.ended === undefined) resolve(result)
      else if (deadline.ended === 'deadline' && 'text' in result) log.warn({ capability: capability.name }, 'A handler answered after its call had ended; the answer is dropped.')
    })
  })
}

async function runHandler (prepared: Prepared, service: Service, input: unknown, state: RunningCall): Promise<Result> {
  const { capability } = prepared
  // Whose exchanges nobody looks for, nobody has to follow.
  const observer = capability.evidence === 'none' ? undefined : observerOf(state, service)
  const done = observer && nowRunning(observer)
  let data: unknown
  try {
    const call = createCall(state, label => service.upstreams.get(label)!.clientFor(new CallOfUpstream(state)))
    const handle = (): unknown => capability.handler(input as never, call as never)
    data = await (observer === undefined ? handle() : observedBy(observer, handle))
  } catch (thrown) {
    const { error, declared } = classifyThrown(thrown, state)
    return { error: withCallOutcome(state, error, declared ? 'declared' : 'bug') }
  } finally {
    done?.()
  }
  const made = state.lastMade
  if (made !== undefined) return { error: withCallOutcome(state, made, 'declared') }
  return claim(prepared, data, state)
}

/** A handler's data as the success that may be claimed, or the failure to say instead. */
function claim ({ capability, checkOutput, findMarker, modes }: Prepared, data: unknown, state: RunningCall): Result {
  const { text, dropped, broken } = checkOutput(data)
  const { refusal, warnings } = judge({
    name: capability.name,
    effect: capability.effect,
    needsEvidence: capability.evidence === 'upstream',
    modes,
    exchanges: state.ledger.exchanges,
    get said () { return state.said },
    broken,
    marker: findMarker?.(data)
  })
  if (refusal !== undefined) return { error: withCallOutcome(state, refusal.error, 'claimed'), refusal }
  if (dropped.length > 0) state.log.warn({ capability: capability.name, fields: dropped.slice(0, 20) }, 'The handler returned fields its output schema does not declare; they were left out.')
  return { text, warnings }
}

function observerOf ({ ledger, capability }: CallState, { directory }: Service): Observer {
  return {
    record: exchange => ledger.record(exchange),
    upstreamAt: (origin, path) => directory.find(origin, path, capability.upstreams)
  }
}

const callIsOver = Object.assign(new Error('The call was answered; nothing is sent for it any more.'), { name: 'AbortError' })

/** The call as its upstreams know it. */
class CallOfUpstream implements UpstreamCall {
  readonly ledger: CallState['ledger']
  readonly traceparent: string | undefined
  /** Not private: a witness in tests looks on through an object that inherits from this one. */
  readonly state: CallState

  constructor (state: CallState) {
    this.ledger = state.ledger
    this.traceparent = state.traceparent
    this.state = state
  }

  /** What was said of the call holds only if nothing is sent after it. */
  get endReason (): Error | undefined {
    return this.state.deadline.reason ?? (this.state.over ? callIsOver : undefined)
  }

  onEnd (listener: (reason: Error) => void): () => void {
    return this.state.deadline.onEnd(listener)
  }

  declaredError (code: string, details: Readonly<Record<string, string>>): ToolError {
    const { errors, name } = this.state.capability
    return declaredError(errors, code, { details }, name)
  }
}

/**
 * What the writes of a call that does not succeed did. Without a recorded write exchange, nothing was written only if it
 * can be known: not where the handler says that it is done, where one that declares no upstreams broke off, or where one
 * may still be running that sends by other clients than ours, which end with the call.
 */
function outcomeOf ({ capability, ledger: { exchanges }, deadline, queued }: CallState, ended: 'declared' | 'bug' | 'claimed'): WriteOutcome {
  if (queued) return 'not_applied'
  const isRunning = deadline.ended !== undefined
  const runsOn = exchanges.some(({ foreign, endedAt }) => foreign === true && (isRunning || endedAt === undefined))
  const isUnseen = capability.upstreams.length === 0 && (ended === 'bug' || isRunning)
  const recorded = callOutcome(exchanges)
  if (runsOn && recorded === 'not_applied') return 'unknown'
  return recorded ?? (ended === 'claimed' || isUnseen || runsOn ? 'unknown' : 'not_applied')
}

function withCallOutcome (state: CallState, error: ToolError, ended: 'declared' | 'bug' | 'claimed'): ToolError {
  const { capability: { effect, idempotent }, ledger: { exchanges } } = state
  if (effect === 'read') return error
  const outcome = error.details.outcome === 'unknown' ? 'unknown' : outcomeOf(state, ended)
  return withOutcome(error, outcome, { idempotent, status409: exchanges.some(({ effect, status }) => effect === 'write' && status === 409) })
}

function timedOut ({ capability: { name }, deadline: { timeoutMs }, queued }: CallState): ToolError {
  return createToolError({
    code: 'REQUEST_TIMEOUT',
    category: 'SERVICE_ERROR',
    status: 504,
    message: queued ? `It was not the turn of this call of ${name} within its ${timeoutMs} ms.` : `${name} was not done within its ${timeoutMs} ms.`
  })
}

function metaOf (state: RunningCall, warnings: readonly Objection[]): Meta | undefined {
  const { ledger: { exchanges }, capability, sensitive } = state
  const successes = exchanges.filter(({ upstream, declared, success, ownerUncertain }) => declared && success && ownerUncertain !== true && capability.upstreams.includes(upstream))
  if (successes.length === 0 && state.isSilent) return withWarnings(undefined, warnings)
  const { declared } = state
  return withWarnings({
    ...(successes.length > 0 && { sources: [...new Set(successes.map(({ upstream }) => upstream))] }),
    ...(sensitive === undefined ? declared : withoutSensitive(declared, sensitive.redact)),
    ...(successes.some(({ simulated }) => simulated === true) && { simulated: true })
  }, warnings)
}

/** What became of a call; of one whose caller is gone there is no result. */
function reportOf ({ capability: { name }, ledger }: CallState, result: Result | undefined, durationMs: number): CallReport {
  const exchanges = ledger.tallies()
  if (result === undefined) return { capability: name, outcome: 'caller_gone', code: undefined, durationMs, exchanges, rules: [] }
  if ('text' in result) return { capability: name, outcome: 'success', code: undefined, durationMs, exchanges, rules: result.warnings.map(({ rule }) => ({ rule, refused: false })) }
  return { capability: name, outcome: 'failure', code: result.error.code, durationMs, exchanges, rules: result.refusal === undefined ? [] : [{ rule: result.refusal.rule, refused: true }] }
}
