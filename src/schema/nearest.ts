import { distance } from 'fastest-levenshtein'

// What is compared at the most: a caller chooses the word, an author the list, and neither may hold the event loop.
const MAX_WORD = 64
const MAX_WORDS = 1000

/** The entry of `words` that a misspelt `word` most likely meant, or `undefined` where none is near. */
export function nearest (word: string, words: readonly string[]): string | undefined {
  return nearestFew(word, words, 1)[0]
}

/** Up to `count` entries of `words` near to `word`, the nearest first. */
export function nearestFew (word: string, words: readonly string[], count: number): string[] {
  if (word.length === 0 || word.length > MAX_WORD) return []
  const sought = simplify(word)
  return words.slice(0, MAX_WORDS)
    .filter(candidate => candidate.length <= MAX_WORD)
    .map(candidate => ({ candidate, far: farness(sought, simplify(candidate)) }))
    .filter(({ candidate, far }) => far <= tolerance(Math.max(sought.length, candidate.length)))
    .sort((a, b) => a.far - b.far)
    .slice(0, count)
    .map(({ candidate }) => candidate)
}

/** Letter case and separators are how a word is written, not which word it is. */
function simplify (word: string): string {
  return word.toLowerCase().replace(/[\s_.-]/g, '')
}

/** A word that begins the other (`lat`, `latitude`) is nearer than its length says. */
function farness (sought: string, candidate: string): number {
  const [short, long] = sought.length < candidate.length ? [sought, candidate] : [candidate, sought]
  const edits = distance(sought, candidate)
  return short.length >= 3 && long.startsWith(short) ? Math.min(edits, 1.5) : edits
}

function tolerance (length: number): number {
  return Math.max(1, Math.min(3, Math.floor(length / 3)))
}
