import { setTimeout as wait } from 'node:timers/promises'
import type { Capability } from '../capability/define.js'
import { readEnvelope } from '../protocol/envelope.js'
import { capabilityOf, servicesOf, unknown, upstreamsOf, type App, type AppResponse } from './app.js'
import { breaks, type Break } from './breaks.js'
import { parsed, post, type CallOptions } from './call-capability.js'
import { isReached, type Trial } from './expectation.js'
import { createReport, type DrillReport, type Finding } from './finding.js'
import { judge, type Expected } from './judge.js'
import { standIn } from './stand-in.js'
import { createWitness } from './witness.js'

export interface DrillOptions extends CallOptions {
  /** The capability's name. */
  capability: string
  /** Input that succeeds while all upstreams are well, and asks all of them. */
  input: unknown
  /** How long an exchange with an upstream that stalls may take, in milliseconds. Whatever else is wrong with it shows at once. @default 500 */
  timeoutMs?: number
  /** Which of the declared upstreams to break. @default all */
  upstreams?: readonly string[]
  /** Only these breaks, by the names that findings have. @default all */
  behaviours?: readonly string[]
  /** What is right although the drill expects another: by upstream and break the code, or `'success'`. */
  expect?: Readonly<Record<string, Expected>>
}

/** What a call may take beside the time that it has. */
const SLACK_MS = 1_000
/** The time of an exchange that ends by itself: more than a busy machine needs. */
const PROMPT_MS = 2_000

/**
 * Breaks each upstream of a capability in every way that the protocol has a row for, one call each, and reports every answer
 * that lies: a success that nothing supports, a failure told as another, a credential shown.
 * All that is not broken is really asked: give it upstreams to try on. For requests through `call.upstream`, and through fetch and undici by the global
 * dispatcher, which is replaced while it runs: nothing else may call the service or use it meanwhile. Rejects where the first call, with all as it is, is no success.
 */
export async function drill (app: App, options: DrillOptions): Promise<DrillReport> {
  const services = servicesOf(app)
  const capability = capabilityOf(services, options.capability)
  const { labels, tried } = choose(capability, options)
  const { timeoutMs = 500 } = options
  const allowedMs = capability.timeoutMs + SLACK_MS
  await checkFirst(app, options, allowedMs)

  const witness = createWitness(capability.upstreams.flatMap(label => upstreamsOf(services, label)))
  const findings: Finding[] = []
  const reached = new Set<string>()
  const meet = async (label: string, broken: Break): Promise<void> => {
    const upstreams = upstreamsOf(services, label)
    const { ours, others, end } = await standIn(upstreams, broken.behaviour, broken.stalls ? timeoutMs : Math.max(timeoutMs, PROMPT_MS))
    const answer = await answerTo(app, options, allowedMs).finally(end)
    const trial: Trial = { capability, upstream: label, broken, sent: { ours, others }, exchanges: witness.look() }
    if (isReached(trial)) reached.add(label)
    const { origin } = upstreams[0]!.target
    findings.push(...judge(trial, answer, { host: origin === undefined ? undefined : new URL(origin).host, expected: options.expect?.[label] }))
  }
  try {
    for (const label of labels) for (const broken of tried) await meet(label, broken)
  } finally {
    witness.stop()
  }
  return createReport(capability.name, { calls: 1 + labels.length * tried.length, findings, unreached: labels.filter(label => !reached.has(label)) })
}

/** What to break and how. Throws a `TypeError` for a name that is none, and where there is nothing to break. */
function choose (capability: Capability, { upstreams = capability.upstreams, behaviours, expect = {} }: DrillOptions): { labels: readonly string[], tried: readonly Break[] } {
  const names = breaks.map(({ name }) => name)
  const check = (what: string, given: readonly string[], known: readonly string[]): void => { for (const one of given) if (!known.includes(one)) unknown(what, one, known) }
  check(`an upstream of ${capability.name}`, [...upstreams, ...Object.keys(expect)], capability.upstreams)
  check('a break', [...behaviours ?? [], ...Object.values(expect).flatMap(one => Object.keys(one))], names)
  const tried = breaks.filter(({ name, harmless }) => (behaviours === undefined || behaviours.includes(name)) && !(harmless === 'read' && capability.effect === 'read'))
  if (upstreams.length === 0 || tried.length === 0) throw new TypeError(`Expected something to break: ${capability.name} declares ${capability.upstreams.join(', ') || 'no upstreams'}.`)
  return { labels: upstreams, tried }
}

async function checkFirst (app: App, options: DrillOptions, allowedMs: number): Promise<void> {
  const answer = await answerTo(app, options, allowedMs)
  if (answer !== undefined && readEnvelope(parsed(answer.body)).success === true) return
  throw new Error(`Expected ${options.capability} to succeed while its upstreams are well, got ${answer === undefined ? 'no answer' : `${answer.statusCode} ${answer.body}`}`)
}

/** The answer, or `undefined` where none comes in time. */
async function answerTo (app: App, options: DrillOptions, allowedMs: number): Promise<AppResponse | undefined> {
  const timer = new AbortController()
  const late = wait(allowedMs, undefined, { signal: timer.signal }).catch(() => undefined)
  return await Promise.race([post(app, options.capability, options.input, options), late]).finally(() => timer.abort())
}
