import type { MadeAnswer } from '../protocol/answer.js'
import { attempt } from '../upstream/evidence.js'
import type { Exchange } from '../upstream/exchange.js'
import { nowRunning, noLongerRunning, observedBy, type KnownUpstream, type Observer } from '../upstream/observer.js'
import type { UpstreamClient } from '../upstream/request.js'
import { answerFailure, answerSuccess } from './answer.js'
import { logGone, timedOut, withCallOutcome } from './call-outcome.js'
import { claim, metaOf, type Result } from './claim.js'
import { createCall } from './context.js'
import type { Door } from './door.js'
import { logFailure, logObjection, logRefusal } from './log.js'
import type { Prepared } from './prepared.js'
import { RunningCall } from './running-call.js'
import type { CallReport, Service } from './service.js'
import { spreadFor } from './spread.js'
import type { SensitiveInput } from './sensitive.js'
import { CallOfUpstream } from './upstream-call.js'
import { classifyThrown, internalError } from './thrown.js'

/** Takes the answer of a call, once; `undefined` where the caller went away and nothing can be answered. Never throws. */
export type Done = (answer: MadeAnswer | undefined) => void

const NO_RULES: CallReport['rules'] = []
const NEXT_TURN = Promise.resolve()

/**
 * A call whose input is right: its handler runs, when it is its turn, against its deadline; whichever ends first is the
 * result. With callbacks: each promise would cost every call more than all that is written down of it.
 */
export class Invocation implements Observer {
  readonly #prepared: Prepared
  readonly #service: Service
  readonly #state: RunningCall
  readonly #startedAt: number
  readonly #done: Done
  #takeBack: (() => void) | undefined

  constructor (prepared: Prepared, service: Service, door: Door, sensitive: SensitiveInput | undefined, startedAt: number, done: Done) {
    this.#prepared = prepared
    this.#service = service
    this.#state = new RunningCall(prepared.capability, door, sensitive, startedAt)
    this.#startedAt = startedAt
    this.#done = done
    this.#takeBack = door.onGone?.(() => this.#state.deadline.end('caller_gone'))
  }

  begin (input: unknown): void {
    const { queue } = this.#prepared
    const state = this.#state
    // A turn later every request of ours that was cancelled has said how far it had come.
    state.deadline.onEnd(() => setImmediate(() => this.#answer({ error: withCallOutcome(state, timedOut(state), 'declared') })))
    if (queue === undefined) {
      this.#handle(input)
      return
    }
    state.queued = true
    state.deadline.watch()
    queue.inTurn(state.deadline, () => this.#handle(input)).then(() => { if (state.queued) state.sensitive?.release() })
  }

  record (exchange: Exchange): void {
    this.#state.ledger.record(exchange)
  }

  upstreamAt (origin: string, path: string): KnownUpstream | undefined {
    return this.#service.directory.find(origin, path, this.#prepared.capability.upstreams)
  }

  #handle (input: unknown): Promise<void> | void {
    const { capability } = this.#prepared
    const state = this.#state
    state.queued = false
    state.running = true
    // Whose exchanges nobody looks for, nobody has to follow.
    const isObserved = capability.evidence !== 'none'
    if (isObserved) nowRunning(this)
    let given: unknown
    try {
      const call = createCall(state, label => this.#clientOf(label))
      given = isObserved ? observedBy(this, () => capability.handler(input as never, call as never)) : capability.handler(input as never, call as never)
    } catch (thrown) {
      return this.#failed(thrown)
    }
    const handled = Promise.resolve(given).then(data => this.#succeeded(data), (thrown: unknown) => this.#failed(thrown))
    // A handler that only computes is done by then, and a timer would cost it more than its answer.
    NEXT_TURN.then(() => state.deadline.watch())
    return handled
  }

  #clientOf (label: string): UpstreamClient {
    return this.#service.upstreams.get(label)!.clientFor(new CallOfUpstream(this.#state))
  }

  #succeeded (data: unknown): void {
    this.#ended()
    const state = this.#state
    const made = state.lastMade
    let result: Result
    try {
      result = made === undefined ? claim(this.#prepared, data, state) : { error: withCallOutcome(state, made, 'declared') }
    } catch (thrown) {
      // Data may be anything, and do anything when it is looked at.
      result = { error: withCallOutcome(state, internalError(thrown), 'claimed') }
    }
    this.#handled(result)
  }

  #failed (thrown: unknown): void {
    this.#ended()
    const { error, declared } = classifyThrown(thrown, this.#state)
    this.#handled({ error: withCallOutcome(this.#state, error, declared ? 'declared' : 'bug') })
  }

  #ended (): void {
    this.#state.running = false
    if (this.#prepared.capability.evidence !== 'none') noLongerRunning(this)
  }

  #handled (result: Result): void {
    const { deadline, log, capability, sensitive } = this.#state
    sensitive?.release()
    if (deadline.ended === undefined) this.#answer(result)
    else if (deadline.ended === 'deadline' && 'text' in result) attempt(() => log.warn({ capability: capability.name }, 'A handler answered after its call had ended; the answer is dropped.'))
  }

  /** Once: a call whose time is over is no longer {@link #handled}, and one that is answered has no time that could be over. */
  #answer (result: Result): void {
    this.#takeBack?.()
    const state = this.#state
    state.end()
    let told = state.deadline.ended === 'caller_gone' ? undefined : result
    let answer: MadeAnswer | undefined
    try {
      answer = told && this.#answerOf(told)
    } catch (thrown) {
      // What a handler says beside its data may be no JSON.
      told = { error: withCallOutcome(state, internalError(thrown), 'claimed') }
      answer = this.#answerOf(told)
    }
    this.#service.report?.(this.#reportOf(told))
    try {
      this.#log(told)
    } catch {
      // A logger of somebody's own: what became of the call is known all the same.
    }
    this.#done(answer)
  }

  #log (result: Result | undefined): void {
    const { capability: { name }, log } = this.#state
    if (result === undefined) logGone(log, this.#state)
    else if ('text' in result) for (const warning of result.warnings) logObjection(log, warning, name)
    else if (result.refusal === undefined) logFailure(log, result.error, name)
    else logRefusal(log, result.refusal, result.error, name)
  }

  #answerOf (result: Result): MadeAnswer {
    const state = this.#state
    const { capability: { name }, requestId, sensitive } = state
    if ('text' in result) return answerSuccess(result.text, metaOf(state, result.warnings), requestId)
    return answerFailure(result.error, requestId, spreadFor(this.#service.waits, result.error, name), sensitive?.redact)
  }

  /** What became of the call; of one whose caller is gone there is no result. */
  #reportOf (result: Result | undefined): CallReport {
    const { capability: { name: capability }, ledger } = this.#state
    const durationMs = performance.now() - this.#startedAt
    const exchanges = ledger.tallies()
    if (result === undefined) return { capability, outcome: 'caller_gone', code: undefined, durationMs, exchanges, rules: NO_RULES }
    if ('text' in result) return { capability, outcome: 'success', code: undefined, durationMs, exchanges, rules: result.warnings.length === 0 ? NO_RULES : result.warnings.map(({ rule }) => ({ rule, refused: false })) }
    return { capability, outcome: 'failure', code: result.error.code, durationMs, exchanges, rules: result.refusal === undefined ? NO_RULES : [{ rule: result.refusal.rule, refused: true }] }
  }
}
