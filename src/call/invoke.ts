import type { MadeAnswer } from '../protocol/answer.js'
import type { ToolError } from '../protocol/tool-error.js'
import { attempt } from '../upstream/evidence.js'
import { withOutcome } from '../upstream/exchange.js'
import { answerFailure } from './answer.js'
import type { Door } from './door.js'
import { Invocation, type Done } from './invocation.js'
import { logFailure } from './log.js'
import type { Prepared } from './prepared.js'
import type { CallReport, Service } from './service.js'
import { spreadFor } from './spread.js'
import type { SensitiveInput } from './sensitive.js'
import { queueFull } from './untaken.js'

const NO_EXCHANGES: CallReport['exchanges'] = new Map()

/**
 * One call of one capability: input checked, handler run within its time, success checked before it is claimed.
 * `undefined` where the caller went away and nothing can be answered.
 */
export async function invoke (prepared: Prepared, service: Service, input: unknown, door: Door): Promise<MadeAnswer | undefined> {
  return await new Promise(resolve => begin(prepared, service, input, door, resolve))
}

/** The same for a door that takes its answer by a callback. */
export function begin (prepared: Prepared, service: Service, input: unknown, door: Door, done: Done): void {
  const { capability, checkInput } = prepared
  const startedAt = performance.now()
  const untaken = checkInput(input, door.bodyBytes) ?? (prepared.queue?.isFull === true ? queueFull(capability) : undefined)
  const sensitive = prepared.keepSensitive(input)
  if (untaken === undefined) new Invocation(prepared, service, door, sensitive, startedAt, done).begin(input)
  else done(refuse(prepared, service, untaken, door, sensitive, startedAt))
}

function refuse ({ capability: { name, effect } }: Prepared, service: Service, untaken: ToolError, { log, requestId }: Door, sensitive: SensitiveInput | undefined, startedAt: number): MadeAnswer {
  sensitive?.release()
  const failure = effect === 'write' ? withOutcome(untaken, 'not_applied') : untaken
  // A logger of somebody's own may throw: what is wrong with the call is known all the same.
  attempt(() => logFailure(log, failure, name))
  service.report?.({ capability: name, outcome: 'failure', code: failure.code, durationMs: performance.now() - startedAt, exchanges: NO_EXCHANGES, rules: [] })
  return answerFailure(failure, requestId, spreadFor(service.waits, failure, name), sensitive?.redact)
}
