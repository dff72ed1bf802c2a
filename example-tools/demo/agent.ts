import { setTimeout as sleep } from 'node:timers/promises'
import { decide, type Attempt, type Caller, type Decision } from 'candor/agent'
import { readEnvelope, type Reading } from 'candor/protocol'
import { repair, type Input } from './repair.js'

/** One request, what came back, and what the agent decided. */
export interface Exchange {
  capability: string
  input: Input
  attempt: Attempt
  reading: Reading
  decision: Decision
}

/** A tool waits for its provider at most as long as it says; an agent that is less patient would never learn what it says. */
const patienceMs = 10_000
const limits = { maxAttempts: 3, maxCorrections: 1, firstWaitMs: 100, maxWaitMs: 5_000 }

/** Calls a capability as an agent does: again, corrected, or no more, as `decide` says. Each exchange is told as it ends. */
export async function pursue (toolUrl: string, capability: string, firstInput: Input, tell: (exchange: Exchange) => void): Promise<Exchange[]> {
  const exchanges: Exchange[] = []
  const { fields, ...known } = await discover(toolUrl, capability)
  const caller: Caller & { corrections: number } = { ...known, attempts: 0, corrections: 0, limits }
  let input: Input | undefined = firstInput
  while (input !== undefined) {
    caller.attempts++
    const attempt = await send(`${toolUrl}/api/capabilities/${capability}`, input)
    const exchange: Exchange = { capability, input, attempt, reading: readEnvelope(attempt.body), decision: decide(attempt, caller) }
    exchanges.push(exchange)
    tell(exchange)
    input = await following(exchange, fields)
    if (exchange.decision.action === 'correct') caller.corrections++
  }
  return exchanges
}

/** The next input, after the wait; `undefined` where the step is over. */
async function following ({ input, reading, decision }: Exchange, fields: readonly string[]): Promise<Input | undefined> {
  if (decision.action !== 'resend' && decision.action !== 'correct') return undefined
  await sleep(decision.waitMs)
  if (decision.action === 'resend') return input
  return reading.success === false ? repair(input, reading.error, fields) : undefined
}

interface Listed { name: string, effect: 'read' | 'write', idempotent: boolean, input_summary: Record<'required' | 'optional', Array<{ name: string }>> }

/** What the tool says of the capability: its effect, and the fields it takes. Nothing of one it does not know. */
async function discover (toolUrl: string, capability: string): Promise<Pick<Caller, 'effect' | 'idempotent'> & { fields: string[] }> {
  const response = await fetch(`${toolUrl}/api/capabilities`, { signal: AbortSignal.timeout(patienceMs) })
  const found = (await response.json() as Listed[]).find(({ name }) => name === capability)
  if (found === undefined) return { fields: [] }
  const { effect, idempotent, input_summary: { required, optional } } = found
  return { effect, idempotent, fields: [...required, ...optional].map(({ name }) => name) }
}

/** One request. No response is an empty attempt; a body that is not JSON stays text. */
async function send (url: string, input: Input): Promise<Attempt> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(input),
      signal: AbortSignal.timeout(patienceMs)
    })
    const text = await response.text()
    return { status: response.status, headers: response.headers, body: parse(text) }
  } catch {
    return {}
  }
}

function parse (text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
