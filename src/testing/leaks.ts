import { createRedactor, isSecretName, MIN_SECRET_LENGTH } from '../protocol/redact.js'
import { parsed } from './call-capability.js'

/** A request that an upstream was sent, by whatever client. */
export interface SentRequest {
  readonly method: string
  /** With its query. */
  readonly path: string
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
}

/** A credential, and where it was sent. */
interface Credential { readonly where: string, readonly value: string }

/** What of a tool's inside shows in an answer, in words that show none of it. */
export function leaksIn (text: string, requests: readonly SentRequest[], host: string | undefined): string[] {
  const leaks = requests.flatMap(credentialsIn).filter(({ value }) => createRedactor([value])(text) !== text).map(({ where }) => where)
  if (/(?:\n|\\n|\s)\s*at \S.{0,200}?:\d+:\d+/.test(text) || text.includes('Traceback')) leaks.push('a stack trace')
  if (host !== undefined && text.includes(host)) leaks.push('the address of the upstream')
  return [...new Set(leaks)]
}

function credentialsIn ({ path, headers }: SentRequest): Credential[] {
  const inHeaders = Object.entries(headers).filter(([name]) => isSecretName(name))
    .flatMap(([name, value]) => valuesOf(name, value).map(one => ({ where: `the credential sent as header ${name}`, value: one })))
  const inQuery = [...new URL(path, 'http://any.invalid').searchParams].filter(([name]) => isSecretName(name))
    .map(([name, value]) => ({ where: `the credential sent as parameter ${name}`, value }))
  // Shorter ones stand in ordinary words.
  return [...inHeaders, ...inQuery].filter(({ value }) => value.length >= MIN_SECRET_LENGTH)
}

function valuesOf (name: string, value: string): string[] {
  if (name === 'cookie') return value.split(';').map(pair => pair.slice(pair.indexOf('=') + 1).trim())
  const token = value.replace(/^(?:Bearer|Basic|Token)\s+/i, '')
  if (!/^Basic\s/i.test(value)) return [token]
  const pair = Buffer.from(token, 'base64').toString()
  return [token, pair, pair.slice(pair.indexOf(':') + 1)]
}

/** All that an answer says, as one text; the words of a JSON body without the escapes that would hide them. */
export function textOf ({ headers, body }: { headers: Readonly<Record<string, unknown>>, body: string }): string {
  return [...Object.values(headers).map(String), body, ...wordsOf(parsed(body))].join('\n')
}

function wordsOf (value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.entries(value).flatMap(([name, one]) => [name, ...wordsOf(one)]) : []
}
