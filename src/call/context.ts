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
  const { capability, requestId, log, principal, idempotencyKey, deadline, declared, said } = state
  return {
    requestId,
    log,
    principal,
    idempotencyKey,
    get signal () { return deadline.signal },
    remainingMs: () => deadline.remainingMs(),
    upstream (label) {
      if (!capability.upstreams.includes(label)) throw new TypeError(`Expected \`call.upstream\` of ${capability.name} to name one of its upstreams (${capability.upstreams.join(', ') || 'it declares none'}), got '${label}'.`)
      return clientOf(label)
    },
    error (code, options) {
      const error = declaredError(capability.errors, code, options, capability.name)
      state.made.add(error)
      return error
    },
    async try (fn) { return await attempt(state, fn) },
    partial ({ source, error: given }) {
      requireSource(state, 'partial', source)
      state.made.delete(given)
      said.partial.add(source)
      // What was caught may be anything; only words written for the caller are passed on.
      const { error } = classifyThrown(given, state)
      declared.partial = [...declared.partial ?? [], { source, code: error.code, message: error.message }]
    },
    cached ({ source, asOf }) {
      requireSource(state, 'cached', source)
      if (Number.isNaN(new Date(asOf).getTime())) throw new TypeError(`Expected \`call.cached\` of ${capability.name} to be told a date, got ${JSON.stringify(asOf)}.`)
      said.cached.add(source)
      declared.cached = true
      declared.as_of = typeof asOf === 'string' ? asOf : asOf.toISOString()
    },
    fallback (change) {
      requireSource(state, 'fallback', change.from)
      requireSource(state, 'fallback', change.to)
      said.fallbacks.push(change)
      declared.fallback = change
    },
    empty (search) { declared.empty = search },
    derived (reason) { said.derived = reason },
    expected ({ source, reason }) {
      if (source !== 'unlabelled') requireSource(state, 'expected', source)
      said.expected.add(source)
      log.debug({ capability: capability.name, source, reason }, 'A failure of this source was expected.')
    },
    progress (reached) { state.progress.report(reached) },
    observe (observation) {
      // It is counted and told by this name.
      if (!isLabel(observation.source)) throw new TypeError(`Expected \`call.observe\` of ${capability.name} to name its source in 1 to 64 letters, digits, dots, hyphens or underscores.`)
      state.ledger.record(observedExchange(observation))
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
  // What the framework states of a call is not for a handler to say.
  const { outcome: _, ...own } = details ?? {}
  return createToolError({ code, category, status, retryable, message: message?.trim() ? message : description, details: { ...own, hint: own.hint ?? hint }, retryAfterMs: usableWait(retryAfterMs) })
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
