import type { IsSecret } from '../protocol/named-values.js'
import { mayHoldBytes } from '../protocol/redact-bytes.js'
import { isCredential } from '../protocol/redact-credential.js'
import { redactRecord, type RecordRules } from '../protocol/redact-record.js'
import { mayHoldSecret } from '../protocol/redact-text.js'
import { redactPatterns, type Redactor } from '../protocol/redact.js'
import { isLongLine, shortened } from './long-line.js'

// By process, not by service: a value that is secret to one service of a process is secret in all its answers and log lines.
const redactors = new Set<Redactor>()

/** Keeps what `redact` takes out from being seen, until the returned function is called. */
export function keepSecrets (redact: Redactor): () => void {
  redactors.add(redact)
  return () => { redactors.delete(redact) }
}

/** Takes every known secret out of a text. */
export const redactKnown: Redactor = text => {
  let clean = text
  for (const redact of redactors) clean = redact(clean)
  return clean
}

/** What one call keeps out of the log while it runs: values, and the fields whose values are too short to be looked for. */
export interface Unlogged {
  readonly redact: Redactor
  /** In lower case. */
  readonly names: ReadonlySet<string>
}

const running = new Set<Unlogged>()

/** Keeps the values of a call out of every line of the log, not out of answers, until the returned function is called. */
export function keepUnlogged (unlogged: Unlogged): () => void {
  running.add(unlogged)
  return () => { running.delete(unlogged) }
}

/** What stands in the log for a line that could not be looked through: it may hold anything. */
const LOST = '{"level":50,"msg":"A log line could not be redacted and was left out."}\n'

/** Characters that JSON leaves as they are, and with which a terminal or a viewer can be made to show what was not logged. */
const UNSEEN = /[\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g

/**
 * A finished line of a JSON log without credentials: known secrets, what stands under a name like a credential's at any
 * depth, and what looks like one in a text. A very long line is shortened. A failure here never stops a request, and never
 * lets the line out as it was.
 */
export function redactLine (whole: string): string {
  try {
    const line = isLongLine(whole) ? `${JSON.stringify(shortened(JSON.parse(whole), whole.length))}\n` : whole
    const clean = isClean(line) ? line : `${JSON.stringify(redactParsed(JSON.parse(line)))}\n`
    return clean.replace(UNSEEN, char => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)
  } catch {
    return LOST
  }
}

/** Nearly every line is, and looking is all it costs. */
function isClean (line: string): boolean {
  if (mayHoldSecret(line) || mayHoldBytes(line) || redactKnown(line) !== line) return false
  if (running.size === 0) return true
  const small = line.toLowerCase()
  return [...running].every(({ redact, names }) => redact(line) === line && ![...names].some(name => small.includes(JSON.stringify(name).slice(1, -1))))
}

/** Fields that the logger and the framework write: a caller whose input happens to hold their text may not hide them. */
const FRAME = new Set(['level', 'time', 'pid', 'hostname', 'requestId', 'capability'])
/** Nor the names under which a reader looks for the rest. */
const NAMES = new Set([...FRAME, 'msg', 'err', 'type', 'message', 'stack', 'code', 'status', 'outcome', 'upstream', 'phase', 'rule', 'evidence'])

function redactParsed (record: unknown): unknown {
  const calls = [...running]
  const ofAll = rulesFor(redactKnown, isCredential)
  if (calls.length === 0) return redactRecord(record, ofAll)
  const known: Redactor = text => calls.reduce((rest, { redact }) => redact(rest), redactKnown(text))
  const isOwn = (name: string): boolean => calls.some(({ names }) => names.has(name.toLowerCase()))
  const ofCalls = rulesFor(known, (name, value) => isOwn(name) || isCredential(name, value))
  if (typeof record !== 'object' || record === null || Array.isArray(record)) return redactRecord(record, ofCalls)
  const [frame, rest] = [true, false].map(isFrame => Object.fromEntries(Object.entries(record).filter(([key]) => FRAME.has(key) === isFrame)))
  return { ...redactRecord(frame, ofAll) as object, ...redactRecord(rest, ofCalls) as object }
}

function rulesFor (known: Redactor, isSecret: IsSecret): RecordRules {
  const rules: RecordRules = {
    key: name => NAMES.has(name) ? name : known(name),
    isSecret,
    text: text => {
      const clean = known(text)
      const json = parsed(clean)
      return json === undefined ? redactPatterns(clean, isSecret) : withoutSecrets(clean, json, rules)
    }
  }
  return rules
}

/** JSON in a text, as clients keep the bodies they sent. */
function parsed (text: string): unknown {
  if (!/^\s*[{[]/.test(text)) return undefined
  try { return JSON.parse(text) } catch { return undefined }
}

function withoutSecrets (text: string, json: unknown, rules: RecordRules): string {
  const clean = JSON.stringify(redactRecord(json, rules))
  // As it was written, where nothing is taken out.
  return clean === JSON.stringify(json) && !mayHoldSecret(text) ? text : clean
}
