import { createHash } from 'node:crypto'

/** A discovery answer as it is sent: 304 without a body where the reader has it already. */
export interface DiscoveryAnswer {
  status: 200 | 304
  headers: Record<string, string>
  body: Buffer | undefined
}

/** A text that every reader is given, made when it is first asked for and kept as bytes with its ETag. */
export class KeptAnswer {
  readonly #make: () => string
  readonly #type: string
  #kept: { body: Buffer, etag: string } | undefined

  constructor (make: () => string, type: string = 'application/json; charset=utf-8') {
    this.#make = make
    this.#type = type
  }

  /**
   * The answer to a request with this `if-none-match`. Readers keep it, and ask each time whether it still holds; what is shown
   * to one caller because of who it is, `isPrivate`, is kept by nobody in between.
   */
  answer (ifNoneMatch: string | undefined, isPrivate = false): DiscoveryAnswer {
    this.#kept ??= keep(this.#make())
    const { body, etag } = this.#kept
    const headers = { etag, 'cache-control': isPrivate ? 'private, no-cache' : 'no-cache' }
    if (matches(ifNoneMatch, etag)) return { status: 304, headers, body: undefined }
    return { status: 200, headers: { ...headers, 'content-type': this.#type }, body }
  }
}

function keep (text: string): { body: Buffer, etag: string } {
  const body = Buffer.from(text)
  return { body, etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"` }
}

/** Compared weakly, as RFC 9110 says of `If-None-Match`: a proxy that compresses makes a weak tag of ours. */
function matches (header: string | undefined, etag: string): boolean {
  if (header === undefined) return false
  return header.trim() === '*' || header.split(',').some(one => one.trim().replace(/^W\//, '') === etag)
}
