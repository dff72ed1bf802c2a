import { isSecretName } from '../protocol/redact.js'
import type { UpstreamOptions } from './options.js'
import type { QueryValue } from './request.js'
import { readTargetUrl } from './target-guard.js'

/** Where an upstream's requests go: its base URL taken apart once. */
export interface Target {
  /** `undefined` where every path is a whole URL. */
  readonly origin: string | undefined
  /** Without a slash at its end. */
  readonly prefix: string
  /** Parameters added to every request, encoded. */
  readonly query: string
  readonly headers: Readonly<Record<string, string>>
  /** May a path be the whole URL of a target that a caller chose? */
  readonly open: boolean
  /** What must never be seen: values of secret headers, user info, values of the base URL's parameters. */
  readonly secrets: readonly string[]
}

/** Takes the options of an upstream apart. Credentials in the URL become an `authorization` header. */
export function readTarget ({ baseUrl, headers = {}, secrets = [], allowTarget }: UpstreamOptions): Target {
  const url = baseUrl === undefined ? undefined : new URL(baseUrl)
  const own = lowerCased(headers)
  const user = url === undefined ? { secrets: [] } : userOf(url)
  if (user.authorization !== undefined) own.authorization ??= user.authorization
  return {
    origin: url?.origin,
    prefix: url?.pathname.replace(/\/+$/, '') ?? '',
    query: url?.search.slice(1) ?? '',
    headers: own,
    open: allowTarget !== undefined,
    secrets: [...secrets, ...secretsIn(own), ...user.secrets, ...[...url?.searchParams ?? []].filter(isSecret).map(([, value]) => value)]
  }
}

/** Headers with their names in lower case: of two spellings the later counts. */
export function lowerCased (headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
}

/** The values of headers whose names say that they are secret, with and without their scheme. */
export function secretsIn (headers: Readonly<Record<string, string>>): string[] {
  return Object.entries(headers).filter(isSecret).flatMap(([, value]) => [value, value.replace(/^(Bearer|Basic|Token)\s+/i, '')])
}

function isSecret ([name]: [string, string]): boolean {
  return isSecretName(name) || /key|sig/i.test(name)
}

function userOf ({ username, password }: URL): { authorization?: string, secrets: string[] } {
  if (username === '' && password === '') return { secrets: [] }
  const [user, secret] = [decoded(username), decoded(password)]
  const basic = `${user}:${secret}`
  // Some services take a key as the user name, without a password.
  return { authorization: `Basic ${Buffer.from(basic).toString('base64')}`, secrets: [basic, secret === '' ? user : secret] }
}

function decoded (text: string): string {
  try { return decodeURIComponent(text) } catch { return text }
}

/** Thrown for a value of the caller's that would lead to another path than the author wrote. */
export class PathValueError extends Error {
  readonly parameter: string
  constructor (parameter: string) {
    super(`The value of {${parameter}} is no single path segment.`)
    this.parameter = parameter
  }
}

/** Where one request goes: an origin, and a path with its query, encoded. */
export interface Address { origin: string, path: string }

type Params = Readonly<Record<string, string | number>>
type Query = Readonly<Record<string, QueryValue>>

const NO_PARAMS: Params = {}

/**
 * The address of one request. A placeholder's value stays one segment, whatever it holds. Throws a `TypeError` for a path
 * an author cannot mean, a `PathValueError` for a value that would change it, a tool error for a target nobody may open.
 */
export function requestAddress (target: Target, path: string, params: Params = NO_PARAMS, query?: Query): Address {
  if (target.open && (target.origin === undefined || !path.startsWith('/'))) {
    const { origin, pathname, search } = readTargetUrl(path)
    return { origin, path: withQuery(pathname, search.slice(1), query) }
  }
  return { origin: target.origin!, path: withQuery(`${target.prefix}${filled(path, params)}`, target.query, query) }
}

/** A path without placeholders, and without anything that could be a mistake. */
const PLAIN = /^\/[^?#{.%]*$/
// A value pasted into the path instead of a placeholder could climb out of it.
const DOT_SEGMENT = /(?:^|[/\\])(?:\.|%2e){1,2}(?:[/\\]|$)/i
const PLACEHOLDER = /\{([\w-]+)\}/g

function filled (path: string, params: Params): string {
  if (PLAIN.test(path)) return path
  if (!path.startsWith('/')) throw new TypeError(`Expected the path to begin with "/", got ${JSON.stringify(path)}.`)
  if (/[?#]/.test(path)) throw new TypeError('Expected the path to hold no "?" and no "#": pass parameters as `query`.')
  if (DOT_SEGMENT.test(path)) throw new TypeError('Expected the path to hold no "." or ".." segment: pass values as `params`.')
  return path.replace(PLACEHOLDER, (_, name: string) => {
    if (!Object.hasOwn(params, name)) throw new TypeError(`Expected \`params\` to have {${name}}.`)
    const value = String(params[name])
    if (value === '' || /^(?:\.|%2e){1,2}$/i.test(value)) throw new PathValueError(name)
    return encodeURIComponent(value.toWellFormed())
  })
}

function withQuery (path: string, fixed: string, query: Query | undefined): string {
  const own = query === undefined ? '' : encodeQuery(query)
  if (own === '') return fixed === '' ? path : `${path}?${fixed}`
  return fixed === '' ? `${path}?${own}` : `${path}?${fixed}&${own}`
}

/** Names and values in `application/x-www-form-urlencoded`; `undefined` is left out, a list repeats its name. */
export function encodeQuery (query: Query): string {
  let text = ''
  for (const [name, value] of Object.entries(query)) {
    for (const item of Array.isArray(value) ? value : [value]) {
      if (item !== undefined) text += `${text === '' ? '' : '&'}${encodeText(name)}=${encodeText(String(item))}`
    }
  }
  return text
}

function encodeText (text: string): string {
  return /^[\w*.-]*$/.test(text) ? text : new URLSearchParams([['', text]]).toString().slice(1)
}
