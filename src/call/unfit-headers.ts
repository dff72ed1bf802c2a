import { validateHeaderName, validateHeaderValue } from 'node:http'

// They describe the body that is not sent now: kept, they would make a reader cut, unzip or cache the failure.
const OF_A_BODY = ['content-length', 'content-encoding', 'content-disposition', 'content-range', 'transfer-encoding', 'trailer', 'etag', 'last-modified']

/** The names of headers that a failure must not carry: those of the body it replaces, and those that no HTTP message can hold. */
export function unfitHeaders (headers: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(headers).filter(([name, value]) => OF_A_BODY.includes(name) || !isLegal(name, value)).map(([name]) => name)
}

function isLegal (name: string, value: unknown): boolean {
  try {
    validateHeaderName(name)
    for (const one of [value].flat()) validateHeaderValue(name, one as string)
    return true
  } catch {
    return false
  }
}
