import type * as jose from 'jose'
import { isSchema as isObject } from '../schema/walk.js'
import { isUsableKey } from './jwt-options.js'

/** More than any server has keys for: what is longer is something else, or never ends. */
const MAX_BYTES = 1_048_576

/**
 * The key set at a URL, without the keys that no token can be checked by: they count as if they were not there. Throws where it
 * cannot be had in `timeoutMs`, is too long, or holds no key at all.
 */
export async function fetchKeys (url: string, timeoutMs: number): Promise<jose.JSONWebKeySet> {
  const signal = AbortSignal.timeout(timeoutMs)
  // Not followed: a redirect may lead where nobody vouches for what stands there.
  const response = await fetch(url, { headers: { accept: 'application/json, application/jwk-set+json' }, redirect: 'manual', signal })
  if (response.status !== 200) {
    await response.body?.cancel()
    throw new Error(`Expected the key set to come with 200, got ${response.status}.`)
  }
  const set: unknown = JSON.parse(await textOf(response))
  if (!isObject(set) || !Array.isArray(set.keys)) throw new Error('Expected a JSON Web Key Set.')
  const keys = set.keys.filter(isUsableKey)
  if (keys.length === 0) throw new Error('Expected the key set to hold a public key that can be used.')
  return { keys }
}

async function textOf ({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of body!) {
    length += chunk.length
    if (length > MAX_BYTES) throw new Error(`Expected a key set of at most ${MAX_BYTES} bytes.`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}
