import { isSchema as isObject } from '../schema/walk.js'
import { describeOption } from '../schema/describe-option.js'
import { readOrigin } from './origins.js'
import { unknownOptions } from './unknown-options.js'

/** Whose web pages may call a service. */
export interface CorsOptions {
  /** Origins such as `https://app.example.com`, without a path; `'*'` alone for every page there is. */
  origins: readonly string[]
  /** May a page send cookies and HTTP authentication along? Not with `'*'`. @default false */
  credentials?: boolean
  /** Request headers that a page may set, beside those the framework reads: `['x-api-key']`. @default none */
  allowedHeaders?: readonly string[]
  /** Response headers that a page may read, beside those the framework writes. @default none */
  exposedHeaders?: readonly string[]
  /** How long a browser remembers what it was allowed, in seconds. @default 600 */
  maxAgeSeconds?: number
}

const OPTIONS = ['origins', 'credentials', 'allowedHeaders', 'exposedHeaders', 'maxAgeSeconds'] as const

/** What is wrong with these options, each as a sentence; empty where they may be used, and without any. */
export function mistakesInCors (cors: unknown): string[] {
  if (cors === undefined) return []
  if (!isObject(cors)) return [`Expected \`cors\` to be an object, as in { origins: ['https://app.example.com'] }, got ${describeOption(cors)}.`]
  const mistakes = unknownOptions(cors, OPTIONS, 'cors')
  const { origins, credentials = false, maxAgeSeconds = 0 } = cors
  mistakes.push(...mistakesInOrigins(origins))
  if (typeof credentials !== 'boolean') mistakes.push(`Expected \`cors.credentials\` to be a boolean, got ${describeOption(credentials)}.`)
  else if (credentials && isAny(origins)) mistakes.push("Expected `cors.credentials` to be left out beside '*': every page there is could act as whoever looks at it.")
  for (const option of ['allowedHeaders', 'exposedHeaders'] as const) mistakes.push(...mistakesInHeaders(option, cors[option]))
  if (!(Number.isInteger(maxAgeSeconds) && maxAgeSeconds >= 0 && maxAgeSeconds <= 86_400)) mistakes.push(`Expected \`cors.maxAgeSeconds\` to be a whole number from 0 to 86400, got ${describeOption(maxAgeSeconds)}.`)
  return mistakes
}

function mistakesInOrigins (origins: unknown): string[] {
  if (!Array.isArray(origins) || origins.length === 0) return [`Expected \`cors.origins\` to be an array of one or more origins, as in ['https://app.example.com'], got ${describeOption(origins)}.`]
  const mistakes = isAny(origins) && origins.length > 1 ? ["Expected `cors.origins` to be ['*'] or a list of origins, got both."] : []
  // Told by its place: it may hold who logs in.
  return [...mistakes, ...origins.flatMap((origin, index) => isOrigin(origin) ? [] : [`Expected \`cors.origins[${index}]\` to be a scheme and a host, no path and no pattern, as in 'https://app.example.com', got ${describeOption(origin)}.`])]
}

function isAny (origins: unknown): boolean {
  return Array.isArray(origins) && origins.includes('*')
}

function isOrigin (origin: unknown): boolean {
  if (origin === '*') return true
  const host = typeof origin === 'string' ? readOrigin(origin)?.host : undefined
  return host !== undefined && !host.includes('*')
}

function mistakesInHeaders (option: string, names: unknown = []): string[] {
  if (!Array.isArray(names)) return [`Expected \`cors.${option}\` to be an array of header names, got ${describeOption(names)}.`]
  const legal = (name: unknown): boolean => typeof name === 'string' && /^[\w!#$%&'+.^`|~-]+$/.test(name)
  return names.flatMap((name, index) => legal(name) ? [] : [`Expected \`cors.${option}[${index}]\` to be the name of a header, got ${describeOption(name)}.`])
}
