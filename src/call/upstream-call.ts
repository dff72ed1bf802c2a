import type { ToolError } from '../protocol/tool-error.js'
import type { UpstreamCall } from '../upstream/client.js'
import { declaredError } from './context.js'
import type { CallState } from './state.js'

const callIsOver = Object.assign(new Error('The call was answered; nothing is sent for it any more.'), { name: 'AbortError' })

/** A call as its upstreams know it. */
export class CallOfUpstream implements UpstreamCall {
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
