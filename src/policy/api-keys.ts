import { createHash, timingSafeEqual } from 'node:crypto'
import type { Principal } from '../capability/call.js'
import { isScope } from '../capability/scope.js'
import { isSchema as isObject } from '../schema/walk.js'
import { createPrincipal } from './principal.js'
import { unknownOptions } from './unknown-options.js'

/** One key that callers may send as `Authorization: Bearer …`. */
export interface ApiKey {
  /** Who sends it. Several keys may have one id: the old and the new one, while callers change over. */
  id: string
  /** SHA-256 of the key, in 64 hexadecimal digits: `hashApiKey(key)`. The key itself stands in no configuration. */
  sha256: string
  scopes?: readonly string[]
  /** From when on it is not valid any more, ISO 8601. @default never */
  expiresAt?: string
}

/**
 * SHA-256 of a key, as `apiKeys` wants it. A key has to be long and random: `randomBytes(32).toString('base64url')`; a word that
 * people think of is found by trying. Throws a `TypeError` for a key that no header can hold.
 */
export function hashApiKey (key: string): string {
  if (typeof key !== 'string' || !/^[\x21-\x7e]+$/.test(key)) throw new TypeError('Expected an API key to be printable ASCII characters without spaces.')
  return digest(key).toString('hex')
}

/**
 * Finds whose key a token is. It is compared with every key to the end, so that how long it takes says nothing about which one
 * was near.
 */
export function createKeyLookup (keys: readonly ApiKey[]): (token: string, nowMs?: number) => Principal | undefined {
  const known = keys.map(({ id, sha256, scopes = [], expiresAt }) => ({
    hash: Buffer.from(sha256, 'hex'),
    endsAt: expiresAt === undefined ? Infinity : Date.parse(expiresAt),
    principal: createPrincipal(`key:${id}`, scopes, {})
  }))
  return (token, nowMs = Date.now()) => {
    const given = digest(token)
    let found: Principal | undefined
    for (const { hash, endsAt, principal } of known) {
      const isSame = timingSafeEqual(hash, given)
      if (isSame && nowMs < endsAt) found = principal
    }
    return found
  }
}

const OPTIONS = ['id', 'sha256', 'scopes', 'expiresAt'] satisfies Array<keyof ApiKey>
const HASH = /^[\da-f]{64}$/i
const DATE = /^(\d{4}-\d\d-\d\d)(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?$/

/** What is wrong with these keys, each as a sentence that names one by its place: what stands there may be a secret. */
export function mistakesInKeys (keys: unknown): string[] {
  if (!Array.isArray(keys)) return ["Expected `auth.apiKeys` to be an array of { id: 'billing-agent', sha256: hashApiKey(key) }."]
  const hashes = keys.map(key => isObject(key) && typeof key.sha256 === 'string' ? key.sha256.toLowerCase() : undefined)
  return keys.flatMap((key: unknown, index) => {
    const at = `auth.apiKeys[${index}]`
    const first = hashes.indexOf(hashes[index])
    const repeated = hashes[index] !== undefined && first < index ? [`Expected \`${at}.sha256\` to be of a key of its own, got the one of \`auth.apiKeys[${first}]\`.`] : []
    return [...mistakesInKey(key, at), ...repeated]
  })
}

function mistakesInKey (key: unknown, at: string): string[] {
  if (!isObject(key)) return [`Expected \`${at}\` to be an object with \`id\` and \`sha256\`.`]
  const { id, sha256, scopes, expiresAt } = key
  const mistakes = unknownOptions(key, OPTIONS, at)
  if (typeof id !== 'string' || !/^[\w.@:+-]{1,128}$/.test(id)) mistakes.push(`Expected \`${at}.id\` to be 1 to 128 letters, digits, or . @ : + - _.`)
  if (typeof sha256 !== 'string' || !HASH.test(sha256)) mistakes.push(`Expected \`${at}.sha256\` to be 64 hexadecimal digits, as \`hashApiKey(key)\` gives them.`)
  if (scopes !== undefined && !(Array.isArray(scopes) && scopes.every(isScope))) mistakes.push(`Expected \`${at}.scopes\` to be an array of words without spaces or quotes.`)
  if (expiresAt !== undefined && !isDate(expiresAt)) mistakes.push(`Expected \`${at}.expiresAt\` to be a date such as '2027-01-31' or '2027-01-31T12:00:00Z'.`)
  return mistakes
}

/** `Date.parse` takes the 31st of February for a day of March. */
function isDate (text: unknown): boolean {
  const day = typeof text === 'string' && !Number.isNaN(Date.parse(text)) ? DATE.exec(text)?.[1] : undefined
  return day !== undefined && new Date(day).toISOString().startsWith(day)
}

function digest (key: string): Buffer {
  return createHash('sha256').update(key).digest()
}
