import { httpStatusForCategory, type Category } from '../protocol/category.js'
import { createToolError, type ToolError } from '../protocol/tool-error.js'
import type { UpstreamResponse } from './request.js'

/**
 * What a provider's "no" inside a 2xx means: a status, classified as if it had come as one, or an error with a code that
 * the capability declares.
 */
export type Refusal = { status: number } | { category: Category, code: string, message: string }

/** How one provider says no inside a 2xx; `undefined` where it says yes. */
export type RefusalReader = (response: UpstreamResponse<unknown>) => Refusal | undefined

/** A refusal ready to be told: the status it counts as, and the error, where it is not the status that says it. */
export interface ReadRefusal { countsAs: number, error?: ToolError }

/** Asks an upstream's `refusal`. Throws what it throws, and a `TypeError` for an answer that is none. */
export function readRefusal (reader: RefusalReader | undefined, response: UpstreamResponse<unknown>): ReadRefusal | undefined {
  const refusal = reader?.(response)
  if (refusal === undefined) return undefined
  if ('status' in refusal) {
    if (!Number.isInteger(refusal.status) || refusal.status < 400 || refusal.status > 599) throw new TypeError('Expected `refusal` to return a `status` of 400 to 599.')
    return { countsAs: refusal.status }
  }
  const { category, code, message } = refusal
  return { countsAs: httpStatusForCategory(category), error: createToolError({ category, code, message }) }
}
