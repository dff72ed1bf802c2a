import { typeOf, withArticle } from './describe-value.js'

/** What stands in the place of an option, for whoever mends it: of a text, which may be a secret, only that it is one. */
export function describeOption (value: unknown): string {
  const type = typeOf(value)
  if (value === '') return 'an empty string'
  return ['string', 'object', 'array', 'function', 'symbol'].includes(type) ? withArticle(type) : String(value)
}
