import type { Dispatcher } from 'undici'
import { isSecretName } from '../protocol/redact.js'
import { describeOption } from '../schema/describe-option.js'
import { nearest } from '../schema/nearest.js'
import type { TokenSource } from './auth.js'
import type { Adapter } from './classify.js'
import type { RefusalReader } from './refusal.js'
import { isNetwork } from './target-guard.js'

interface CommonOptions {
  /** Sent with every request. Their values count as secrets where the name says so (`authorization`, `x-api-key`). */
  headers?: Readonly<Record<string, string>>
  /**
   * Gives a bearer token. Asked on first use, then again after a 401: the request is sent once more with the new token,
   * the only time that anything is sent twice.
   */
  auth?: TokenSource
  /** The whole exchange, waiting for its turn and redirects included, in milliseconds. @default 10000 */
  timeoutMs?: number
  /** Name look-up, connection and TLS together, in milliseconds. @default 5000 */
  connectTimeoutMs?: number
  /** From the connection being there to the headers of the answer, in milliseconds. @default no limit but `timeoutMs` */
  headersTimeoutMs?: number
  /** The most bytes taken of a body, as sent and as decompressed. @default 4194304 */
  maxBytes?: number
  /** The most exchanges at a time; the others wait, in order, within their time. @default no limit */
  maxConcurrent?: number
  /** Values that must never be seen in an answer or a log line, beside those found in `headers` and `baseUrl`. */
  secrets?: readonly string[]
  /** How this provider says no inside a 2xx. */
  refusal?: RefusalReader
  /** Own rules for its failures, asked first, in order. */
  adapters?: readonly Adapter[]
  /** What sends the requests, instead of a pool of ours: for proxies, private certificates and tests. It is yours to close. */
  dispatcher?: Dispatcher
  /** A stand-in for the real one: its `x-candor-simulated: true` is believed, and shows as `meta.simulated`. @default false */
  simulated?: boolean
}

/**
 * For tools whose input is a URL: a path may then be a whole one. Only public addresses are connected to, and those in
 * the networks of a list (`['10.1.0.0/16']`). Such an upstream has no credentials and is never quoted.
 */
export type AllowTarget = true | readonly string[]

/** How to reach one upstream, and how long and how much to take from it. */
export type UpstreamOptions = CommonOptions & ({
  /** `http:` or `https:`; a path is put before every request's, query parameters are added to every request. */
  baseUrl: string
  allowTarget?: AllowTarget
} | {
  baseUrl?: string
  allowTarget: AllowTarget
})

export const DEFAULTS = { timeoutMs: 10_000, connectTimeoutMs: 5_000, maxBytes: 4 * 1024 * 1024 } as const

type Rule = readonly [expected: string, holds: (value: unknown) => boolean]

const positive: Rule = ['a positive number', value => Number.isFinite(value) && Number(value) > 0]
// Above it a timer fires at once.
const MAX_MS = 2 ** 31 - 1
const positiveInteger: Rule = ['a positive whole number', value => Number.isInteger(value) && Number(value) > 0]
const aFunction: Rule = ['a function', value => typeof value === 'function']
const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null
const listOf = (type: string): (value: unknown) => boolean => value => Array.isArray(value) && value.every(item => typeof item === type) // eslint-disable-line valid-typeof

/** One row for each option; `undefined` is left out, `null` is a mistake. */
const rules = {
  baseUrl: ['an absolute http: or https: URL without a #fragment', isBaseUrl],
  headers: ['an object', isObject],
  auth: aFunction,
  timeoutMs: positive,
  connectTimeoutMs: positive,
  headersTimeoutMs: positive,
  maxBytes: positive,
  maxConcurrent: positiveInteger,
  secrets: ['an array of strings', listOf('string')],
  refusal: aFunction,
  adapters: ['an array of functions', listOf('function')],
  dispatcher: ['an undici dispatcher', value => isObject(value) && 'dispatch' in value && typeof value.dispatch === 'function'],
  simulated: ['a boolean', value => typeof value === 'boolean'],
  allowTarget: ['true or an array of networks such as 10.0.0.0/8', value => value === true || (Array.isArray(value) && value.every(isNetwork))]
} as const satisfies Record<string, Rule>

/** Everything wrong with the options of one upstream, each as a sentence; values that may be secrets are not repeated. */
export function mistakesInUpstream (label: string, options: UpstreamOptions): string[] {
  const at = `upstreams.${label}`
  if (!isObject(options)) return [`Expected \`${at}\` to be an object, got ${describeOption(options)}.`]
  const given = Object.entries(options).filter(([, value]) => value !== undefined)
  const mistakes = given.flatMap(([key, value]) => {
    if (!Object.hasOwn(rules, key)) return [unknownOption(at, key)]
    const [expected, holds] = rules[key as keyof typeof rules]
    if (!holds(value)) return [`Expected \`${at}.${key}\` to be ${expected}${key === 'baseUrl' ? '' : `, got ${describeOption(value)}`}.`]
    return key.endsWith('Ms') && Number(value) > MAX_MS ? [`Expected \`${at}.${key}\` to be at most ${MAX_MS}, got ${describeOption(value)}.`] : []
  })
  if (options.baseUrl === undefined && options.allowTarget === undefined) mistakes.push(`Expected \`${at}\` to have a \`baseUrl\`.`)
  const headers = isObject(options.headers) ? Object.entries(options.headers) : []
  return mistakes.length > 0 ? mistakes : [...headers.flatMap(([name, value], index) => mistakesInHeader(at, name, value, index)), ...contradictions(at, options)]
}

function unknownOption (at: string, key: string): string {
  const meant = nearest(key, Object.keys(rules))
  return `Expected \`${at}\` to have only known options, got \`${key}\`.${meant === undefined ? '' : ` Did you mean \`${meant}\`?`}`
}

/** A name that is none may be a whole header with its value. */
function mistakesInHeader (at: string, name: string, value: unknown, index: number): string[] {
  if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) return [`Expected \`${at}.headers\` to have legal names; number ${index + 1} is none.`]
  const legal = typeof value === 'string' && /^[\t\x20-\x7e\x80-\xff]*$/.test(value)
  return legal ? [] : [`Expected \`${at}.headers.${name}\` to be a string without line breaks or control characters.`]
}

function contradictions (at: string, { baseUrl, headers = {}, auth, connectTimeoutMs, dispatcher, allowTarget }: UpstreamOptions): string[] {
  const names = Object.keys(headers).map(name => name.toLowerCase())
  const url = baseUrl === undefined ? undefined : new URL(baseUrl)
  const user = url !== undefined && `${url.username}${url.password}` !== ''
  const mistakes: string[] = []
  if (auth !== undefined && (user || names.includes('authorization'))) mistakes.push(`Expected \`${at}\` to have \`auth\` or an authorization of its own, got both.`)
  if (dispatcher !== undefined && connectTimeoutMs !== undefined) mistakes.push(`Expected \`${at}.connectTimeoutMs\` to be left out beside \`dispatcher\`, which connects by itself.`)
  if (allowTarget === undefined) return mistakes
  if (dispatcher !== undefined) mistakes.push(`Expected \`${at}.dispatcher\` to be left out beside \`allowTarget\`, which has to see every connection.`)
  if (auth !== undefined || user || url?.search || names.some(isSecretName)) mistakes.push(`Expected \`${at}\` to have no credentials beside \`allowTarget\`: a caller chooses who gets them.`)
  return mistakes
}

function isBaseUrl (value: unknown): boolean {
  if (typeof value !== 'string' || !URL.canParse(value)) return false
  const { protocol, hash } = new URL(value)
  return (protocol === 'http:' || protocol === 'https:') && hash === ''
}
