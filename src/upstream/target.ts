import { isSecretName } from '../protocol/redact.js'
import type { UpstreamOptions } from './options.js'
import type { QueryValue } from './request.js'

/** Where an upstream's requests go: its base URL taken apart once. */
export interface Target {
  readonly origin: string
  /** Without a slash at its end. */
  readonly prefix: string
  /** Parameters added to every request, encoded. */
  readonly query: string
  readonly headers: Readonly<Record<string, string>>
  /** What must never be seen: values of secret headers, user info, values of the base URL's parameters. */
  readonly secrets: readonly string[]
}

/** Takes the options of an upstream apart. Credentials in the URL become an `authorization` header. */
export function readTarget ({ baseUrl, headers = {}, secrets = [] }: UpstreamOptions): Target {
  const url = new URL(baseUrl)
  const own = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
  const user = decodeURIComponent(url.username)
  const password = decodeURIComponent(url.password)
  const basic = `${user}:${password}`
  const isSecret = ([name]: [string, string]): boolean => isSecretName(name) || /key|sig/i.test(name)
  if (basic !== ':' && own.authorization === undefined) own.authorization = `Basic ${Buffer.from(basic).toString('base64')}`
  return {
    origin: url.origin,
    prefix: url.pathname.replace(/\/+$/, ''),
    query: url.search.slice(1),
    headers: own,
    secrets: [
      ...secrets,
      ...Object.entries(own).filter(isSecret).flatMap(([, value]) => [value, value.replace(/^(Bearer|Basic|Token)\s+/i, '')]),
      ...(basic === ':' ? [] : [basic, password]),
      ...[...url.searchParams].filter(isSecret).map(([, value]) => value)
    ]
  }
}

/** Thrown for a value of the caller's that would lead to another path than the author wrote. */
export class PathValueError extends Error {
  readonly parameter: string
  constructor (parameter: string) {
    super(`The value of {${parameter}} is no single path segment.`)
    this.parameter = parameter
  }
}

const PLACEHOLDER = /\{([\w-]+)\}/g

/**
 * The path of one request with its query, encoded. A placeholder's value stays one segment, whatever it holds.
 * Throws a `TypeError` for a path an author cannot mean, a `PathValueError` for a value that would change it.
 */
export function requestPath (target: Target, path: string, params: Readonly<Record<string, string | number>> = {}, query: Readonly<Record<string, QueryValue>> = {}): string {
  if (!path.startsWith('/')) throw new TypeError(`Expected the path to begin with "/", got ${JSON.stringify(path)}.`)
  if (/[?#]/.test(path)) throw new TypeError('Expected the path to hold no "?" and no "#": pass parameters as `query`.')
  // A value pasted into the path instead of a placeholder could climb out of it.
  if (path.split('/').some(isDotSegment)) throw new TypeError('Expected the path to hold no "." or ".." segment: pass values as `params`.')
  const filled = path.replace(PLACEHOLDER, (_, name: string) => {
    if (!Object.hasOwn(params, name)) throw new TypeError(`Expected \`params\` to have {${name}}.`)
    const value = String(params[name])
    if (value === '' || isDotSegment(value)) throw new PathValueError(name)
    return encodeURIComponent(value.toWellFormed())
  })
  const search = [target.query, encodeQuery(query)].filter(part => part !== '').join('&')
  return `${target.prefix}${filled}${search === '' ? '' : `?${search}`}`
}

/** Names and values in `application/x-www-form-urlencoded`; `undefined` is left out, a list repeats its name. */
export function encodeQuery (query: Readonly<Record<string, QueryValue>>): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    for (const item of [value].flat()) if (item !== undefined) search.append(name, String(item))
  }
  return search.toString()
}

function isDotSegment (segment: string): boolean {
  return /^(?:\.|%2e){1,2}$/i.test(segment)
}
