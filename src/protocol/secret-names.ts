/** What stands where a secret stood. */
export const REDACTED = '[redacted]'

// Whole words of a name, alone or as two: `monkey`, `passenger` and `author` are left alone.
const SECRET_WORDS = new Set([
  'authorization', 'auth', 'credential', 'signature', 'jwt', 'bearer', 'sessionid', 'appid', 'pwd', 'passwords', 'secrets', 'cookies',
  'privatekey', 'privatekeys', 'accesskey', 'accesskeys', 'secretkey', 'subscriptionkey', 'accountkey', 'sharedkey', 'masterkey', 'signingkey', 'encryptionkey', 'sessionkey', 'authkey', 'apikeys',
  'accesstokens', 'refreshtokens', 'authtokens', 'bearertokens', 'connectionstring', 'connectionstrings', 'dbpass', 'userpass', 'smtppass', 'codeverifier', 'clientassertion'
])
/** However it is run together with what it is of: `dbpassword`, `csrftoken`, `xapikey`. */
const SECRET_ENDS = /(?:password|passwd|passphrase|secret|token|cookie|credentials|apikey)$/

/** What follows in a name that only speaks of a secret: `token_count`, `password_min_length`. */
const DESCRIBING = new Set([
  'count', 'counts', 'limit', 'limits', 'budget', 'usage', 'used', 'length', 'size', 'min', 'max', 'type', 'kind', 'scheme', 'mode', 'method', 'policy', 'name', 'names', 'status', 'endpoint', 'provider',
  'expiry', 'expires', 'expired', 'expiration', 'ttl', 'lifetime', 'age', 'at', 'required', 'enabled', 'valid', 'error', 'errors'
])

/** The same names come again in every line: verdicts are kept, as many as a program has names. */
const verdicts = new Map<string, boolean>()
const MAX_VERDICTS = 2_000

/** Does a field or header of this name hold a credential, whatever its letter case or separators? */
export function isSecretName (name: string): boolean {
  // Names by the thousand characters are nobody's field names: they are judged by their end.
  const end = name.slice(-200)
  let verdict = verdicts.get(end)
  if (verdict === undefined) {
    if (verdicts.size >= MAX_VERDICTS) verdicts.clear()
    verdicts.set(end, verdict = holdsSecretWord(end))
  }
  return verdict
}

function holdsSecretWord (name: string): boolean {
  const spaced = name.replace(/([a-z\d])([A-Z])|([A-Z])([A-Z][a-z])/g, '$1$3_$2$4').toLowerCase()
  if (spaced === 'pass') return true
  const words = [...spaced.matchAll(/([a-z\d]+)([^a-z\d]*)/g)].map(([, word, separator]) => ({ word: word!, separator: separator! }))
  return words.some(({ word }, index) => {
    const next = words[index + 1]?.word
    const last = next !== undefined && isSecretWord(word + next) ? index + 1 : isSecretWord(word) ? index : undefined
    return last !== undefined && !isDescribed(words[last]!.separator, words[last + 1]?.word)
  })
}

function isSecretWord (word: string): boolean {
  return SECRET_WORDS.has(word) || SECRET_ENDS.test(word)
}

/** In a path, what follows is another field. */
function isDescribed (separator: string, next: string | undefined): boolean {
  return next !== undefined && !/[.[]/.test(separator) && DESCRIBING.has(next)
}
