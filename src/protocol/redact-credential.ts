import { looksIssued } from './looks-issued.js'
import { isSecretName } from './secret-names.js'

/** Names under which a number is a count, an amount or a time: `pass: 5`, `cookies: 3`, `token_ratio: 0.5`, `auth_level: 2`. */
const COUNTED = /^pass$|cookies?$|token|auth/i
const NOT_COUNTED = /pass.|pwd|secret|key|authorization/i
/** A word under `credentials` that says whose they are, or when they are sent, and shows none. */
const WHOSE = /^(?:caller|tool|include|omit|same-origin)$/
/** The name of a place where a secret is kept; some write the secret there. */
const KEPT = /secrets?[^a-z\d]*(?:name|names)$/i
/** Words as places are named: `db-login-v2`. */
const SLUG = /^[a-z\d]+(?:[-_./][a-z\d]+)+$/

/** Is a value under this name a credential? As `isSecretName`, but for values that can be none; and for some that can be nothing else. */
export function isCredential (name: string, value?: unknown): boolean {
  if (value === undefined) return isSecretName(name)
  if (typeof value === 'boolean' || value === null || value === '') return false
  if (/^tokens$/i.test(name)) return holdsText(value)
  if (!isSecretName(name)) return typeof value === 'string' && KEPT.test(name) && looksIssued(value) && !SLUG.test(value)
  if (typeof value === 'string') return !(/^credentials$/i.test(name) && WHOSE.test(value))
  return !COUNTED.test(name) || NOT_COUNTED.test(name) || holdsText(value)
}

function holdsText (value: unknown): boolean {
  return typeof value === 'string' || (typeof value === 'object' && value !== null && Object.values(value).some(holdsText))
}
