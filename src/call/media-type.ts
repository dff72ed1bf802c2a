import type { ToolError } from '../protocol/tool-error.js'
import { fromRow } from './framework-error.js'

/** Is this a content type of a JSON body: JSON or something written in JSON, in UTF-8, or none at all? */
export function isJsonMediaType (contentType: string | undefined): boolean {
  if (contentType === 'application/json') return true
  if (contentType === undefined || contentType.trim() === '') return true
  const [type = '', ...parameters] = contentType.split(';')
  if (!/^\s*application\/(?:json|[\w!#$&^.-]+\+json)\s*$/i.test(type)) return false
  return parameters.every(parameter => {
    const charset = /^\s*charset\s*=\s*"?([^"\s]*)"?\s*$/i.exec(parameter)?.[1]
    return charset === undefined || /^utf-?8$/i.test(charset)
  })
}

/** The failure of a body that came compressed, as bytes nobody unpacks here; `undefined` for any other. */
export function compressed (contentEncoding: string | undefined): ToolError | undefined {
  if (contentEncoding === undefined || /^\s*(?:identity)?\s*$/i.test(contentEncoding)) return undefined
  return fromRow('UNSUPPORTED_MEDIA_TYPE', 'The body has a content encoding, and is not unpacked here.', { expected: 'a body without Content-Encoding' })
}
