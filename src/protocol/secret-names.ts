/** What stands where a secret stood. */
export const REDACTED = '[redacted]'

// Whole words of a name, alone or as two: `monkey`, `passenger` and `author` are left alone.
const SECRET_WORDS = new Set([
  'authorization', 'auth', 'credential', 'creds', 'signature', 'hmac', 'otp', 'totp', 'csrf', 'xsrf', 'jwt', 'bearer', 'sessionid', 'appid', 'pwd', 'passwords', 'secrets', 'cookies',
  'privatekey', 'privatekeys', 'accesskey', 'accesskeys', 'secretkey', 'subscriptionkey', 'accountkey', 'sharedkey', 'masterkey', 'signingkey', 'encryptionkey', 'sessionkey', 'authkey', 'apikeys',
  'accesstokens', 'refreshtokens', 'authtokens', 'bearertokens', 'connectionstring', 'connectionstrings', 'dbpass', 'userpass', 'smtppass', 'codeverifier', 'clientassertion'
])
/** However it is run together with what it is of: `dbpassword`, `csrftoken`, `xapikey`. */
const SECRET_ENDS = /(?:password|passwd|passphrase|secret|token|cookie|credentials|apikey)$/

/** What follows in a name that only speaks of a secret: `token_count`, `password_min_length`. */
const DESCRIBING = new Set([
  'count', 'counts', 'limit', 'limits', 'budget', 'usage', 'used', 'length', 'size', 'min', 'max', 'type', 'kind', 'scheme', 'mode', 'method', 'policy', 'name', 'names', 'status', 'endpoint', 'provider',
  'expiry', 'expires', 'expired', 'expiration', 'ttl', 'lifetime', 'age', 'at', 'time', 'required', 'enabled', 'valid', 'error', 'errors', 'cost', 'costs', 'price', 'address', 'symbol', 'decimals',
  'url', 'uri', 'issuer', 'audience', 'algorithm', 'alg', 'domain', 'path', 'version', 'format'
])
/** Tokens that only say where a list goes on. */
const CURSOR = /^(?:page|next|continuation|cursor|pagination|sync)token$/

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
    const last = next !== undefined && isSecretPair(word, next) ? index + 1 : isSecretWord(word) && !CURSOR.test(`${words[index - 1]?.word}${word}`) ? index : undefined
    return last !== undefined && !isDescribed(words[last]!, words[last + 1]?.word)
  })
}

/** `appid` is a key that some third parties ask for; `app_id` says which app it is. */
function isSecretPair (word: string, next: string): boolean {
  return word + next !== 'appid' && isSecretWord(word + next)
}

/** Numbered or not: `password2`, `token1`; but `OAuth2` is the name of a way. */
function isSecretWord (word: string): boolean {
  const bare = /^o?auth\d/.test(word) ? word : word.replace(/\d{1,3}$/, '')
  return SECRET_WORDS.has(bare) || (SECRET_ENDS.test(bare) && !CURSOR.test(bare))
}

/** In a path, what follows is another field. */
function isDescribed ({ word, separator }: { word: string, separator: string }, next: string | undefined): boolean {
  if (next === undefined || /[.[]/.test(separator)) return false
  // The id of another credential is often half of it.
  return DESCRIBING.has(next) || (next === 'id' && word.endsWith('token'))
}
