import { distance } from 'fastest-levenshtein'

// What is compared at the most: a caller chooses the word, an author the list, and neither may hold the event loop.
const MAX_WORD = 64
const MAX_WORDS = 1000

/** The entry of `words` that a misspelt `word` most likely meant, or `undefined` where none is near. */
export function nearest (word: string, words: readonly string[]): string | undefined {
  return nearestFew(word, words, 1)[0]
}

/** Up to `count` entries of `words` near to `word`, the nearest first. Of longer lists the first thousand are compared. */
export function nearestFew (word: string, words: readonly string[], count: number): string[] {
  if (word.length === 0 || word.length > MAX_WORD) return []
  const sought = simplify(word)
  return words.slice(0, MAX_WORDS)
    .filter(candidate => candidate.length > 0 && candidate.length <= MAX_WORD)
    .map(candidate => ({ candidate, far: farness(sought, simplify(candidate)) }))
    .filter(({ far }) => far !== Infinity)
    .sort((a, b) => a.far - b.far)
    .slice(0, count)
    .map(({ candidate }) => candidate)
}

/** Letter case, accents and separators are how a word is written, not which word it is. */
function simplify (word: string): string {
  const plain = word.toLowerCase().normalize('NFKD').replace(/[\p{M}\s_.-]/gu, '')
  // Signs alone are compared as they are.
  return plain === '' ? word : plain
}

/** How many slips lie between two words; `Infinity` where they are two words. */
function farness (sought: string, candidate: string): number {
  if (sought === candidate) return 0
  if (isSwap(sought, candidate)) return 1
  const [short, long] = sought.length < candidate.length ? [sought, candidate] : [candidate, sought]
  // A word that begins the other (`lat`, `latitude`) is nearer than its length says.
  const begins = short.length >= 3 && long.startsWith(short)
  const most = tolerance(long.length)
  if (long.length - short.length > most) return begins ? 1.5 : Infinity
  const edits = distance(sought, candidate)
  if (edits > most) return Infinity
  return begins ? Math.min(edits, 1.5) : edits
}

/** Two neighbouring letters changed places: one slip, which counts as two edits. */
function isSwap (a: string, b: string): boolean {
  if (a.length !== b.length) return false
  let at = 0
  while (a[at] === b[at]) at++
  return a[at] === b[at + 1] && a[at + 1] === b[at] && a.slice(at + 2) === b.slice(at + 2)
}

/** In a word of one or two letters a slip makes another word. */
function tolerance (length: number): number {
  return length < 3 ? 0 : Math.max(1, Math.min(3, Math.floor(length / 3)))
}
