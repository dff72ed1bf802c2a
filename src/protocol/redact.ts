/** What stands where a secret stood. */
export const REDACTED = '[redacted]'

// Whole words of a name, so that `max_tokens`, `monkey` and `passenger` are left alone.
const SECRET_WORDS = new Set([
  'password', 'passwd', 'passphrase', 'secret', 'token', 'apikey', 'authorization', 'auth', 'cookie', 'credential', 'credentials',
  'signature', 'jwt', 'bearer', 'sessionid', 'privatekey', 'accesskey', 'secretkey', 'clientsecret', 'appid', 'pwd'
])

/** Does a field or header of this name hold a credential, whatever its letter case or separators? */
export function isSecretName (name: string): boolean {
  // Names by the thousand characters are nobody's field names: they are judged by their end.
  const words = name.slice(-200).replace(/([a-z\d])([A-Z])/g, '$1 $2').toLowerCase().split(/[^a-z\d]+/)
  return words.some((word, index) => SECRET_WORDS.has(word) || SECRET_WORDS.has(word + (words[index + 1] ?? '')))
}

/** Takes the secrets out of a text. */
export type Redactor = (text: string) => string

/** Secrets shorter than this would black out ordinary words. */
export const MIN_SECRET_LENGTH = 4

/**
 * A redactor for known secret values: each is found as it is, JSON-escaped, percent-encoded and in base64.
 * Values shorter than `MIN_SECRET_LENGTH` are left alone.
 */
export function createRedactor (secrets: Iterable<string>): Redactor {
  const forms = new Set<string>()
  for (const secret of secrets) if (secret.length >= MIN_SECRET_LENGTH) for (const form of formsOf(secret)) forms.add(form)
  if (forms.size === 0) return text => text
  // The longest first: one secret may begin another.
  const pattern = new RegExp([...forms].sort((a, b) => b.length - a.length).map(escapeForRegExp).join('|'), 'g')
  return text => text.replace(pattern, REDACTED)
}

const BEARER = /\b(Bearer|Basic)\s+[\w.~+/=-]{4,}/gi
const USER_INFO = /\b([a-z][a-z\d+.-]{0,20}:\/\/)[^\s/?#@]{1,500}@/gi
const QUERY = /([?&;]|^|\s)([\w.-]{1,60})=([^&\s"'<>]{1,2000})/g

/** Takes out what looks like a credential where its value is not known: bearer tokens, user info and secret query parameters. */
export function redactPatterns (text: string): string {
  return text
    .replace(BEARER, `$1 ${REDACTED}`)
    .replace(USER_INFO, `$1${REDACTED}@`)
    .replace(QUERY, (whole, before: string, name: string) => isSecretName(name) || /^(key|sig|code)$/i.test(name) ? `${before}${name}=${REDACTED}` : whole)
}

function formsOf (secret: string): string[] {
  const json = JSON.stringify(secret).slice(1, -1)
  const percent = percentEncode(secret)
  const base64 = toBase64(secret)
  return [
    secret, json, JSON.stringify(json).slice(1, -1),
    percent, percent.replace(/%[\dA-F]{2}/g, code => code.toLowerCase()), percent.replaceAll('%20', '+'),
    base64, base64.replaceAll('+', '-').replaceAll('/', '_')
  ].map(form => form.replace(/=+$/, '')).filter(form => form.length >= MIN_SECRET_LENGTH)
}

function percentEncode (secret: string): string {
  // A lone surrogate cannot be encoded; in the raw form it is found all the same.
  try { return encodeURIComponent(secret) } catch { return secret }
}

function toBase64 (secret: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(secret.slice(0, 4096))))
}

function escapeForRegExp (text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')
}
