import type { Capability } from '../capability/define.js'
import { mistakesInHonesty, type HonestyOptions } from '../capability/honesty-rules.js'
import { mistakesInCapabilities, warningsInCapabilities } from '../capability/mistakes.js'
import { isAddresses, type ServerAddress } from '../capability/server-address.js'
import { mistakesInAuth, type AuthOptions } from '../policy/auth-options.js'
import { mistakesInCors, type CorsOptions } from '../policy/cors-options.js'
import { mistakesInLimits, type LimitOptions } from '../policy/limit-options.js'
import { isLabel } from '../protocol/text.js'
import { describeOption } from '../schema/describe-option.js'
import { didYouMean } from '../schema/lint-keywords.js'
import { isSchema } from '../schema/walk.js'
import { mistakesInUpstream, type UpstreamOptions } from '../upstream/options.js'

/** A service: its name, what it can do, and the third parties it asks. */
export interface ServiceDeclaration {
  name: string
  version: string
  /** For the OpenAPI document. */
  description?: string
  capabilities: readonly Capability[]
  /** By the labels that capabilities name. */
  upstreams?: Readonly<Record<string, UpstreamOptions>>
  /** Rules of honest success that are not `refuse`, for all capabilities that do not say otherwise and for plain routes. */
  honesty?: HonestyOptions
  /** More marks by which made-up data is told: a field, and the values of it that tell. */
  mockMarkers?: ReadonlyArray<{ key: string, values: ReadonlyArray<string | number | boolean> }>
  /** Is `/metrics` served? @default true */
  metrics?: boolean
  /** Is `/mcp` served, the same capabilities over MCP? @default true */
  mcp?: boolean
  /** Host names that the service is reached by, beside `localhost` and addresses; where they are given, it answers to no others. */
  allowedHosts?: readonly string[]
  /** Whose web pages may call the service. @default nobody's but its own */
  cors?: CorsOptions
  /** Who may call. @default everybody who reaches it */
  auth?: AuthOptions
  /** How much a caller may ask, and all together. @default no limits */
  limits?: LimitOptions
  /** Is `/docs` served, a page to read and try the OpenAPI document? @default true */
  docs?: boolean
  /** Where the service is reached, for the OpenAPI document. Say it behind a proxy that takes a part of the path away. @default where the document came from, at `/` */
  servers?: readonly ServerAddress[]
  /**
   * How long a stopping service still listens and answers 503 with `/ready` saying no, in milliseconds: time for a load
   * balancer to notice. @default 0
   */
  stopDelayMs?: number
}

// The last three are what `register` of Fastify takes for itself.
const OPTIONS = ['name', 'version', 'description', 'capabilities', 'upstreams', 'honesty', 'mockMarkers', 'metrics', 'mcp', 'allowedHosts', 'cors', 'auth', 'limits', 'docs', 'servers', 'stopDelayMs', 'prefix', 'logLevel', 'logSerializers']

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
  if (!isLabel(name)) mistakes.push('Expected `name` to be 1 to 64 letters, digits, dots, hyphens or underscores.')
  if (typeof version !== 'string' || version === '') mistakes.push('Expected `version` to be a non-empty string.')
  if (description !== undefined && typeof description !== 'string') mistakes.push('Expected `description` to be a string.')
  if (!(Number.isFinite(stopDelayMs) && stopDelayMs >= 0 && stopDelayMs < 2 ** 31)) mistakes.push(`Expected \`stopDelayMs\` to be 0 or more, below 2147483648, got ${describeOption(stopDelayMs)}.`)
  mistakes.push(...mistakesInHonesty(service.honesty).map(mistake => `Expected ${mistake}`))
  if (service.mockMarkers !== undefined && !isMarkers(service.mockMarkers)) mistakes.push("Expected `mockMarkers` to be an array of { key: 'env', values: ['sandbox'] }.")
  for (const option of ['metrics', 'mcp', 'docs'] as const) {
    if (service[option] !== undefined && typeof service[option] !== 'boolean') mistakes.push(`Expected \`${option}\` to be a boolean, got ${describeOption(service[option])}.`)
  }
  if (service.allowedHosts !== undefined && !isHosts(service.allowedHosts)) mistakes.push("Expected `allowedHosts` to be an array of host names in lower case, without scheme and port, as in ['tools.example.com'].")
  mistakes.push(...mistakesInCors(service.cors), ...mistakesInAuth(service.auth, service.capabilities), ...mistakesInLimits(service.limits, service.capabilities))
  if (service.servers !== undefined && !isAddresses(service.servers)) mistakes.push("Expected `servers` to be an array of { url: 'https://tools.example.com/weather', description: 'Production' }, `url` an http(s) URL or a path, without query or variables.")
  if (upstreams !== undefined && !isSchema(upstreams)) mistakes.push('Expected `upstreams` to be an object, each label with its options.')
  return mistakes
}

function isMarkers (given: unknown): boolean {
  const scalar = (value: unknown): boolean => ['string', 'number', 'boolean'].includes(typeof value)
  return Array.isArray(given) && given.every(marker => isSchema(marker) && typeof marker.key === 'string' && Array.isArray(marker.values) && marker.values.every(scalar))
}

function isHosts (given: unknown): boolean {
  return Array.isArray(given) && given.every(host => typeof host === 'string' && /^[a-z0-9.-]+$/.test(host))
}

/** Agents read labels as `meta.sources` and `details.upstream`; one of the words there is ours. */
function labelMistakes (label: string): string[] {
  if (!isLabel(label)) return [`Expected labels of \`upstreams\` to be 1 to 64 letters, digits, dots, hyphens or underscores, got ${JSON.stringify(label.slice(0, 80))}.`]
  return label === 'unlabelled' ? ["Expected labels of `upstreams` not to be 'unlabelled', which stands for undeclared ones."] : []
}
