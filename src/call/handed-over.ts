import type { Answer } from '../protocol/answer.js'
import type { Effect } from './plain.js'

/** An answer on its way: until it is written, a hook may still make it fail. */
export interface HandedOver {
  answer: Answer
  /** What the call that was answered did. */
  effect: Effect
}

const onTheirWay = new WeakMap<object, HandedOver>()

/** Keeps the answer that is given to the server for a reply. */
export function handOver (reply: object, answer: Answer, effect: Effect): void {
  onTheirWay.set(reply, { answer, effect })
}

/** The success that was given to the server for a reply, if that is the last thing it was given. */
export function handedOverSuccess (reply: object): HandedOver | undefined {
  const last = onTheirWay.get(reply)
  return last !== undefined && last.answer.status < 400 ? last : undefined
}

/** The failure that was given to the server for a reply, if that is the last thing it was given. */
export function handedOverFailure (reply: object): Answer | undefined {
  const last = onTheirWay.get(reply)
  return last !== undefined && last.answer.status >= 400 ? last.answer : undefined
}
