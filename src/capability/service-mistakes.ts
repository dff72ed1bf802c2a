import { mistakesInUpstream, type UpstreamOptions } from '../upstream/options.js'
import type { Capability } from './define.js'
import { mistakesInCapabilities } from './mistakes.js'

/** The parts of a service that can be wrong. */
export interface ServiceDeclaration {
  name: string
  version: string
  capabilities: readonly Capability[]
  upstreams?: Readonly<Record<string, UpstreamOptions>>
  stopDelayMs?: number
}

/** Everything wrong with a service, at start and all at once, each as a sentence; empty where it may start. */
export function mistakesInService ({ name, version, capabilities, upstreams = {}, stopDelayMs = 0 }: ServiceDeclaration): string[] {
  const mistakes: string[] = []
  if (typeof name !== 'string' || !/^[\w.-]{1,64}$/.test(name)) mistakes.push('Expected `name` to be 1 to 64 letters, digits, dots, hyphens or underscores.')
  if (typeof version !== 'string' || version === '') mistakes.push('Expected `version` to be a non-empty string.')
  if (!(Number.isFinite(stopDelayMs) && stopDelayMs >= 0)) mistakes.push(`Expected \`stopDelayMs\` to be 0 or more, got ${String(stopDelayMs)}.`)
  if (!Array.isArray(capabilities)) return [...mistakes, 'Expected `capabilities` to be an array of what `defineCapability` returns.']
  return [
    ...mistakes,
    ...Object.entries(upstreams).flatMap(([label, options]) => mistakesInUpstream(label, options)),
    ...mistakesInCapabilities(capabilities, Object.keys(upstreams))
  ]
}
