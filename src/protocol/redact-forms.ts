import { decode } from './redact-spelling.js'

/** What is looked for in a text, and how many characters from its beginning are taken out. */
export interface Form { readonly text: string, readonly reach: number }

/** A form that is derived from a secret has as many characters at least: a shorter one stands in ordinary words. */
const MIN_DERIVED = 6

/** A secret as it is, without its escapes, in base64 and in hex. Padding is left out: some writers leave it out too. */
export function formsOf (secret: string): Form[] {
  const bare = secret.replace(/(?<=[^]{4})=+$/, '')
  const plain = decode(bare).text
  const bytes = new TextEncoder().encode(secret)
  const hex = Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('')
  const derived = [...base64Of(bytes).map(text => decode(text).text), hex, hex.toUpperCase(), ...(plain.length < bare.length ? [plain] : [])]
  const texts = [bare, ...(plain.length < bare.length ? [JSON.stringify(bare).slice(1, -1)] : [plain]), ...derived.filter(({ length }) => length >= MIN_DERIVED)]
  return texts.map(text => ({ text, reach: text.length }))
}

/** A long value as it is and without its escapes, known by its first `head` characters: from there as much is taken out as it is long. */
export function headsOf (value: string, head: number): Form[] {
  const plain = decode(value.slice(0, head * 8)).text
  return [value, plain].map(text => text.slice(0, head)).filter(({ length }) => length >= Math.min(MIN_DERIVED, value.length)).map(text => ({ text, reach: value.length }))
}

/** As it is alone, and at each of the three places that it may have in something longer, without the letters that say something of its neighbours too. */
function base64Of (bytes: Uint8Array): string[] {
  const inner = [0, 1, 2].map(before => {
    const within = new Uint8Array(before + bytes.length)
    within.set(bytes, before)
    return toBase64(within).slice(Math.ceil(before * 8 / 6), Math.floor(within.length * 8 / 6))
  })
  return [toBase64(bytes).replace(/=+$/, ''), ...inner].flatMap(text => [text, text.replaceAll('+', '-').replaceAll('/', '_')])
}

function toBase64 (bytes: Uint8Array): string {
  let binary = ''
  for (const byte of bytes) binary += String.fromCharCode(byte)
  return btoa(binary)
}
