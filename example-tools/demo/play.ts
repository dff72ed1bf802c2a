import { pursue, type Exchange } from './agent.js'
import { differences } from './expect.js'
import type { Places } from './places.js'
import { scenes, type Scene } from './scenes.js'

/** Plays every scene and tells each line; `true` only if each came out as the protocol says. */
export async function play (places: Places, tell: (line: string) => void): Promise<boolean> {
  let failed = 0
  for (const [index, scene] of scenes.entries()) {
    tell(`\n${index + 1}. ${scene.title}`)
    const wrong = await playScene(scene, places, tell)
    for (const line of wrong) tell(`   NOT AS THE PROTOCOL SAYS: ${line}`)
    if (wrong.length > 0) failed++
  }
  tell(failed === 0 ? `\nAll ${scenes.length} scenes came out as the protocol says.` : `\n${failed} of ${scenes.length} scenes did not come out as the protocol says.`)
  return failed === 0
}

async function playScene (scene: Scene, { weatherUrl, currencyUrl, providersUrl }: Places, tell: (line: string) => void): Promise<string[]> {
  try {
    await order(providersUrl, scene.fault)
    const toolUrl = scene.tool === 'weather' ? weatherUrl : currencyUrl
    const exchanges = await pursue(toolUrl, scene.capability, scene.input, exchange => linesOf(exchange).forEach(tell))
    return differences(exchanges, scene.expected)
  } catch (error) {
    const { message, cause } = error as Error
    return [cause instanceof Error ? `${message}: ${cause.message}` : message]
  }
}

/** Clears what earlier scenes left, and orders a failure. */
async function order (providersUrl: string, fault: Scene['fault']): Promise<void> {
  await fetch(`${providersUrl}/faults`, { method: 'DELETE' })
  if (fault === undefined) return
  const response = await fetch(`${providersUrl}/faults`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(fault) })
  if (response.status !== 201) throw new Error(`The providers refused the fault: ${await response.text()}`)
}

/** An exchange for a reader: request, answer, decision. */
function linesOf ({ capability, input, attempt, reading, decision }: Exchange): string[] {
  return [`   → ${capability} ${JSON.stringify(input)}`, ...answerLines(attempt.status, reading), `   = ${decisionLine(decision)}`]
}

function answerLines (status: number | undefined, reading: Exchange['reading']): string[] {
  if (status === undefined) return ['   ← no response']
  if (reading.success === undefined) return [`   ← ${status}, and no envelope`]
  if (reading.success) return [`   ← ${status} ${shorten(JSON.stringify(reading.data))}`, `     meta ${JSON.stringify(reading.meta)}`]
  const { code, category, message, details } = reading.error
  const { next_action: word, hint, candidates, did_you_mean: meant, retry_after: wait } = details
  const said = Object.entries({ hint, candidates, did_you_mean: meant, retry_after: wait }).filter(([, text]) => text !== undefined)
  return [
    `   ← ${status} ${code} · ${category} · retryable ${reading.retryable} · ${word}`,
    `     ${message}`,
    ...said.map(([key, text]) => `     ${key}: ${text}`)
  ]
}

function decisionLine (decision: Exchange['decision']): string {
  const wait = 'waitMs' in decision && decision.waitMs !== undefined && decision.waitMs > 0 ? ` after ${decision.waitMs} ms` : ''
  const next = 'next' in decision && decision.next !== undefined ? `, then ${decision.next}` : ''
  return `${decision.action}${wait}${next}: ${decision.why}`
}

function shorten (text: string): string {
  return text.length > 160 ? `${text.slice(0, 160)}…` : text
}
