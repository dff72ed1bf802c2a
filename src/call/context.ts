import type { Call, ErrorOptions, Tried } from '../capability/call.js'
import type { ErrorDeclaration } from '../capability/define.js'
import { isLabel } from '../protocol/text.js'
import { createToolError, type ToolError } from '../protocol/tool-error.js'
import { observedExchange } from '../upstream/observed-exchange.js'
import type { UpstreamClient } from '../upstream/request.js'
import type { CallState } from './state.js'
import { classifyThrown } from './thrown.js'

/** Makes the `call` of one handler. `clientOf` gives the client of a declared upstream. */
export function createCall (state: CallState, clientOf: (label: string) => UpstreamClient): Call {
  return new HandlerCall(state, clientOf)
}

/**
 * Each function is made when the handler asks for it: most use one or two. As properties of their own, so that they may be
 * taken out of the call: `async handler (input, { upstream, error })`.
 */
class HandlerCall implements Call {
  readonly #state: CallState
  readonly #clientOf: (label: string) => UpstreamClient

  constructor (state: CallState, clientOf: (label: string) => UpstreamClient) {
    this.#state = state
    this.#clientOf = clientOf
  }

  get requestId (): string { return this.#state.requestId }
  get log (): Call['log'] { return this.#state.log }
  get principal (): Call['principal'] { return this.#state.principal }
  get idempotencyKey (): string | undefined { return this.#state.idempotencyKey }
  get signal (): AbortSignal { return this.#state.deadline.signal }
  get remainingMs (): Call['remainingMs'] { return () => this.#state.deadline.remainingMs() }
  get progress (): Call['progress'] { return reached => this.#state.progress.report(reached) }
  get try (): Call['try'] { return async fn => await attempt(this.#state, fn) }

  get upstream (): Call['upstream'] {
    return label => {
      const { name, upstreams } = this.#state.capability
      if (!upstreams.includes(label)) throw new TypeError(`Expected \`call.upstream\` of ${name} to name one of its upstreams (${upstreams.join(', ') || 'it declares none'}), got '${label}'.`)
      return this.#clientOf(label)
    }
  }

  get error (): Call['error'] {
    return (code, options) => {
      const { capability, made } = this.#state
      const error = declaredError(capability.errors, code, options, capability.name)
      made.add(error)
      return error
    }
  }

  get partial (): Call['partial'] {
    return ({ source, error: given }) => {
      const state = this.#state
      requireSource(state, 'partial', source)
      state.made.delete(given)
      state.said.partial.add(source)
      // What was caught may be anything; only words written for the caller are passed on.
      const { error } = classifyThrown(given, state)
      state.declared.partial = [...state.declared.partial ?? [], { source, code: error.code, message: error.message }]
    }
  }

  get cached (): Call['cached'] {
    return ({ source, asOf }) => {
      const { capability: { name }, declared, said } = this.#state
      requireSource(this.#state, 'cached', source)
      if (Number.isNaN(new Date(asOf).getTime())) throw new TypeError(`Expected \`call.cached\` of ${name} to be told a date, got ${JSON.stringify(asOf)}.`)
      said.cached.add(source)
      declared.cached = true
      declared.as_of = typeof asOf === 'string' ? asOf : asOf.toISOString()
    }
  }

  get fallback (): Call['fallback'] {
    return change => {
      requireSource(this.#state, 'fallback', change.from)
      requireSource(this.#state, 'fallback', change.to)
      this.#state.said.fallbacks.push(change)
      this.#state.declared.fallback = change
    }
  }

  get empty (): Call['empty'] { return search => { this.#state.declared.empty = search } }
  get derived (): Call['derived'] { return reason => { this.#state.said.derived = reason } }

  get expected (): Call['expected'] {
    return ({ source, reason }) => {
      const { capability: { name }, said, log } = this.#state
      if (source !== 'unlabelled') requireSource(this.#state, 'expected', source)
      said.expected.add(source)
      log.debug({ capability: name, source, reason }, 'A failure of this source was expected.')
    }
  }

  get observe (): Call['observe'] {
    return observation => {
      const { capability: { name }, ledger } = this.#state
      // It is counted and told by this name.
      if (!isLabel(observation.source)) throw new TypeError(`Expected \`call.observe\` of ${name} to name its source in 1 to 64 letters, digits, dots, hyphens or underscores.`)
      ledger.record(observedExchange(observation))
    }
  }
}

/** A misspelt source would account for nothing, and stand in the answer. */
function requireSource ({ capability: { name, upstreams }, ledger }: CallState, method: string, source: string): void {
  if (upstreams.includes(source) || ledger.exchanges.some(({ upstream }) => upstream === source)) return
  throw new TypeError(`Expected \`call.${method}\` of ${name} to name one of its upstreams (${upstreams.join(', ') || 'it declares none'}) or what it observes, got '${source}'.`)
}

/** An error as the capability declares it. Throws a `TypeError` for a code it does not declare. */
export function declaredError (errors: Readonly<Record<string, ErrorDeclaration>>, code: string, { message, details, retryAfterMs }: ErrorOptions = {}, name?: string): ToolError {
  const declaration = Object.hasOwn(errors, code) ? errors[code] : undefined
  if (declaration === undefined) throw new TypeError(`Expected \`call.error\` of ${name} to take one of its declared codes (${Object.keys(errors).join(', ') || 'it declares none'}), got '${code}'.`)
  const { category, status, retryable, description, hint } = declaration
  return createToolError({ code, category, status, retryable, message: message?.trim() ? message : description, details: details === undefined ? { hint } : ownDetails(details, hint), retryAfterMs: usableWait(retryAfterMs) })
}

/** What the framework states of a call is not for a handler to say. */
function ownDetails ({ outcome: _, ...own }: NonNullable<ErrorOptions['details']>, hint: string | undefined): NonNullable<ErrorOptions['details']> {
  return { ...own, hint: own.hint ?? hint }
}

/** A moment that has passed means "now", and what is no number says nothing: neither may cost the error itself. */
function usableWait (ms: number | undefined): number | undefined {
  return ms === undefined || Number.isNaN(ms) ? undefined : Math.max(ms, 0)
}

async function attempt<T> (state: CallState, fn: () => T | Promise<T>): Promise<Tried<T>> {
  try {
    return { ok: true, data: await fn() }
  } catch (thrown) {
    const { error } = classifyThrown(thrown, state)
    state.made.delete(error)
    return { ok: false, error }
  }
}
