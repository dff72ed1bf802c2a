/** How to reach one upstream, and how long and how much to take from it. */
export interface UpstreamOptions {
  /** `http:` or `https:`; a path is put before every request's, query parameters are added to every request. */
  baseUrl: string
  /** Sent with every request. Their values count as secrets where the name says so (`authorization`, `x-api-key`). */
  headers?: Readonly<Record<string, string>>
  /** The whole exchange, in milliseconds. @default 10000 */
  timeoutMs?: number
  /** Name look-up, connection and TLS together, in milliseconds. @default 5000 */
  connectTimeoutMs?: number
  /** The most bytes taken of a body, as sent and as decompressed. @default 4194304 */
  maxBytes?: number
  /** Values that must never be seen in an answer or a log line, beside those found in `headers` and `baseUrl`. */
  secrets?: readonly string[]
  /** A stand-in for the real one: its `x-candor-simulated: true` is believed, and shows as `meta.simulated`. @default false */
  simulated?: boolean
}

export const DEFAULTS = { timeoutMs: 10_000, connectTimeoutMs: 5_000, maxBytes: 4 * 1024 * 1024 } as const

const KNOWN = new Set(['baseUrl', 'headers', 'timeoutMs', 'connectTimeoutMs', 'maxBytes', 'secrets', 'simulated'])

/** Everything wrong with the options of one upstream, each as a sentence; values that may be secrets are not repeated. */
export function mistakesInUpstream (label: string, options: UpstreamOptions): string[] {
  const at = `upstreams.${label}`
  if (typeof options !== 'object' || options === null) return [`Expected \`${at}\` to be an object, got ${typeof options}.`]
  const mistakes = Object.keys(options).filter(key => !KNOWN.has(key)).map(key => `Expected \`${at}\` to have only known options, got \`${key}\`.`)
  const url = parseUrl(options.baseUrl)
  if (url === undefined) mistakes.push(`Expected \`${at}.baseUrl\` to be an absolute http: or https: URL.`)
  else if (url.hash !== '') mistakes.push(`Expected \`${at}.baseUrl\` to have no #fragment.`)
  for (const key of ['timeoutMs', 'connectTimeoutMs', 'maxBytes'] as const) {
    const value = options[key]
    // Above 2^31 a timer fires at once.
    if (value !== undefined && !(Number.isFinite(value) && value > 0 && value < 2 ** 31)) mistakes.push(`Expected \`${at}.${key}\` to be a positive number, got ${String(value)}.`)
  }
  for (const [name, value] of Object.entries(options.headers ?? {})) {
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) mistakes.push(`Expected \`${at}.headers\` to have legal names, got ${JSON.stringify(name)}.`)
    // eslint-disable-next-line no-control-regex -- control characters are what is looked for
    if (typeof value !== 'string' || /[\x00-\x08\x0a-\x1f\x7f]/.test(value)) mistakes.push(`Expected \`${at}.headers.${name}\` to be a string without line breaks or control characters.`)
  }
  return mistakes
}

function parseUrl (text: unknown): URL | undefined {
  if (typeof text !== 'string' || !URL.canParse(text)) return undefined
  const url = new URL(text)
  return url.protocol === 'http:' || url.protocol === 'https:' ? url : undefined
}
