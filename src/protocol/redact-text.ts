import { isProse, looksIssued } from './looks-issued.js'
import { redactNamedValues, type IsSecret } from './named-values.js'
import { isCredential } from './redact-credential.js'
import { REDACTED } from './secret-names.js'

// All that the patterns below can find has one of these in it. Most texts have none, and looking is all they cost.
const TELLTALE = new RegExp([
  'pass|pwd|secret|token|key|auth|cookie|cred|signature|jwt|bearer|basic|otp|[cx]srf|hmac|appid', 'session[^a-z\\d]*id', 'connection[^a-z\\d]*strings?', 'code[^a-z\\d]*verifier', 'client[^a-z\\d]*assertion',
  '\\b(?:sig|code)=', ':(?:\\\\{0,3}\\/){2}[^\\s\\/"]*@', ':\\/\\/[^\\s\\/":@]{0,60}:[^\\s"]{1,120}@', '@(?:tcp|unix)\\(', '%40|%(?:25)?3D', '\\b(?:[spr]k[-_]|gh[opsur]_|github_pat_|glpat-|xox[a-z]-|AKIA|AIza|eyJ|npm_|hf_|whsec_|SG\\.|ya29\\.)'
].join('|'), 'i')

/** May a text hold something that looks like a credential? Cheap, and `true` too often rather than too rarely. */
export function mayHoldSecret (text: string): boolean {
  return TELLTALE.test(text)
}

const USER_INFO = /\b([a-z][a-z\d+.-]{0,20}:(?:\\{0,3}\/){2})([^\s/?#"'`<>\\]+)@/gi
/** A name without a password is no secret: `ssh://git@host`. Where a token stands in its place, it is longer or has digits. */
const USER = /^[a-z][a-z_-]{0,31}$/i
/** With a password that was not encoded as it has to be: what follows the colon is no port. */
const RAW_USER_INFO = /\b([a-z][a-z\d+.-]{0,20}:\/\/)[^\s/?#@:"'`<>[\]]{0,60}:(?!\d{1,5}(?:[/?#\s"'`<>]|$))[^\s"'`<>]{1,120}@/gi
/** In an address that is a parameter of another. */
const ENCODED_USER_INFO = /(%3A%2F%2F)(?:[\w.~!$*+-]|%(?!2F|3F|23|40)){1,200}%40/gi
/** As Go's clients of MySQL write it. */
const DSN = /(?<![\w.-])[\w.-]{1,60}:[^\s@]{1,120}@(?=(?:tcp|unix)\()/g

/** Takes out who somebody is, and the password, of every address in a text. */
export function redactUserInfo (text: string): string {
  // Most texts have no such sign at all, which is seen sooner.
  if (!text.includes('/') && !text.includes('%') && !text.includes('@')) return text
  if (!/:(?:\\{0,3}\/){2}|%3A%2F%2F|@(?:tcp|unix)\(/i.test(text)) return text
  return text.replace(USER_INFO, (whole, before: string, user: string) => USER.test(user) ? whole : `${before}${REDACTED}@`).replace(RAW_USER_INFO, `$1${REDACTED}@`).replace(ENCODED_USER_INFO, `$1${REDACTED}%40`).replace(DSN, `${REDACTED}@`)
}

const BEARER = /\b(Bearer\s+)([\w.~+/=-]{4,})/gi
const BASIC = /\b(Basic\s+)([A-Za-z\d+/_-]{4,}={0,2})/gi
const ENCODED_PARAMETER = /(%(?:25)?(?:3F|26|23)|[?&#])([\w.-]{1,60})(%(?:25)?3D)((?:[^&\s"'<>%]|%(?!(?:25)?26))+)/gi
const ELEMENT = /(<([\w:.-]{1,60})(?:\s[^<>]{0,200})?>)([^<]+)(?=<\\{0,3}\/\2>)/g
/** Credentials that say what they are. */
const ISSUED = /\b(?:sk-[\w-]{16,}|[srp]k_(?:live|test)_\w{8,}|gh[opsur]_\w{20,}|github_pat_\w{20,}|glpat-[\w-]{16,}|xox[a-z]-[\w-]{10,}|AKIA[A-Z\d]{12,}|AIza[\w-]{30,}|npm_\w{20,}|hf_\w{20,}|whsec_[\w+/=-]{16,}|SG\.[\w-]{16,}\.[\w-]{16,}|ya29\.[\w-]{16,})/g
/** Read to its end whether it is one or not. */
const JWT = /\beyJ[\w-]{8,}(?:\.[\w-]*){0,2}/g
const KEY_BEGINS = /-----BEGIN [A-Z\d ]{0,30}PRIVATE KEY(?: BLOCK)?-----/g

/**
 * Takes out what looks like a credential where its value is not known: user info and secret parameters of addresses,
 * bearer tokens, headers, values behind the name of a credential, private keys. Words of a sentence are left alone.
 */
export function redactPatterns (text: string, isSecret: IsSecret = isCredential): string {
  const clean = redactUserInfo(redactKeys(text))
    .replace(BEARER, (whole, scheme: string, token: string, _, all: string) => looksIssued(token) || isHeader(whole, token, all) ? scheme + REDACTED : whole)
    .replace(BASIC, (whole, scheme: string, token: string) => isBasic(token) ? scheme + REDACTED : whole)
  return redactNamedValues(clean, isSecret)
    .replace(ENCODED_PARAMETER, (whole, before: string, name: string, equals: string, value: string) => isSecret(name) || isKey(name, value) ? before + name + equals + REDACTED : whole)
    .replace(ELEMENT, (whole, tag: string, name: string) => isSecret(name) ? tag + REDACTED : whole)
    .replace(ISSUED, REDACTED)
    .replace(JWT, whole => /\.[\w-]{8}/.test(whole) ? REDACTED : whole)
}

function isKey (name: string, value: string): boolean {
  return /^(?:key|sig)$/i.test(name) && !/^[a-z_]{1,30}$/.test(value)
}

/** Scheme and token, and nothing else: the value of a header. */
function isHeader (whole: string, token: string, all: string): boolean {
  return whole.length === all.length && !isProse(token)
}

/** `user:password` in base64, or something else that no word is. */
function isBasic (token: string): boolean {
  if (token.length >= 12 && /\d/.test(token) && /[a-z]/i.test(token)) return true
  const bare = token.replace(/=+$/, '').replaceAll('-', '+').replaceAll('_', '/')
  return bare.length % 4 !== 1 && /^[\x20-\x7e]*:[\x20-\x7e]*$/.test(atob(bare))
}

/** From the first line of a private key to its last; where that was cut off, to the end. */
function redactKeys (text: string): string {
  let clean = ''
  let done = 0
  for (const { 0: first, index } of text.matchAll(KEY_BEGINS)) {
    if (index < done) continue
    const last = text.indexOf('-----END ', index + first.length)
    const end = last === -1 ? -1 : text.indexOf('-----', last + 9)
    clean += text.slice(done, index) + REDACTED
    done = end === -1 ? text.length : end + 5
  }
  return clean + text.slice(done)
}
