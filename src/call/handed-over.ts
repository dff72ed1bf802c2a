import type { Answer } from '../protocol/answer.js'
import type { Effect } from './plain.js'

/** An answer on its way: until it is written, a hook may still make it fail. */
export interface HandedOver {
  answer: Answer
  /** What the call that was answered did. */
  effect: Effect
}

// On the reply itself, under names of our own: maps beside it, by reply, would cost every call more than the check that they serve.
const ANSWER = Symbol('candor.answer')
const GUARDED = Symbol('candor.guarded')

interface Marked { [ANSWER]?: HandedOver | undefined, [GUARDED]?: true }

/** Keeps the answer that is given to the server for a reply. */
export function handOver (reply: object, answer: Answer, effect: Effect): void {
  (reply as Marked)[ANSWER] = { answer, effect }
}

/** The answer that was given to the server for a reply. */
export function handedOver (reply: object): HandedOver | undefined {
  return (reply as Marked)[ANSWER]
}

/** Forgets an answer that was stopped on its way, so that another may be given. */
export function takeBack (reply: object): void {
  (reply as Marked)[ANSWER] = undefined
}

/** Says that an answer of this reply which is stopped on its way is always taken back, or written all the same. */
export function guard (reply: object): void {
  (reply as Marked)[GUARDED] = true
}

/** Does the first answer of this reply stand for sure? Where nobody guards it, it may have been stopped. */
export function isAnswered (reply: object): boolean {
  return (reply as Marked)[GUARDED] === true && (reply as Marked)[ANSWER] !== undefined
}

/** Is this answer a failure? */
export function isFailure ({ answer }: HandedOver): boolean {
  return answer.status >= 400
}
