import { createRequire } from 'node:module'

/** What is wrong with a pattern, and how bad it is. */
export interface PatternFinding { readonly severity: 'error' | 'warning', readonly text: string }

/** So many steps of a backtracking engine take some tens of milliseconds: nobody waits for them. */
const STEPS = 1e7

/**
 * Says whether a text can be found that holds the event loop with this pattern. `maxLength` is the longest text that it
 * ever sees, where there is a limit. `undefined` where the pattern is sound.
 */
export function lintPattern (pattern: unknown, maxLength: number = Infinity): PatternFinding | undefined {
  if (typeof pattern !== 'string' || !isRegExp(pattern)) return { severity: 'error', text: `to be a regular expression under the \`u\` flag, got ${JSON.stringify(pattern)}` }
  const readable = readableFor(pattern)
  try {
    // Time grows exponentially only where a repeated group is ambiguous by itself: no limit on the length makes that harmless.
    if (repeatedGroups(readable).some(group => !isUnambiguous(`^(?:${group})*$`, 8))) {
      return { severity: 'error', text: `without a repetition that can match the same text in two ways, got '${pattern}': a short text can hold the service for minutes` }
    }
    const longest = longestFor(pattern)
    if (maxLength <= longest || isUnambiguous(readable, 200)) return undefined
    return { severity: 'error', text: `that cannot match the same text in many ways, or beside it a \`maxLength\` of at most ${longest}, got '${pattern}': a long text can hold the service for minutes` }
  } catch {
    return { severity: 'warning', text: `that can be checked for catastrophic backtracking, got '${pattern}'` }
  }
}

function isRegExp (pattern: string): boolean {
  try { return new RegExp(pattern, 'u') instanceof RegExp } catch { return false }
}

// Loaded when a pattern first needs it: it is larger than all of the service, and most patterns are judged without.
const require = createRequire(import.meta.url)

const verdicts = new Map<string, boolean>()

/** Can each text be matched in a few ways at the most? Alternatives that begin alike are a few. */
function isUnambiguous (pattern: string, maxScore: number): boolean {
  let verdict = verdicts.get(pattern)
  if (verdict === undefined) {
    const { isSafePattern } = require('redos-detector') as typeof import('redos-detector')
    // Most patterns have one way only, which is soon found out. Steps and not milliseconds: the verdict must not depend on the machine.
    verdict = [1, maxScore].some(most => isSafePattern(pattern, { unicode: true, maxScore: most, maxSteps: 5000 }).safe)
    verdicts.set(pattern, verdict)
  }
  return verdict
}

// The checker takes a Unicode property for any character at all, and overlaps with everything; a sample of it does not.
const SAMPLES: Record<string, string> = { L: 'a-zA-Zà-ÿ', Lu: 'A-Z', Ll: 'a-zà-ÿ', M: '\\u0300-\\u036f', N: '0-9', Nd: '0-9', P: '!-\\/', Zs: ' ' }
const LONG: Record<string, string> = { Letter: 'L', Alphabetic: 'L', Lowercase: 'Ll', Uppercase: 'Lu', Mark: 'M', Number: 'N', Punctuation: 'P' }

/** The pattern in the words that the checker knows: groups without names, common properties as ranges. */
function readableFor (pattern: string): string {
  let inClass = false
  return pattern.replace(/\\p\{([^}]+)\}|\\.|\(\?<(?![=!])[^>]+>|[[\]]/gsu, (token, property?: string) => {
    if (token === '[' || token === ']') inClass = token === '['
    const sample = property === undefined ? undefined : SAMPLES[LONG[property] ?? property]
    if (sample !== undefined) return inClass ? sample : `[${sample}]`
    return token.startsWith('(?<') ? '(' : token
  })
}

/** What stands in each group that is repeated five times or more. */
function repeatedGroups (pattern: string): string[] {
  const found: string[] = []
  const open: number[] = []
  for (const { 0: token, index } of tokensOf(pattern)) {
    if (token.startsWith('(')) open.push(index + token.length)
    if (!token.startsWith(')')) continue
    const start = open.pop()!
    if (mostOf(token.slice(1)) >= 5) found.push(pattern.slice(start, index))
  }
  return found
}

/** Escapes and classes are one token each, so that a parenthesis in them opens nothing; a quantifier goes with what it repeats. */
function tokensOf (pattern: string): RegExpExecArray[] {
  return [...pattern.matchAll(/(?:\((?:\?(?:[:=!]|<[=!]))?)|(?:\\.|\[(?:\\.|[^\]\\])*\]|\)|[^()])(?:[*+?]|\{\d+(?:,\d*)?\})?/gsu)]
}

/** The most repetitions that a quantifier allows. */
function mostOf (quantifier: string): number {
  if (quantifier === '*' || quantifier === '+') return Infinity
  const [, least, comma, most] = /^\{(\d+)(,?)(\d*)\}$/.exec(quantifier) ?? []
  if (least === undefined) return 1
  if (comma === '') return Number(least)
  return most === '' ? Infinity : Number(most)
}

/** The longest text for which a polynomial pattern is done in time: n choose k steps, for k repetitions that can share it. */
function longestFor (pattern: string): number {
  const repetitions = tokensOf(pattern).filter(([token]) => mostOf(/(?:[*+?]|\{[\d,]+\})?$/.exec(token.slice(1))![0]) >= 5).length
  const degree = Math.max(2, repetitions + (pattern.startsWith('^') ? 0 : 1))
  let factorial = 1
  for (let n = 2; n <= degree; n++) factorial *= n
  return Math.floor((STEPS * factorial) ** (1 / degree))
}
