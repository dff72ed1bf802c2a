import type { Log, Principal } from '../capability/call.js'
import type { Capability } from '../capability/define.js'
import { judge } from '../policy/honesty.js'
import { answerFailure, answerSuccess } from './answer.js'
import type { Answer } from '../protocol/answer.js'
import type { Meta } from '../protocol/envelope.js'
import { createToolError, type ToolError } from '../protocol/tool-error.js'
import type { Upstream } from '../upstream/client.js'
import { callOutcome, withOutcome, type Exchange } from '../upstream/exchange.js'
import { createCall, declaredError } from './context.js'
import { Deadline } from './deadline.js'
import { logFailure } from './log.js'
import { createOutputCheck, type CheckOutput } from './output.js'
import { createInputCheck, type CheckInput } from './input.js'
import type { CallState } from './state.js'
import { classifyThrown } from './thrown.js'

/** What a door knows of a call: HTTP, MCP and drills open one each. */
export interface Door {
  requestId: string
  log: Log
  /** Bytes of the input as it came: above a bound only its first violation is looked for. */
  bodyBytes?: number
  principal?: Principal
  idempotencyKey?: string
  /** Less time than the capability has; more is not given. */
  timeoutMs?: number
  /** The trace the call belongs to, as it came. */
  traceparent?: string
  /** Calls back when nobody waits for the answer any more; the returned function takes it back. */
  onGone? (listener: () => void): () => void
}

/** A capability ready to be called: everything about it that can be worked out once. */
export interface Prepared {
  readonly capability: Capability
  readonly checkInput: CheckInput
  readonly checkOutput: CheckOutput
}

/** Prepares a capability; schemas are compiled on its first call. */
export function prepare (capability: Capability): Prepared {
  return { capability, checkInput: createInputCheck(capability), checkOutput: createOutputCheck(capability) }
}

/**
 * One call of one capability: input checked, handler run within its time, success checked before it is claimed.
 * Never throws. `undefined` where the caller went away and nothing can be answered.
 */
export async function invoke (prepared: Prepared, upstreams: ReadonlyMap<string, Upstream>, input: unknown, door: Door): Promise<Answer | undefined> {
  const { capability, checkInput } = prepared
  const { requestId, log } = door
  const wrong = checkInput(input, door.bodyBytes)
  if (wrong !== undefined) {
    const failure = capability.effect === 'write' ? withOutcome(wrong, 'not_applied') : wrong
    logFailure(log, failure, capability.name)
    return answerFailure(failure, requestId)
  }
  const state = createState(capability, door)
  const takeBack = door.onGone?.(() => state.deadline.end('caller_gone'))
  const result = await run(prepared, upstreams, input, state)
  takeBack?.()
  state.deadline.clear()
  if (state.deadline.ended === 'caller_gone') {
    log.info({ capability: capability.name, code: 'CALLER_GONE' }, 'The caller went away before the call ended.')
    return undefined
  }
  if ('text' in result) return answerSuccess(result.text, metaOf(state), requestId)
  logFailure(log, result.error, capability.name)
  return answerFailure(result.error, requestId)
}

function createState (capability: Capability, { requestId, log, principal, idempotencyKey, timeoutMs, traceparent }: Door): CallState {
  const exchanges: Exchange[] = []
  const shorter = timeoutMs === undefined ? undefined : { ms: timeoutMs, holds: () => !exchanges.some(({ effect }) => effect === 'write') }
  const deadline = new Deadline(capability.timeoutMs, shorter)
  return { capability, requestId, log, principal, idempotencyKey, traceparent, deadline, exchanges, made: new Set(), declared: {}, derived: undefined }
}

type Result = { text: string } | { error: ToolError }

/** The handler against its deadline; whichever ends first is the result. */
async function run (prepared: Prepared, upstreams: ReadonlyMap<string, Upstream>, input: unknown, state: CallState): Promise<Result> {
  const { deadline, log, capability } = state
  return await new Promise<Result>(resolve => {
    // A turn later every request of ours that was cancelled has said how far it had come.
    deadline.onEnd(() => setImmediate(() => resolve({ error: withCallOutcome(state, timedOut(state), true) })))
    runHandler(prepared, upstreams, input, state).then(result => {
      if (deadline.ended === undefined) resolve(result)
      else if (deadline.ended === 'deadline' && 'text' in result) log.warn({ capability: capability.name }, 'A handler answered after its call had ended; the answer is dropped.')
    })
  })
}

async function runHandler ({ capability, checkOutput }: Prepared, upstreams: ReadonlyMap<string, Upstream>, input: unknown, state: CallState): Promise<Result> {
  let data: unknown
  try {
    const call = createCall(state, label => upstreams.get(label)!.clientFor(upstreamCall(state)))
    data = await capability.handler(input as never, call as never)
  } catch (thrown) {
    const { error, declared } = classifyThrown(thrown, state)
    return { error: withCallOutcome(state, error, declared) }
  }
  const made = [...state.made].at(-1)
  if (made !== undefined) return { error: withCallOutcome(state, made, true) }
  const output = checkOutput(data)
  if ('error' in output) return { error: withCallOutcome(state, output.error, false) }
  if (output.dropped.length > 0) state.log.warn({ capability: capability.name, fields: output.dropped.slice(0, 20) }, 'The handler returned fields its output schema does not declare; they were left out.')
  const unsupported = judge({ capability, exchanges: state.exchanges, cached: state.declared.cached === true, derived: state.derived })
  return unsupported === undefined ? output : { error: withCallOutcome(state, unsupported, true) }
}

function upstreamCall ({ capability, exchanges, deadline, traceparent }: CallState): Parameters<Upstream['clientFor']>[0] {
  return {
    exchanges,
    traceparent,
    get endReason () { return deadline.reason },
    onEnd: listener => deadline.onEnd(listener),
    declaredError: (code, details) => declaredError(capability.errors, code, { details }, capability.name)
  }
}

/**
 * What a failed write means for the caller. Without a recorded write exchange, nothing was written only if it can be
 * known: not where a handler that declares no upstreams broke off, or may still be running.
 */
function withCallOutcome (state: CallState, error: ToolError, declared: boolean): ToolError {
  const { capability, exchanges, deadline } = state
  if (capability.effect === 'read') return error
  const blind = capability.upstreams.length === 0 && (!declared || deadline.ended !== undefined)
  const recorded = callOutcome(exchanges) ?? (blind ? 'unknown' : 'not_applied')
  const outcome = error.details.outcome === 'unknown' ? 'unknown' : recorded
  return withOutcome(error, outcome, { idempotent: capability.idempotent, status409: exchanges.some(({ effect, status }) => effect === 'write' && status === 409) })
}

function timedOut ({ capability, deadline }: CallState): ToolError {
  return createToolError({
    code: 'REQUEST_TIMEOUT',
    category: 'SERVICE_ERROR',
    status: 504,
    message: `${capability.name} was not done within its ${deadline.timeoutMs} ms.`
  })
}

function metaOf ({ exchanges, declared }: CallState): Meta | undefined {
  const successes = exchanges.filter(({ declared, success }) => declared && success)
  if (successes.length === 0 && Object.keys(declared).length === 0) return undefined
  return {
    ...(successes.length > 0 && { sources: [...new Set(successes.map(({ upstream }) => upstream))] }),
    ...declared,
    ...(successes.some(({ simulated }) => simulated === true) && { simulated: true })
  }
}
