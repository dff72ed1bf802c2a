/** Currency codes and their names, as the provider lists them. */
export type Currencies = Readonly<Record<string, string>>

// The most traded ones, in the order of the BIS survey of 2025: of equally near codes the likelier comes first, as for "dollar".
const traded = ['USD', 'EUR', 'JPY', 'GBP', 'CNY', 'CHF', 'AUD', 'CAD', 'HKD', 'SGD']

// What stands neither in a code nor in a name.
const signs = new Map([['$', 'USD'], ['€', 'EUR'], ['£', 'GBP'], ['¥', 'JPY'], ['rmb', 'CNY'], ['sterling', 'GBP']])

/** The codes nearest to what was written, nearest first: by the spelling of the code, and by the words of the currency's name. */
export function nearestCodes (written: string, currencies: Currencies): string[] {
  return Object.entries(currencies)
    .map(([code, name]) => ({ code, nearness: nearness(fold(written), code, fold(name)) }))
    .filter(({ nearness }) => nearness > 0)
    .sort((a, b) => b.nearness - a.nearness || rank(a.code) - rank(b.code) || (a.code < b.code ? -1 : 1))
    .map(({ code }) => code)
}

function nearness (written: string, code: string, name: string): number {
  const slip = written.length <= 4 && isOneSlip(written, code.toLowerCase()) ? 3 : 0
  return (written === name ? 10 : slip) + written.split(/[\s,.()/-]+/).reduce((sum, word) => sum + wordNearness(word, code, name.split(' ')), 0)
}

function wordNearness (word: string, code: string, name: string[]): number {
  if (word === code.toLowerCase() || signs.get(word) === code) return 5
  if (name.some(part => word === part || word === `${part}s`)) return 2
  // "US Dollar", "NZ dollars": two letters are how a country begins its code.
  if (word.length === 2 && code.toLowerCase().startsWith(word)) return 2
  return word.length > 3 && name.some(part => isOneSlip(word, part)) ? 1 : 0
}

// One letter too many, too few or wrong, or two in the wrong order.
function isOneSlip (a: string, b: string): boolean {
  if (a.length > b.length) return isOneSlip(b, a)
  let same = 0
  while (same < a.length && a[same] === b[same]) same++
  const [restA, restB] = [a.slice(same), b.slice(same)]
  if (a.length < b.length) return restA === restB.slice(1)
  return restA.slice(1) === restB.slice(1) || (restA[0] === restB[1] && restA[1] === restB[0] && restA.slice(2) === restB.slice(2))
}

function rank (code: string): number {
  const at = traded.indexOf(code)
  return at < 0 ? traded.length : at
}

function fold (text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().replaceAll('ł', 'l').trim()
}
