import { didYouMean } from '../schema/lint-keywords.js'
import { isSchema } from '../schema/walk.js'
import { mistakesInUpstream, type UpstreamOptions } from '../upstream/options.js'
import type { Capability } from './define.js'
import { mistakesInCapabilities, warningsInCapabilities } from './mistakes.js'

/** The parts of a service that can be wrong. */
export interface ServiceDeclaration {
  name: string
  version: string
  description?: string
  capabilities: readonly Capability[]
  upstreams?: Readonly<Record<string, UpstreamOptions>>
  stopDelayMs?: number
}

// The last three are what `register` of Fastify takes for itself.
const OPTIONS = ['name', 'version', 'description', 'capabilities', 'upstreams', 'stopDelayMs', 'prefix', 'logLevel', 'logSerializers']

/** Everything wrong with a service, at start and all at once, each as a sentence; empty where it may start. */
export function mistakesInService (service: ServiceDeclaration): string[] {
  const { capabilities, upstreams = {} } = service
  const labels = isSchema(upstreams) ? Object.entries(upstreams) : []
  return [
    ...ownMistakes(service),
    ...labels.flatMap(([label, options]) => [...labelMistakes(label), ...mistakesInUpstream(label, options)]),
    ...Array.isArray(capabilities) ? mistakesInCapabilities(capabilities, labels.map(([label]) => label)) : ['Expected `capabilities` to be an array of what `defineCapability` returns.']
  ]
}

/** What is not good but no reason not to start, each as a sentence: for the log, once, of a service without mistakes. */
export function warningsInService ({ capabilities }: Pick<ServiceDeclaration, 'capabilities'>): string[] {
  return warningsInCapabilities(capabilities)
}

function ownMistakes (service: ServiceDeclaration): string[] {
  const { name, version, description, upstreams, stopDelayMs = 0 } = service
  const mistakes = Object.keys(service).filter(option => !OPTIONS.includes(option)).map(option => {
    const near = didYouMean(option, OPTIONS)
    return `Expected only known options of a service, got \`${option}\`${near === '' ? '.' : near}`
  })
  if (typeof name !== 'string' || !/^[\w.-]{1,64}$/.test(name)) mistakes.push('Expected `name` to be 1 to 64 letters, digits, dots, hyphens or underscores.')
  if (typeof version !== 'string' || version === '') mistakes.push('Expected `version` to be a non-empty string.')
  if (description !== undefined && typeof description !== 'string') mistakes.push('Expected `description` to be a string.')
  if (!(Number.isFinite(stopDelayMs) && stopDelayMs >= 0 && stopDelayMs < 2 ** 31)) mistakes.push(`Expected \`stopDelayMs\` to be 0 or more, below 2147483648, got ${String(stopDelayMs)}.`)
  if (upstreams !== undefined && !isSchema(upstreams)) mistakes.push('Expected `upstreams` to be an object, each label with its options.')
  return mistakes
}

/** Agents read labels as `meta.sources` and `details.upstream`; one of the words there is ours. */
function labelMistakes (label: string): string[] {
  if (!/^[\w.-]{1,64}$/.test(label)) return [`Expected labels of \`upstreams\` to be 1 to 64 letters, digits, dots, hyphens or underscores, got ${JSON.stringify(label.slice(0, 80))}.`]
  return label === 'unlabelled' ? ["Expected labels of `upstreams` not to be 'unlabelled', which stands for undeclared ones."] : []
}
