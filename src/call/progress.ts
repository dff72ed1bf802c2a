import type { Progress } from '../capability/call.js'
import type { Redactor } from '../protocol/redact.js'
import { oneLine } from '../protocol/text.js'
import { redactKnown } from './secrets.js'

const MAX_MESSAGE = 500

/** How far a call has come, for a caller that wants to know: only ever further, and nothing once the call has ended. */
export class ProgressReports {
  #send: ((progress: Progress) => void) | undefined
  readonly #redact: Redactor
  #last = -Infinity

  /** Without `send` nobody wants to know. `redact` takes out of a message what is not for the caller. */
  constructor (send?: (progress: Progress) => void, redact: Redactor = text => text) {
    this.#send = send
    this.#redact = redact
  }

  /** What is no number, or does not rise, is not worth a failed call: it is left out. */
  report ({ done, total, message }: Progress): void {
    if (this.#send === undefined || !Number.isFinite(done) || done <= this.#last) return
    this.#last = done
    this.#send({
      done,
      ...(Number.isFinite(total) && { total }),
      ...(typeof message === 'string' && { message: oneLine(redactKnown(this.#redact(message)), MAX_MESSAGE) })
    })
  }

  /** The call has ended: a handler that still runs has nobody to tell. */
  end (): void {
    this.#send = undefined
  }
}
