import { redactJson, type Redactor } from '../protocol/redact.js'

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

/** What stands in the log for a line that could not be looked through: it may hold anything. */
const LOST = '{"level":50,"msg":"A log line could not be redacted and was left out."}\n'

/** A finished line of a JSON log without known secrets. A failure here never stops a request. */
export function redactLine (line: string): string {
  try {
    return redactKnown(line) === line ? line : `${redactJson(line, redactKnown)}\n`
  } catch {
    return LOST
  }
}
