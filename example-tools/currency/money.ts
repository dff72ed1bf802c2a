import Big from 'big.js'

/** An amount in another currency. */
export interface Converted {
  /** The exact product, rounded half to even at the currency's smallest unit. */
  rounded: number
  /** The exact product, as near as a JSON number comes to it. */
  unrounded: number
}

/**
 * Multiplies an amount by a rate, in decimals: both count as the shortest text that stands for the number, which is what was sent.
 *
 * `undefined` where a JSON number cannot say the rounded result to its last digit: it has room for 15 to 17 of them, and an amount
 * that is nearly right is not right.
 */
export function convert (amount: number, rate: number, decimals: number): Converted | undefined {
  const product = new Big(String(amount)).times(String(rate))
  const exact = product.round(decimals, Big.roundHalfEven)
  const rounded = exact.toNumber()
  if (!Number.isFinite(rounded) || !exact.eq(String(rounded))) return undefined
  return { rounded, unrounded: product.toNumber() }
}
