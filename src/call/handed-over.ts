import type { Answer } from '../protocol/answer.js'
import type { Effect } from './plain.js'

/** An answer on its way: until it is written, a hook may still make it fail. */
export interface HandedOver {
  answer: Answer
  /** What the call that was answered did. */
  effect: Effect
}

const onTheirWay = new WeakMap<object, HandedOver>()
const guarded = new WeakSet<object>()

/** Keeps the answer that is given to the server for a reply. */
export function handOver (reply: object, answer: Answer, effect: Effect): void {
  onTheirWay.set(reply, { answer, effect })
}

/** The answer that was given to the server for a reply. */
export function handedOver (reply: object): HandedOver | undefined {
  return onTheirWay.get(reply)
}

/** Forgets an answer that was stopped on its way, so that another may be given. */
export function takeBack (reply: object): void {
  onTheirWay.delete(reply)
}

/** Says that an answer of this reply which is stopped on its way is always taken back, or written all the same. */
export function guard (reply: object): void {
  guarded.add(reply)
}

/** Does the first answer of this reply stand for sure? Where nobody guards it, it may have been stopped. */
export function isAnswered (reply: object): boolean {
  return guarded.has(reply) && onTheirWay.has(reply)
}

/** Is this answer a failure? */
export function isFailure ({ answer }: HandedOver): boolean {
  return answer.status >= 400
}
